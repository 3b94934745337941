// Voters: the parts that every way to learn shares: automata, slots of clauses, weights, objective.
#pragma once

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/options.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

struct Voters {
  Voters(const Options& options, std::size_t features)
      : bank(static_cast<std::size_t>(options.clauses), features, static_cast<std::uint32_t>(options.states)),
        slots(bank.clauses(), 2),
        weights(slots, options.max_weight),
        objective(options.threshold) {}

  Bank bank;
  ClauseSlots slots;
  Weights weights;
  Objective objective;
};

}  // namespace falsum
