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
  table_words_ = channels * height * line + 3;
  const auto table_word = [&](std::size_t y, std::size_t x, std::size_t z) {
    return (z * height + y) * line + x % across * part + x / across;
  };
  // One example: planes of channels and of columns by remainder, rows by remainder; a word and more for each.
  const std::size_t rows = (height + down - 1) / down * down, row_part = rows / down;
  words_per_row_ = words_for(part);
  image_words_ = channels * across * rows * words_per_row_ + 1;
  const auto row_word = [&](std::size_t y, std::size_t x, std::size_t z) {
    return ((z * across + x % across) * rows + y % down * row_part + y / down) * words_per_row_;
  };
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t z = 0; z < channels; ++z) {
        words_.push_back(static_cast<std::uint32_t>(table_word(y, x, z)));
        bits_.push_back(64 * row_word(y, x, z) + x / across);
      }
    }
  }
  for (std::size_t y = 0; y < shape.rows; ++y) {
    for (std::size_t x = 0; x < shape.columns; ++x) {
      for (std::size_t z = 0; z < channels; ++z) {
        offsets_.push_back(static_cast<std::uint32_t>(table_word(y, x, z)));
        shifted_.push_back({static_cast<std::uint32_t>(row_word(y, x, z)), static_cast<std::uint32_t>(x / across)});
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
}

}  // namespace falsum
