#include "literals/patch_row.h"

#include <algorithm>

namespace falsum {
namespace {

/// Up to 64 bits from this position of a bit string, which has them.
std::uint64_t bits_at(std::span<const std::uint64_t> words, std::size_t position, std::size_t count) {
  const std::size_t w = position / 64, shift = position % 64;
  std::uint64_t bits = words[w] >> shift;
  if (shift + count > 64) bits |= words[w + 1] << (64 - shift);
  return count == 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
}

/// Writes bits where there are zeros.
void put_bits(std::span<std::uint64_t> words, std::size_t position, std::size_t count, std::uint64_t bits) {
  const std::size_t w = position / 64, shift = position % 64;
  words[w] |= bits << shift;
  if (shift + count > 64) words[w + 1] |= bits >> (64 - shift);
}

template <class Bits>
void put_run(std::span<std::uint64_t> words, std::size_t position, std::size_t count, const Bits& bits) {
  for (std::size_t done = 0; done < count; done += 64) {
    const std::size_t some = std::min<std::size_t>(64, count - done);
    put_bits(words, position + done, some, bits(done, some));
  }
}

}  // namespace

const LiteralRow& PatchRow::of(std::span<const std::uint64_t> image, std::size_t patch) {
  std::fill(features_.begin(), features_.end(), 0);
  const std::size_t row = patch / shape_.across(), column = patch % shape_.across();
  const auto ones = [](std::size_t, std::size_t some) { return ~std::uint64_t{0} >> (64 - some); };
  put_run(features_, 0, row, ones);
  put_run(features_, shape_.down() - 1, column, ones);
  const std::size_t run = shape_.columns * shape_.channels;  // neighbours in the image and in the patch
  for (std::size_t r = 0; r < shape_.rows; ++r) {
    const std::size_t pixel = (row * shape_.row_stride + r) * shape_.image_columns + column * shape_.column_stride;
    const std::size_t first = pixel * shape_.channels;
    put_run(features_, shape_.position_features() + r * run, run,
            [&](std::size_t done, std::size_t some) { return bits_at(image, first + done, some); });
  }
  row_.assign(features_);
  return row_;
}

}  // namespace falsum
