// Test vectors: rows with the votes that the model itself gives them. Random bits would falsify nearly every clause,
// so most rows are made from clauses: some of them are true there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "export/lowered.h"
#include "falsum/bit_matrix.h"

namespace falsum {

/// A value before it becomes features: missing, a number (of a pixel too), or a category or text.
using RawValue = std::variant<std::monostate, double, std::string>;

struct TestVectors {
  BitMatrix rows;                   // features in; the first row is all 0, the second all 1
  std::vector<std::int32_t> votes;  // row by row
  // Raw values in: of tables, grey images and texts. None for models of bits.
  std::vector<std::vector<RawValue>> raw;
  BitMatrix raw_bits;
  std::vector<std::int32_t> raw_votes;

  std::span<const std::int32_t> votes_of(std::size_t row) const { return part(votes, row); }
  std::span<const std::int32_t> raw_votes_of(std::size_t row) const { return part(raw_votes, row); }

 private:
  std::span<const std::int32_t> part(const std::vector<std::int32_t>& all, std::size_t row) const {
    const std::size_t outputs = votes.size() / rows.rows();
    return std::span(all).subspan(row * outputs, outputs);
  }
};

/// About 64 rows, the same for the same model. Those of `data` are spread over it.
TestVectors make_vectors(const Lowered& lowered, const Source* data = nullptr);

}  // namespace falsum
