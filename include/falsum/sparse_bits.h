// SparseBits: rows of Boolean features, each as the ascending list of its true features. For texts, where a row has
// about a hundred true features out of thousands. Predictors read this form directly and never convert it to a
// BitMatrix.
//
//   row r:  features[starts[r] .. starts[r + 1])     (the CSR of SciPy: indptr and indices)
//
// SparseBits owns its numbers. SparseBitsView does not; predictors check it, since any caller can make one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "falsum/bit_matrix.h"

namespace falsum {

struct SparseBitsView {
  std::size_t columns = 0;
  std::span<const std::uint64_t> starts;  // rows + 1, the first is 0, never descending
  std::span<const std::uint32_t> features;

  std::size_t rows() const { return starts.empty() ? 0 : starts.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t r) const {
    return features.subspan(starts[r], starts[r + 1] - starts[r]);
  }

  /// Throws DataError naming the first row whose features are missing, do not ascend or are not below `columns`.
  void check() const;
  /// The same for a range of rows of a larger set, whose starts may begin at any number.
  void check_rows() const;
};

struct SparseBits {
  std::size_t columns = 0;
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> features;

  SparseBits() = default;
  explicit SparseBits(std::size_t column_count) : columns(column_count) {}
  explicit SparseBits(const BitMatrix& bits);

  std::size_t rows() const { return starts.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t r) const { return SparseBitsView(*this).row(r); }
  std::size_t bytes() const { return starts.size() * 8 + features.size() * 4; }
  /// Adds a row; sorts its features and drops duplicates.
  void add_row(std::vector<std::uint32_t>& row);

  operator SparseBitsView() const { return {columns, starts, features}; }
  friend bool operator==(const SparseBits&, const SparseBits&) = default;
};

/// Throws DataError unless the features of one row ascend and are below `columns`; `what` names the row.
void check_sparse_row(std::span<const std::uint32_t> row, std::size_t columns, const std::string& what);

}  // namespace falsum
