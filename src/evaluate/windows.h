// Windows: clauses of patches on many positions at a time, without making a patch.
//
//   WindowLayout   where a literal finds its bits. The position literals of a clause leave a rectangle of positions;
//                  another literal is a pixel at a fixed distance from the position
//   WindowTable    64 examples: a word for each pixel, bit u for example u, then the same for pixels that are off.
//                  Neighbouring positions are neighbours in memory, so a vector holds several positions of 64 examples
//                  (kernels/windows_body.h)
//   ImageRows      one example: a word for each row of pixels, then for rows of pixels that are off. A literal is a row
//                  shifted by its column, and a word holds 64 positions of one example
//
// With a stride of d columns the pixels of a row are laid out by their column modulo d, so that positions stay
// neighbours; ImageRows does the same with rows.
//
// A trained clause of 10x10 on MNIST has 35 literals. About 10 are position literals, and these leave 60 of 361
// positions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "falsum/patches.h"
#include "kernels/kernels.h"
#include "support/aligned.h"
#include "support/bits.h"

namespace falsum {

/// The first bit that is on from `first` up to, not including, `last`: counted from `first`, last - first if there is
/// none.
inline std::uint32_t first_bit(const std::uint64_t* words, std::size_t first, std::size_t last) {
  for (std::size_t w = first / 64; 64 * w < last; ++w) {
    const std::uint64_t word = 64 * w < first ? words[w] & ~std::uint64_t{0} << (first % 64) : words[w];
    if (word == 0) continue;
    return static_cast<std::uint32_t>(std::min(64 * w + static_cast<std::size_t>(std::countr_zero(word)), last) -
                                      first);
  }
  return static_cast<std::uint32_t>(last - first);
}
/// The bit after the last one that is on, counted from `first`; 0 if there is none.
inline std::uint32_t bit_after_last(const std::uint64_t* words, std::size_t first, std::size_t last) {
  for (std::size_t w = words_for(last); 64 * w > first; --w) {
    std::uint64_t word = words[w - 1];
    if (last < 64 * w) word &= ~std::uint64_t{0} >> (64 * w - last);
    if (word == 0) continue;
    const std::size_t after = 64 * w - static_cast<std::size_t>(std::countl_zero(word));
    return static_cast<std::uint32_t>(after > first ? after - first : 0);
  }
  return 0;
}

/// Positions of patches, first and last; none if one side is empty.
struct Rectangle {
  std::uint32_t top, bottom, left, right;
  bool empty() const { return top > bottom || left > right; }
};

class WindowLayout {
 public:
  explicit WindowLayout(const PatchShape& shape);

  const PatchShape& shape() const { return shape_; }

  /// Of a table of 64 examples: the words of its pixels, those from a position to the one below, and the word of an
  /// image's feature.
  std::size_t table_words() const { return table_words_; }
  std::size_t row_step() const { return row_step_; }
  std::uint32_t word_of(std::size_t feature) const { return words_[feature]; }

  /// Of the rows of one example: the words of its pixels, those of a row, and where the bit of an image's feature is.
  std::size_t image_words() const { return image_words_; }
  std::size_t words_per_row() const { return words_per_row_; }
  std::size_t bit_of(std::size_t feature) const { return bits_[feature]; }
  /// The rows of one plane (a channel, and columns of one remainder), and the place of an image's row among them.
  std::size_t rows_per_plane() const {
    return (shape_.image_rows + shape_.row_stride - 1) / shape_.row_stride * shape_.row_stride;
  }
  std::size_t row_place(std::size_t row) const {
    return row % shape_.row_stride * (rows_per_plane() / shape_.row_stride) + row / shape_.row_stride;
  }

  // A clause as a bit for each of its literals.
  std::size_t clause_words() const { return words_for(2 * std::size_t{features_}); }

  /// The positions that its position literals leave.
  Rectangle positions_left(const std::uint64_t* clause) const {
    const std::uint32_t rows = down_ - 1;
    return {bit_after_last(clause, 0, rows), first_bit(clause, features_, features_ + rows),
            bit_after_last(clause, rows, positions_), first_bit(clause, features_ + rows, features_ + positions_)};
  }
  /// For Kernels::any_window. The literals of the clause as bits and, in any order, as numbers; `offsets` has room for
  /// all of them, and one more.
  WindowClause compile(const std::uint64_t* clause, const IdList& literals, std::uint32_t* offsets) const {
    const Rectangle left = positions_left(clause);
    return {left.top, left.bottom, left.left, left.right, compile(literals, offsets_, offsets), offsets};
  }
  /// For ImageRows.
  RowsClause compile(const std::uint64_t* clause, const IdList& literals, ShiftedRow* shifted) const {
    const Rectangle left = positions_left(clause);
    return {left.top, left.bottom, left.left, left.right, compile(literals, shifted_, shifted), shifted};
  }

