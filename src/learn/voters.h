// Voters: the parts that every way to learn shares: automata, slots of clauses, weights, objective.
#pragma once

#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/options.h"
#include "falsum/patches.h"
#include "support/random.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

/// Two groups of slots, for and against, unless signs are learned or all clauses are for the output.
inline ClauseSlots slots_of(const Options& options) {
  return ClauseSlots(static_cast<std::size_t>(options.clauses), has_one_bank(options) ? 1 : 2);
}

struct Voters {
  /// Of the clauses of a range; votes, slots and weights are those of the whole bank.
  Voters(const Options& options, std::size_t features, std::size_t outputs, ClauseRange range)
      : bank(range, clause_features(options, features), static_cast<std::uint32_t>(options.states)),
        slots(slots_of(options)),
        weights(options.shared
                    ? Weights(slots, outputs, most_votes(options), purpose_key(options.seed, Purpose::kFirstWeights))
                : options.weight_growth > 0
                    ? Weights(slots, votes_of_one(options), most_votes(options), options.weight_growth)
                    : Weights(slots, most_votes(options))),
        objective(vote_target(options), options.task, options.error),
        max_literals(options.max_literals == 0 ? bank.literals() : static_cast<std::size_t>(options.max_literals)) {
    wake_all();
  }

  /// No clause is dropped.
  void wake_all() {
    active.assign(slots.words(), 0);
    for (std::size_t c = bank.range().first; c < bank.range().last; ++c) {
      const std::size_t slot = slots.slot(static_cast<ClauseId>(c));
      active[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
  }

  Bank bank;
  ClauseSlots slots;
  Weights weights;
  Objective objective;
  std::size_t max_literals;           // the literal budget of a clause
  std::vector<std::uint64_t> active;  // by 64-slot word: on where there is a clause of the bank that is not dropped
};

}  // namespace falsum
