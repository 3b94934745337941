// SparseBits: rows of Boolean features, each as the ascending list of those that are true. For texts, where a row has a
// hundred of thousands of features: predictors take it as it is, without ever making a BitMatrix of it.
//
//   row r:  features[starts[r] .. starts[r + 1])     (the CSR of SciPy: indptr and indices)
//
// SparseBits owns its numbers. SparseBitsView points to somebody else's; predictors check it, since anybody can make
// one.
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
  std::span<const std::uint64_t> starts;  // rows + 1, from 0 on, never descending
  std::span<const std::uint32_t> features;

  std::size_t rows() const { return starts.empty() ? 0 : starts.size() - 1; }
  std::span<const std::uint32_t> row(std::size_t r) const {
    return features.subspan(starts[r], starts[r + 1] - starts[r]);
  }

  /// Throws DataError naming the first row whose features are not there, do not ascend or are not below `columns`.
  void check() const;
  /// The same for some rows of others, whose starts begin anywhere.
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
  /// Adds a row; puts its features in order and leaves out repetitions.
  void add_row(std::vector<std::uint32_t>& row);

  operator SparseBitsView() const { return {columns, starts, features}; }
  friend bool operator==(const SparseBits&, const SparseBits&) = default;
};

/// Throws DataError unless the features of one row ascend and are below `columns`; `what` names the row.
void check_sparse_row(std::span<const std::uint32_t> row, std::size_t columns, const std::string& what);

}  // namespace falsum
