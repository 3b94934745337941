#include "evaluate/wide_windows.h"

namespace falsum {
namespace {

/// Of pixels that are on, that are off, of pairs that are on, that are off.
std::size_t table_of(const PixelLiteral& literal) { return (literal.pair ? 2 : 0) + (literal.negated ? 1 : 0); }

}  // namespace

std::vector<PixelLiteral> joined_pixels(const PatchShape& shape, std::span<const std::uint32_t> literals) {
  const std::size_t features = shape.features(), positions = shape.position_features();
  std::vector<bool> wanted(2 * features);
  for (const std::uint32_t literal : literals) wanted[literal] = true;
  std::vector<PixelLiteral> joined;
  for (const bool negated : {true, false}) {
    for (std::size_t y = 0; y < shape.rows; ++y) {
      for (std::size_t z = 0; z < shape.channels; ++z) {
        const auto has = [&](std::size_t x) {
          const std::size_t feature = positions + (y * shape.columns + x) * shape.channels + z;
          return x < shape.columns && wanted[feature + (negated ? features : 0)];
        };
        for (std::size_t x = 0; x < shape.columns; ++x) {
          if (!has(x)) continue;
          const bool pair = has(x + 1);
          joined.push_back({y, x, z, negated, pair});
          x += pair;
        }
      }
    }
  }
  return joined;
}

WideTable::WideTable(const WindowLayout& layout, bool has_pairs)
    : layout_(layout), has_pairs_(has_pairs), some_(layout), table_((has_pairs ? 4 : 2) * 4 * layout.table_words()) {}

std::uint32_t WideTable::offset(const WindowLayout& layout, const PixelLiteral& literal) {
  const PatchShape& shape = layout.shape();
  const std::size_t pixel = (literal.row * shape.image_columns + literal.column) * shape.channels + literal.channel;
  return static_cast<std::uint32_t>(table_of(literal) * layout.table_words()) + layout.word_of(pixel);
}

void WideTable::join() {
  const PatchShape& shape = layout_.shape();
  const std::size_t table = 4 * layout_.table_words(), run = shape.image_columns * shape.channels;
  for (std::size_t k = 0; k < shape.image_features(); ++k) {
    if (k % run + shape.channels >= run) continue;  // it has no right neighbour
    const std::size_t here = std::size_t{4} * layout_.word_of(k);
    const std::size_t right = std::size_t{4} * layout_.word_of(k + shape.channels);
    for (std::size_t w = 0; w < 4; ++w) {
      table_[2 * table + here + w] = table_[here + w] & table_[right + w];
      table_[3 * table + here + w] = table_[table + here + w] & table_[table + right + w];
    }
  }
}

bool LaneTable::fits(const WindowLayout& layout) {
  const PatchShape& shape = layout.shape();
  const std::size_t lanes = (4 * shape.columns * shape.channels + 1) * lanes_per_column(layout);
  return shape.across() <= 32 && shape.down() <= 8 * kMostLaneVectors && layout.words_per_row() == 1 && lanes < 65536;
}

LaneTable::LaneTable(const WindowLayout& layout)
    : layout_(layout),
      rows_(layout),
      lanes_(filler(layout) + std::size_t{2} * 8 * kMostLaneVectors + lanes_per_column(layout), ~std::uint32_t{0}) {}

/// Tables of the columns of the patch.
std::uint16_t LaneTable::offset(const WindowLayout& layout, const PixelLiteral& literal) {
  const PatchShape& shape = layout.shape();
  const std::size_t column = (table_of(literal) * shape.columns + literal.column) * shape.channels + literal.channel;
  return static_cast<std::uint16_t>(column * lanes_per_column(layout) + layout.row_place(literal.row));
}

std::uint16_t LaneTable::filler(const WindowLayout& layout) {
  const PatchShape& shape = layout.shape();
  return static_cast<std::uint16_t>(4 * shape.columns * shape.channels * lanes_per_column(layout));
}

void LaneTable::assign(std::span<const std::uint64_t> image) {
  rows_.assign(image);
  const PatchShape& shape = layout_.shape();
  const std::size_t rows = layout_.rows_per_plane(), step = lanes_per_column(layout_);
  const std::size_t table = shape.columns * shape.channels * step;
  const auto plane = [&](std::size_t x, std::size_t z) { return rows_.plane(x, z); };
  for (std::size_t x = 0; x < shape.columns; ++x) {
    for (std::size_t z = 0; z < shape.channels; ++z) {
      const std::uint64_t* const here = plane(x, z);
      const std::uint64_t* const next = plane(x + 1, z);  // not used for the last column
      const std::size_t shift = x / shape.column_stride,
                        next_shift = std::min<std::size_t>(63, (x + 1) / shape.column_stride);
      std::uint32_t* const to = lanes_.data() + (x * shape.channels + z) * step;
      for (std::size_t r = 0; r < rows; ++r) {
        const auto on = static_cast<std::uint32_t>(here[r] >> shift),
                   beside = static_cast<std::uint32_t>(next[r] >> next_shift);
        to[r] = on;
        to[table + r] = ~on;
        to[2 * table + r] = on & beside;
        to[3 * table + r] = ~(on | beside);
      }
    }
  }
}

}  // namespace falsum
