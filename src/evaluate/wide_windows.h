// More examples at once than windows.h has, and single examples for prediction, where a model's clauses are compiled
// once and it pays to join literals.
//
//   joins       neighbouring pixels that a clause wants off (or on) are one load of a table that has them joined
//               already. The clauses of 10x10 pixels that MNIST teaches need 11 loads a position instead of 18
//   WideTable   256 or 512 examples: so many bits for each pixel. Tables of pixels that are on
//               and that are off; for prediction, then of joins
//   LaneTable   one example, for images of up to 32 positions across and down: a row of positions is a lane of 32 bits.
//               For each column of the patch the rows of pixels shifted by it, on and off, and the joins of both
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "evaluate/windows.h"

namespace falsum {

/// Table 0 is of pixels that are on, table 1 of pixels that are off. Table 2 + j is of pairs in the table `of`: the
/// bits of a pixel there, joined with those of the pixel so many rows and columns away.
struct PixelJoin {
  std::size_t of, down;
  std::ptrdiff_t right;
};
/// The first are those that spare the most loads.
constexpr PixelJoin kPixelJoins[] = {{1, 0, 1}, {0, 0, 1}, {1, 1, 0},  {1, 1, -1}, {0, 1, 0},
                                     {2, 1, 0}, {1, 1, 1}, {0, 1, -1}, {0, 1, 1}};
constexpr std::size_t kMostPixelTables = 2 + std::size(kPixelJoins);
constexpr std::size_t kLeastPixelTables = 4;  // the pairs of one row

/// A pixel of the patch in one of the first tables.
struct PixelLiteral {
  std::size_t row, column, channel, table;
  bool negated() const;
  /// How many pixels it is about.
  std::size_t pixels() const;
};
/// What the literals of a clause about pixels are in the first `tables` tables; negated ones first.
std::vector<PixelLiteral> joined_pixels(const PatchShape& shape, std::span<const std::uint32_t> literals,
                                        std::size_t tables);

class WideTable {
 public:
  /// Of 64 * words examples: 4 words or, for the least time per example, kernels.position_words.
  WideTable(const WindowLayout& layout, std::size_t tables, std::size_t words, const Kernels& kernels);

  /// As many tables as stay in a second-level cache.
  static std::size_t tables(const WindowLayout& layout, const Kernels& kernels);

  /// As WindowTable::assign.
  template <class RowOf>
  void assign(std::size_t count, const RowOf& row_of) {
    for (std::size_t g = 0; g < words_; ++g) {
      const std::size_t first = std::min(count, g * WindowTable::kExamples);
      some_.assign(
          std::min(WindowTable::kExamples, count - first), [&](std::size_t u) { return row_of(first + u); }, kernels_);
      for (std::size_t k = 0; k < 2 * layout_.table_words(); ++k) table_[words_ * k + g] = some_.data()[k];
    }
    for (std::size_t t = 2; t < tables_; ++t) join(t);
  }
  /// The offset of a literal for Kernels::any_position.
  static std::uint32_t offset(const WindowLayout& layout, const PixelLiteral& literal);

  void any(const WindowClause& clause, std::uint64_t* out) const {
    kernels_.any_position(table_.data(), layout_.row_step(), clause, words_, out);
  }
  std::uint64_t bytes() const { return some_.bytes() + table_.size() * 8; }

 private:
  void join(std::size_t table);

  const WindowLayout& layout_;
  const Kernels& kernels_;
  std::size_t tables_, words_;
  WindowTable some_;
  AlignedArray<std::uint64_t> table_;
};

class LaneTable {
 public:
  /// Whether images of this shape fit into lanes and 16-bit offsets.
  static bool fits(const WindowLayout& layout);
  /// As many tables as fit.
  static std::size_t tables(const WindowLayout& layout);

  explicit LaneTable(const WindowLayout& layout);

  void assign(std::span<const std::uint64_t> image);
  const std::uint32_t* data() const { return lanes_.data(); }

  static std::uint16_t offset(const WindowLayout& layout, const PixelLiteral& literal);
  /// Lanes that are all ones, to fill up lists of offsets.
  static std::uint16_t filler(const WindowLayout& layout);

 private:
  static std::size_t lanes_per_column(const WindowLayout& layout) { return layout.rows_per_plane() + 8; }

  /// The lanes of a table: those of each column of the patch.
  static std::size_t lanes_per_table(const WindowLayout& layout) {
    return layout.shape().columns * layout.shape().channels * lanes_per_column(layout);
  }
  void join(std::size_t table);

  const WindowLayout& layout_;
  std::size_t tables_;
  ImageRows rows_;
  std::vector<std::uint32_t> lanes_;
};

}  // namespace falsum
