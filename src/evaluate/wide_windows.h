// More examples at once than windows.h has, and single examples for prediction, where a model's clauses are compiled
// once and it pays to join literals.
//
//   pairs       two neighbouring pixels of a row that a clause wants off (or on) are one load of a table that has them
//               joined already
//   WideTable   256 examples: four words for each pixel, so that a vector is a position or two. Tables of pixels that
//   are
//               on and that are off; for prediction, then of pairs that are on and that are off
//   LaneTable   one example, for images of up to 32 positions across and down: a row of positions is a lane of 32 bits.
//               For each column of the patch the rows of pixels shifted by it, on and off, and the pairs of both
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/windows.h"

namespace falsum {

/// A pixel of the patch, or a pixel and its right neighbour, that must be off (negated) or on.
struct PixelLiteral {
  std::size_t row, column, channel;
  bool negated, pair;
};
/// The literals of a clause that are about pixels, neighbours joined; negated ones first.
std::vector<PixelLiteral> joined_pixels(const PatchShape& shape, std::span<const std::uint32_t> literals);

class WideTable {
 public:
  static constexpr std::size_t kExamples = 256;

  explicit WideTable(const WindowLayout& layout, bool has_pairs);

  /// As WindowTable::assign.
  template <class RowOf>
  void assign(std::size_t count, const RowOf& row_of, const Kernels& kernels) {
    for (std::size_t g = 0; g < kExamples / WindowTable::kExamples; ++g) {
      const std::size_t first = std::min(count, g * WindowTable::kExamples);
      some_.assign(
          std::min(WindowTable::kExamples, count - first), [&](std::size_t u) { return row_of(first + u); }, kernels);
      for (std::size_t k = 0; k < 2 * layout_.table_words(); ++k) table_[4 * k + g] = some_.data()[k];
    }
    if (has_pairs_) join();
  }
  /// The offset of a literal for Kernels::any_position.
  static std::uint32_t offset(const WindowLayout& layout, const PixelLiteral& literal);

  void any(const WindowClause& clause, const Kernels& kernels, std::uint64_t* out) const {
    kernels.any_position(table_.data(), layout_.row_step(), clause, out);
  }
  std::uint64_t bytes() const { return some_.bytes() + table_.size() * 8; }

 private:
  void join();

  const WindowLayout& layout_;
  bool has_pairs_;
  WindowTable some_;
  AlignedArray<std::uint64_t> table_;
};

class LaneTable {
 public:
  /// Whether images of this shape fit into lanes and 16-bit offsets.
  static bool fits(const WindowLayout& layout);

  explicit LaneTable(const WindowLayout& layout);

  void assign(std::span<const std::uint64_t> image);
  const std::uint32_t* data() const { return lanes_.data(); }

  static std::uint16_t offset(const WindowLayout& layout, const PixelLiteral& literal);
  /// Lanes that are all ones, to fill up lists of offsets.
  static std::uint16_t filler(const WindowLayout& layout);

 private:
  static std::size_t lanes_per_column(const WindowLayout& layout) { return layout.rows_per_plane() + 8; }

  const WindowLayout& layout_;
  ImageRows rows_;
  std::vector<std::uint32_t> lanes_;
};

}  // namespace falsum
