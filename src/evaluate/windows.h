// Windows: clauses of patches on many positions at a time, without making a patch.
//
//   WindowLayout   where a literal finds its bits. The position literals of a clause leave a rectangle of positions;
//                  another literal is a pixel at a fixed distance from the position
//   WindowTable    64 examples: a word for each pixel, bit u for example u. Neighbouring positions are neighbours in
//                  memory, so a vector holds several positions of 64 examples (kernels/windows_body.h)
//   ImageRows      one example: a word for each row of pixels. A literal is a row shifted by its column, and a word
//   holds
//                  64 positions of one example
//
// With a stride of d columns the pixels of a row are laid out by their column modulo d, so that positions stay
// neighbours; ImageRows does the same with rows.
//
// A trained clause of 10x10 on MNIST has 35 literals. About 10 are position literals, and these leave 60 of 361
// positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "falsum/patches.h"
#include "kernels/kernels.h"
#include "support/aligned.h"
#include "support/bits.h"

namespace falsum {

/// Positions of patches, first and last; none if one side is empty.
struct Rectangle {
  std::uint32_t top, bottom, left, right;
  bool empty() const { return top > bottom || left > right; }
};

class WindowLayout {
 public:
  explicit WindowLayout(const PatchShape& shape);

  const PatchShape& shape() const { return shape_; }

  /// Of a table of 64 examples: its words, those from a position to the one below, and the word of an image's feature.
  std::size_t table_words() const { return table_words_; }
  std::size_t row_step() const { return row_step_; }
  std::uint32_t word_of(std::size_t feature) const { return words_[feature]; }

  /// Of the rows of one example: their words, those of a row, and where the bit of an image's feature is.
  std::size_t image_words() const { return image_words_; }
  std::size_t words_per_row() const { return words_per_row_; }
  std::size_t bit_of(std::size_t feature) const { return bits_[feature]; }

  /// The literals of a clause: visit(bit, negated) for each bit of a patch that it includes, in order; returns the
  /// positions that its position literals leave. `literals` is any list with literals[i].
  template <class List, class Visit>
  Rectangle read(const List& literals, std::size_t size, const Visit& visit) const {
    Rectangle left = {0, down_ - 1, 0, across_ - 1};
    for (std::size_t i = 0; i < size; ++i) {
      const auto literal = static_cast<std::uint32_t>(literals[i]);
      const bool negated = literal >= features_;
      const std::uint32_t feature = negated ? literal - features_ : literal;
      if (feature >= positions_) {
        visit(feature - positions_, negated);
      } else if (feature < down_ - 1) {  // the row is above `feature`, or not
        negated ? left.bottom = std::min(left.bottom, feature) : left.top = std::max(left.top, feature + 1);
      } else {
        const std::uint32_t column = feature - (down_ - 1);
        negated ? left.right = std::min(left.right, column) : left.left = std::max(left.left, column + 1);
      }
    }
    return left;
  }

  /// A clause for Kernels::any_window; its offsets are written to `offsets`, which has room for `size`.
  template <class List>
  WindowClause compile(const List& literals, std::size_t size, std::uint32_t* offsets) const {
    // Negated literals from the front, the others from the back, then next to them.
    std::uint32_t *negated_end = offsets, *others = offsets + size;
    const Rectangle left = read(literals, size, [&](std::uint32_t bit, bool negated) {
      (negated ? *negated_end++ : *--others) = offsets_[bit];
    });
    const auto negated = static_cast<std::uint32_t>(negated_end - offsets);
    const auto others_count = static_cast<std::uint32_t>(offsets + size - others);
    if (negated_end != others) std::copy(others, offsets + size, negated_end);
    return {left.top, left.bottom, left.left, left.right, negated, negated + others_count, offsets};
  }

  /// Where ImageRows finds bit `bit` of the patch at position 0: a word, and how far its row is shifted.
  struct Shifted {
    std::uint32_t word, shift;
  };
  Shifted shifted(std::uint32_t bit) const { return shifted_[bit]; }

 private:
  PatchShape shape_;
  std::uint32_t features_, positions_, down_, across_;
  std::size_t table_words_, row_step_, image_words_, words_per_row_;
  std::vector<std::uint32_t> words_, offsets_;
  std::vector<std::size_t> bits_;
  std::vector<Shifted> shifted_;
};

class WindowTable {
 public:
  static constexpr std::size_t kExamples = 64;

  explicit WindowTable(const WindowLayout& layout) : layout_(layout), table_(layout.table_words()) {}

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
        table_[layout_.word_of(k)] = squares[8 * (k % 64) + (k / 64 - w)];
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
  explicit ImageRows(const WindowLayout& layout) : layout_(layout), words_(layout.image_words()) {}

  void assign(std::span<const std::uint64_t> image);

  /// The positions where the clause is true, in the order of patches: words of 64 columns, row by row, those of the
  /// rectangle that it returns. `positions` has room for all rows.
  template <class List>
  Rectangle positions(const List& literals, std::size_t size, std::vector<std::uint64_t>& positions) const;

 private:
  const WindowLayout& layout_;
  std::vector<std::uint64_t> words_;
};

template <class List>
Rectangle ImageRows::positions(const List& literals, std::size_t size, std::vector<std::uint64_t>& positions) const {
  const Rectangle box = layout_.read(literals, size, [](std::uint32_t, bool) {});
  if (box.empty()) return box;
  const std::size_t stride = layout_.words_per_row(), rows = box.bottom - box.top + 1;
  const std::size_t first = box.left / 64, last = box.right / 64, across = last - first + 1;
  positions.assign(rows * across, ~std::uint64_t{0});
  for (std::size_t r = 0; r < rows; ++r) {
    positions[r * across] &= ~std::uint64_t{0} << (box.left % 64);
    positions[r * across + across - 1] &= ~std::uint64_t{0} >> (63 - box.right % 64);
  }
  layout_.read(literals, size, [&](std::uint32_t bit, bool negated) {
    const auto [word, shift] = layout_.shifted(bit);
    const std::uint64_t* const from = words_.data() + word + box.top * stride + first;
    const std::uint64_t flip = negated ? ~std::uint64_t{0} : 0;
    if (stride == 1) {
      for (std::size_t r = 0; r < rows; ++r) positions[r] &= (from[r] >> shift) ^ flip;
    } else {
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < across; ++k) {
          // Bits that come from the next row belong to positions right of the rectangle.
          const std::uint64_t* const two = from + r * stride + k + shift / 64;
          const std::uint64_t pixels = two[0] >> (shift % 64) | two[1] << 1 << (63 - shift % 64);
          positions[r * across + k] &= pixels ^ flip;
        }
      }
    }
  });
  return box;
}

}  // namespace falsum
