#include "evaluate/windows.h"

namespace falsum {

WindowLayout::WindowLayout(const PatchShape& shape)
    : shape_(shape),
      features_(static_cast<std::uint32_t>(shape.features())),
      positions_(static_cast<std::uint32_t>(shape.position_features())),
      down_(static_cast<std::uint32_t>(shape.down())),
      across_(static_cast<std::uint32_t>(shape.across())) {
  const std::size_t height = shape.image_rows, width = shape.image_columns, channels = shape.channels;
  const std::size_t across = shape.column_stride, down = shape.row_stride;
  const std::size_t part = (width + across - 1) / across;  // columns of one remainder
  const std::size_t line = part * across;
  // 64 examples: planes of channels, rows, columns by remainder.
  row_step_ = down * line;
  table_words_ = channels * height * line + 7;  // eight words are read at a time
  const auto table_word = [&](std::size_t y, std::size_t x, std::size_t z) {
    return (z * height + y) * line + x % across * part + x / across;
  };
  // One example: planes of channels and of columns by remainder, rows by remainder; a word and more for each.
  words_per_row_ = words_for(part);
  image_words_ = channels * across * rows_per_plane() * words_per_row_ + 7;
  const auto row_word = [&](std::size_t y, std::size_t x, std::size_t z) {
    return ((z * across + x % across) * rows_per_plane() + row_place(y)) * words_per_row_;
  };
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t z = 0; z < channels; ++z) {
        words_.push_back(static_cast<std::uint32_t>(table_word(y, x, z)));
        bits_.push_back(64 * row_word(y, x, z) + x / across);
      }
    }
  }
  // By literal.
  for (const bool off : {false, true}) {
    offsets_.insert(offsets_.end(), positions_, kNoPixel);
    shifted_.insert(shifted_.end(), positions_, {kNoPixel, 0});
    for (std::size_t y = 0; y < shape.rows; ++y) {
      for (std::size_t x = 0; x < shape.columns; ++x) {
        for (std::size_t z = 0; z < channels; ++z) {
          offsets_.push_back(static_cast<std::uint32_t>(table_word(y, x, z) + off * table_words_));
          shifted_.push_back({static_cast<std::uint32_t>(row_word(y, x, z) + off * image_words_),
                              static_cast<std::uint32_t>(x / across)});
        }
      }
    }
  }
}

void ImageRows::assign(std::span<const std::uint64_t> image) {
  std::fill(words_.begin(), words_.end(), 0);
  for_each_bit(image.data(), image.size(), [&](std::size_t feature) {
    const std::size_t bit = layout_.bit_of(feature);
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  });
  const std::size_t words = layout_.image_words();
  for (std::size_t w = 0; w < words; ++w) words_[words + w] = ~words_[w];
}

std::size_t ImageRows::positions(const RowsClause& clause, const Kernels& kernels,
                                 std::vector<std::uint64_t>& positions, std::uint64_t& any) const {
  const std::size_t stride = layout_.words_per_row(), rows = clause.bottom - clause.top + 1;
  if (stride == 1) {
    positions.resize(rows + 7);
    any = kernels.window_rows(words_.data(), clause, positions.data());
    positions.resize(rows);
    return 1;
  }
  const std::size_t first = clause.left / 64, last = clause.right / 64, across = last - first + 1;
  positions.assign(rows * across, ~std::uint64_t{0});
  any = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::uint64_t* const out = positions.data() + r * across;
    out[0] &= ~std::uint64_t{0} << (clause.left % 64);
    out[across - 1] &= ~std::uint64_t{0} >> (63 - clause.right % 64);
    for (std::uint32_t l = 0; l < clause.size; ++l) {
      const auto [word, shift] = clause.literals[l];
      const std::uint64_t* const from = words_.data() + word + (clause.top + r) * stride + first + shift / 64;
      for (std::size_t k = 0; k < across; ++k) {
        // Bits that come from the next row belong to positions right of the rectangle.
        out[k] &= from[k] >> (shift % 64) | from[k + 1] << 1 << (63 - shift % 64);
      }
    }
    for (std::size_t k = 0; k < across; ++k) any |= out[k];
  }
  return across;
}

}  // namespace falsum