 private:
  /// What `values` says of the literals that are bits of the patch; returns how many these are.
  template <class Value>
  std::uint32_t compile(const IdList& literals, const std::vector<Value>& values, Value* out) const {
    const auto* const ids = literals.ids;
    return literals.wide ? compile(static_cast<const std::uint32_t*>(ids), literals.size, values.data(), out)
                         : compile(static_cast<const std::uint16_t*>(ids), literals.size, values.data(), out);
  }
  /// Without a branch on whether a literal is one of them, since that is unpredictable.
  template <class Id, class Value>
  std::uint32_t compile(const Id* ids, std::uint32_t count, const Value* values, Value* out) const {
    std::uint32_t size = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Value value = values[ids[i]];
      out[size] = value;
      size += is_pixel(value);
    }
    return size;
  }
  static constexpr std::uint32_t kNoPixel = ~std::uint32_t{0};  // of position literals
  static bool is_pixel(std::uint32_t offset) { return offset != kNoPixel; }
  static bool is_pixel(const ShiftedRow& shifted) { return shifted.word != kNoPixel; }

  PatchShape shape_;
  std::uint32_t features_, positions_, down_, across_;
  std::size_t table_words_, row_step_, image_words_, words_per_row_;
  std::vector<std::uint32_t> words_, offsets_;
  std::vector<std::size_t> bits_;
  std::vector<ShiftedRow> shifted_;
};

class WindowTable {
 public:
  static constexpr std::size_t kExamples = 64;

  explicit WindowTable(const WindowLayout& layout) : layout_(layout), table_(2 * layout.table_words()) {}

  /// Example u has the packed features row_of(u), for u < count; the others have no pixel on.
  template <class RowOf>
  void assign(std::size_t count, const RowOf& row_of, const Kernels& kernels) {
    const std::size_t features = layout_.shape().image_features(), words = words_for(features);
    alignas(64) std::uint64_t squares[8 * kExamples];
    for (std::size_t w = 0; w < words; w += 8) {
      const std::size_t some = std::min<std::size_t>(8, words - w);
      for (std::size_t u = 0; u < kExamples; ++u) {
        const std::uint64_t* const row = u < count ? std::span<const std::uint64_t>(row_of(u)).data() + w : nullptr;
        for (std::size_t v = 0; v < 8; ++v) squares[8 * u + v] = row != nullptr && v < some ? row[v] : 0;
      }
      kernels.transpose(squares);
      const std::size_t last = std::min(features, 64 * (w + some));
      for (std::size_t k = 64 * w; k < last; ++k) {
        const std::uint64_t on = squares[8 * (k % 64) + (k / 64 - w)];
        table_[layout_.word_of(k)] = on;
        table_[layout_.table_words() + layout_.word_of(k)] = ~on;
      }
    }
  }
  const std::uint64_t* data() const { return table_.data(); }
  std::uint64_t any(const WindowClause& clause, std::uint64_t want, const Kernels& kernels) const {
    return kernels.any_window(table_.data(), layout_.row_step(), clause, want);
  }
  std::uint64_t bytes() const { return table_.size() * 8; }

 private:
  const WindowLayout& layout_;
  AlignedArray<std::uint64_t> table_;
};

class ImageRows {
 public:
  explicit ImageRows(const WindowLayout& layout) : layout_(layout), words_(2 * layout.image_words()) {}

  void assign(std::span<const std::uint64_t> image);

  /// The rows of pixels of a channel in columns of the same remainder as this one, which are words_per_row() words
  /// each.
  const std::uint64_t* plane(std::size_t column, std::size_t channel) const {
    const std::size_t stride = layout_.shape().column_stride;
    return words_.data() + (channel * stride + column % stride) * layout_.rows_per_plane() * layout_.words_per_row();
  }

  /// The positions where a clause whose rectangle is not empty is true, in the order of patches: words of 64 columns,
  /// row by row, those of its rectangle. Returns how many words a row has; `any` is their OR.
  std::size_t positions(const RowsClause& clause, const Kernels& kernels, std::vector<std::uint64_t>& positions,
                        std::uint64_t& any) const;

 private:
  const WindowLayout& layout_;
  std::vector<std::uint64_t> words_;
};

inline IdList ids_of(std::span<const std::uint32_t> literals) {
  return {literals.data(), static_cast<std::uint32_t>(literals.size()), true};
}
/// The literals of a clause as bits.
inline void set_bits(std::span<const std::uint32_t> literals, std::vector<std::uint64_t>& clause) {
  std::fill(clause.begin(), clause.end(), 0);
  for (const std::uint32_t literal : literals) clause[literal / 64] |= std::uint64_t{1} << (literal % 64);
}

}  // namespace falsum
