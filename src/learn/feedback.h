// Feedback: what one use does to some of a learner's clauses.
//
//   push (Objective) -> which clauses get feedback -> Type Ia, Ib or II on each (Bank)
//
// `positive` holds the signs for the current output (Weights). A clause *agrees* with the push if it votes for the
// output and votes should go up, or if it votes against the output and votes should go down:
//
//   Type Ib   chosen, agrees, false       Type Ia   chosen, agrees, true       Type II   chosen, does not agree, true
//
// Where clauses have weights, both types on a true clause move its weight by one vote in the direction of the push.
//
// A literal budget: a clause that agrees and is true but has more literals than the budget gets Type Ib instead of Ia,
// and keeps its weight.
//
// A use may have several steps, one for each of several outputs (Plan). Votes, outputs and lengths of clauses are those
// from before the use. Clauses first get the Type I events of all steps, then the Type II events: Type Ia relies on an
// included literal of a true clause being true.
//
// Where examples have patches, a clause learns from one patch of which it is true, drawn once for a use, before any
// feedback: then it stays true of this patch until its Type II event.
//
// Invariant I2: given the votes, feedback on a clause does not depend on other clauses; all draws come from keys of
// (learner, use, clause), see support/random.h. So clauses can be divided among several Feedbacks that work at the same
// time, with the same result (tests/learn/feedback_test.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/evaluator.h"
#include "falsum/learn_counters.h"
#include "learn/voters.h"
#include "literals/examples.h"

namespace falsum {

class Feedback {
 public:
  /// Gives feedback to the clauses of 64-slot words first .. last-1.
  Feedback(Voters& voters, std::size_t first, std::size_t last, FlipListener& listener);

  /// Chooses the events of a step; `outputs` are those of its own words.
  void choose(const Push& push, std::size_t output, const std::uint64_t* outputs, std::uint64_t step_key,
              const Bank::Law& law);
  /// Gives the feedback of all steps since the last call, for example i of the evaluator.
  void give(Evaluator& evaluator, std::size_t i, std::uint64_t use_key, const Bank::Law& law, LearnCounters& counters);
  /// The same without patches.
  void give(Examples& examples, std::size_t i, const Bank::Law& law, LearnCounters& counters);

 private:
  struct DenseEvent {
    ClauseId clause;
    bool type_1;
    std::uint64_t key;
    std::size_t patch = 0;
  };
  /// The Type Ib events of a step; they end at `end` in type_1b_.
  struct Step {
    std::uint64_t key;
    std::size_t end;
  };
  void prefetch_type_1b(std::size_t first) const;
  void give_type_1b(const Bank::Law& law, LearnCounters& counters);
  template <class RowOf>
  void give_all(const RowOf& row_of, const Bank::Law& law, LearnCounters& counters);

  Bank& bank_;
  Weights& weights_;
  const ClauseSlots slots_;
  const std::uint64_t* active_;
  std::size_t max_literals_, first_;
  Bank::Worker worker_;
  std::vector<std::uint64_t> selected_;
  // The events of the current use.
  std::vector<Step> steps_;
  std::vector<ClauseId> type_1b_;
  std::vector<DenseEvent> dense_;
  std::size_t type_1b_count_ = 0, dense_count_ = 0;  // the rest of both is room
};

}  // namespace falsum
