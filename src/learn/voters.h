// Voters: the parts that every way to learn shares: automata, slots of clauses, weights, objective.
#pragma once

#include <limits>
#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/options.h"
#include "support/random.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

/// Two groups of slots, for and against, unless signs are learned or all clauses are for the output.
inline ClauseSlots slots_of(const Options& options) {
  return ClauseSlots(static_cast<std::size_t>(options.clauses), has_one_bank(options) ? 1 : 2);
}

/// The literal budget of a clause.
inline std::size_t max_literals_of(const Options& options) {
  return options.max_literals == 0 ? std::numeric_limits<std::size_t>::max()
                                   : static_cast<std::size_t>(options.max_literals);
}

struct Voters {
  Voters(const Options& options, std::size_t features, std::size_t outputs)
      : bank(static_cast<std::size_t>(options.clauses), features, static_cast<std::uint32_t>(options.states)),
        slots(slots_of(options)),
        weights(options.shared ? Weights(slots, outputs, largest_weight(options),
                                         purpose_key(options.seed, Purpose::kFirstWeights))
                               : Weights(slots, largest_weight(options))),
        objective(options.threshold, options.task, options.error) {
    for (std::size_t w = 0; w < slots.words(); ++w) active.push_back(slots.used(w));
  }

  Bank bank;
  ClauseSlots slots;
  Weights weights;
  Objective objective;
  std::vector<std::uint64_t> active;  // by 64-slot word: on where there is a clause that is not dropped
};

}  // namespace falsum
