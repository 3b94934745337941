// Feedback: what one use of a class does to some of its clauses.
//
//   votes -> probability of feedback -> which clauses get it -> Type Ia, Ib or II on each (Bank)
//
// Given the votes, a clause sees nothing of the others: everything is drawn from keys of (class, use, clause), see
// support/random.h. So clauses can be dealt out to several Feedbacks that work at the same time, with one result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bank/bank.h"
#include "falsum/machine.h"
#include "literals/use_rows.h"

namespace falsum {

class Feedback {
 public:
  /// On the clauses of 64-slot words first .. last-1 of the bank.
  Feedback(Bank& bank, std::int64_t threshold, std::size_t first, std::size_t last, FlipListener& listener);

  /// For use i of `rows` and the class sum `votes`; `outputs` are those of its own words.
  void give(std::int64_t votes, std::size_t i, UseRows& rows, std::uint64_t use_key, const std::uint64_t* outputs,
            const Bank::Rules& rules, LearnCounters& counters);

 private:
  struct DenseEvent {
    ClauseId clause;
    bool type_1;
  };
  struct Events {
    std::span<const ClauseId> type_1b;
    std::span<const DenseEvent> dense;
  };
  Events choose(bool positive, const std::uint64_t* outputs);

  Bank& bank_;
  std::int64_t threshold_;
  std::size_t first_;
  Bank::Worker worker_;
  std::vector<std::uint64_t> selected_;
  // Room for the events of a use.
  std::vector<ClauseId> type_1b_;
  std::vector<DenseEvent> dense_;
};

}  // namespace falsum
