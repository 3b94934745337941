// LiteralRow: one example as literals. Literal k < features is feature k; literal features + k is its
// negation. Both the true and the false literals are stored as bit words, since evaluation walks the false literals and
// Type I feedback needs both.
//
//   truths     | x0 x1 .. | !x0 !x1 .. | 0 0 0     padding is false in both, so padding lanes are
//   falsehoods | !x0 .. . | x0  x1  .. | 0 0 0     neither rewarded nor ever included
//
// Built from packed features, or from the list of true ones, in O(words); the negations start in the middle of a word
// when the number of features is no multiple of 64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/bits.h"
#include "support/ids.h"

namespace falsum {

class LiteralRow {
 public:
  explicit LiteralRow(std::size_t features)
      : features_(features), truths_(words_for(2 * features)), falsehoods_(words_for(2 * features)) {}

  void assign(std::span<const std::uint64_t> features);
  /// From the list of true features.
  void assign(std::span<const std::uint32_t> present);

  std::size_t words() const { return truths_.size(); }
  const std::uint64_t* truths() const { return truths_.data(); }
  const std::uint64_t* falsehoods() const { return falsehoods_.data(); }
  bool is_true(LiteralId l) const { return (truths_[at(l) / 64] >> (at(l) % 64)) & 1; }

  /// visit(LiteralId) for every false literal, in order.
  template <class Visit>
  void for_each_false(Visit&& visit) const {
    for_each_bit(falsehoods_.data(), falsehoods_.size(), [&](std::size_t l) { visit(static_cast<LiteralId>(l)); });
  }

 private:
  std::size_t features_;
  std::vector<std::uint64_t> truths_, falsehoods_;
};

}  // namespace falsum
