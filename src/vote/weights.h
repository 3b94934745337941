// Weights: how much each clause votes for an output, and how the outputs of clauses become votes.
//
//   fixed   +1 for the clauses of the first group of slots, -1 for those of the second: votes are two popcounts
//
// Feedback asks for the signs alone: a clause that votes for an output is its positive clause.
#pragma once

#include <cstdint>
#include <vector>

#include "bank/clause_slots.h"
#include "kernels/kernels.h"

namespace falsum {

class Weights {
 public:
  explicit Weights(const ClauseSlots& slots);

  /// Votes of the true clauses of 64-slot words first .. last-1; `outputs` are those words.
  std::int64_t votes(const std::uint64_t* outputs, std::size_t first, std::size_t last, const Kernels& kernels) const;
  /// By 64-slot word: on where the clause votes for the output. Slots without a clause are either.
  const std::uint64_t* positive() const { return positive_.data(); }
  std::int32_t of(ClauseId c) const;

 private:
  ClauseSlots slots_;
  std::vector<std::uint64_t> positive_;
};

}  // namespace falsum
