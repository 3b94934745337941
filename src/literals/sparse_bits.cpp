#include "falsum/sparse_bits.h"

#include <algorithm>

#include "falsum/error.h"
#include "support/bits.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Valid rows are checked without a branch that depends on their values.
bool is_good(std::span<const std::uint32_t> row, std::size_t columns) {
  bool good = row.empty() || row.back() < columns;
  for (std::size_t i = 1; i < row.size(); ++i) good &= row[i - 1] < row[i];
  return good;
}

}  // namespace

void check_sparse_row(std::span<const std::uint32_t> row, std::size_t columns, const std::string& what) {
  if (is_good(row, columns)) return;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] >= columns) {
      throw DataError(fmt::format("{} has feature {}, and the features are 0 to {}", what, row[i], columns - 1));
    }
    if (i > 0 && row[i - 1] >= row[i]) {
      throw DataError(fmt::format("{} has feature {} after {}: the features of a sparse row must ascend", what, row[i],
                                  row[i - 1]));
    }
  }
}

void SparseBitsView::check() const {
  if (starts.empty() ? !features.empty() : starts.front() != 0 || starts.back() != features.size()) {
    throw DataError("the starts of sparse rows must go from 0 to the number of their features");
  }
  check_rows();
}

void SparseBitsView::check_rows() const {
  for (std::size_t r = 0; r < rows(); ++r) {
    if (starts[r + 1] < starts[r] || starts[r + 1] > features.size()) {
      throw DataError(fmt::format("the starts of sparse rows must not descend, and row {} ends before it begins", r));
    }
    if (!is_good(row(r), columns)) check_sparse_row(row(r), columns, fmt::format("row {}", r));
  }
}

SparseBits::SparseBits(const BitMatrix& bits) : columns(bits.columns()) {
  starts.reserve(bits.rows() + 1);
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    for_each_bit(bits.row(r).data(), bits.words_per_row(),
                 [&](std::size_t k) { features.push_back(static_cast<std::uint32_t>(k)); });
    starts.push_back(features.size());
  }
}

void SparseBits::add_row(std::vector<std::uint32_t>& row) {
  std::sort(row.begin(), row.end());
  features.insert(features.end(), row.begin(), std::unique(row.begin(), row.end()));
  starts.push_back(features.size());
}

}  // namespace falsum
