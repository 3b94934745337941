// Voters: what every way to learn has in common: automata, where their clauses' bits lie, how they vote, what for.
#pragma once

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

struct Voters {
  Voters(std::size_t clauses, std::size_t features, std::uint32_t states, std::int64_t threshold)
      : bank(clauses, features, states), slots(clauses, 2), weights(slots), objective(threshold) {}

  Bank bank;
  ClauseSlots slots;
  Weights weights;
  Objective objective;
};

}  // namespace falsum
