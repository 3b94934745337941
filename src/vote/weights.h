// Weights: how much each clause votes for an output, and how the outputs of clauses become votes.
//
//   fixed    +1 for the clauses of the first group of slots, -1 for those of the second: votes are two popcounts
//   growing  the same signs; sizes from 1 to a maximum, which feedback moves by one (grow, shrink)
//
// Feedback uses only the signs: a clause that votes for an output is a positive clause of it. Each clause has its own
// weight, so clauses may still be divided among threads (invariant I2, learn/feedback.h).
//
// Cost of votes: a popcount per word where weights are fixed, else an addition per true clause.
#pragma once

#include <cstdint>
#include <vector>

#include "bank/clause_slots.h"
#include "kernels/kernels.h"

namespace falsum {

class ByteReader;
class ByteWriter;

class Weights {
 public:
  explicit Weights(const ClauseSlots& slots, std::int64_t most = 1);

  /// Votes of the true clauses of 64-slot words first .. last-1; `outputs` are those words.
  std::int64_t votes(const std::uint64_t* outputs, std::size_t first, std::size_t last, const Kernels& kernels) const;
  /// By 64-slot word: on where the clause votes for the output. Slots without a clause may be on or off.
  const std::uint64_t* positive() const { return positive_.data(); }
  std::int32_t of(ClauseId c) const;

  bool are_fixed() const { return sizes_.empty(); }
  void grow(ClauseId c) {
    std::int32_t& size = sizes_[slots_.slot(c)];
    size += size < most_;
  }
  void shrink(ClauseId c) {
    std::int32_t& size = sizes_[slots_.slot(c)];
    size -= size > 1;
  }

  /// The sizes, clause by clause; empty if they are fixed.
  void write(ByteWriter& writer) const;
  void read(ByteReader& reader);

 private:
  bool is_positive(std::size_t slot) const { return slot < 64 * slots_.group_words(); }
  std::int64_t grown_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last) const;

  ClauseSlots slots_;
  std::vector<std::uint64_t> positive_;
  std::int32_t most_;
  std::vector<std::int32_t> sizes_;  // by slot; empty if fixed at 1. Slots without a clause have 0
};

}  // namespace falsum
