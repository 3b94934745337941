// Feedback: what one use does to some of a learner's clauses.
//
//   push (Objective) -> which clauses get feedback -> Type Ia, Ib or II on each (Bank)
//
// `positive` holds the signs for the current output (Weights). A clause *agrees* with the push if it votes for the
// output and votes should go up, or if it votes against the output and votes should go down:
//
//   Type Ib   chosen, agrees, false       Type Ia   chosen, agrees, true       Type II   chosen, does not agree, true
//
// Where weights grow, Type Ia also adds one to the clause's weight, and Type II takes one away.
//
// Invariant I2: given the votes, feedback on a clause does not depend on other clauses; all draws come from keys of
// (learner, use, clause), see support/random.h. So clauses can be divided among several Feedbacks that work at the same
// time, with the same result (tests/learn/feedback_test.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/learn_counters.h"
#include "literals/examples.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

class Feedback {
 public:
  /// Gives feedback to the clauses of 64-slot words first .. last-1.
  Feedback(Bank& bank, Weights& weights, const ClauseSlots& slots, std::size_t first, std::size_t last,
           FlipListener& listener);

  /// For example i; `outputs` and `positive` are those of its own words.
  void give(const Push& push, const std::uint64_t* outputs, const std::uint64_t* positive, Examples& examples,
            std::size_t i, std::uint64_t use_key, const Bank::Law& law, LearnCounters& counters);

 private:
  struct DenseEvent {
    ClauseId clause;
    bool type_1;
  };
  struct Events {
    std::span<const ClauseId> type_1b;
    std::span<const DenseEvent> dense;
  };
  Events choose(bool up, const std::uint64_t* outputs, const std::uint64_t* positive);

  Bank& bank_;
  Weights& weights_;
  ClauseSlots slots_;
  std::size_t first_;
  Bank::Worker worker_;
  std::vector<std::uint64_t> selected_;
  // Buffers for the events of a use.
  std::vector<ClauseId> type_1b_;
  std::vector<DenseEvent> dense_;
};

}  // namespace falsum
