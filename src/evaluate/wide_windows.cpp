#include "evaluate/wide_windows.h"

#include <algorithm>

namespace falsum {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{1} << 20;

const PixelJoin& join_of(std::size_t table) { return kPixelJoins[table - 2]; }

/// The pixels of one channel that a clause wants off, or on: what joins cover is no longer open.
class Pixels {
 public:
  explicit Pixels(const PatchShape& shape)
      : rows_(static_cast<std::ptrdiff_t>(shape.rows)),
        columns_(static_cast<std::ptrdiff_t>(shape.columns)),
        wanted_(shape.rows * shape.columns) {}

  struct Place {
    std::ptrdiff_t row, column;
  };
  static Place moved(Place p, const PixelJoin& pair, std::ptrdiff_t times) {
    return {p.row + times * static_cast<std::ptrdiff_t>(pair.down), p.column + times * pair.right};
  }
  void add(Place p) {
    wanted_[at(p)] = kOpen;
    open_.push_back(p);
  }
  bool is_wanted(Place p) const { return is_inside(p) && wanted_[at(p)] != 0; }
  bool is_open(Place p) const { return is_inside(p) && wanted_[at(p)] == kOpen; }
  void cover(Place p) { wanted_[at(p)] = kCovered; }
  /// Those that are open, in the order in which they were added.
  const std::vector<Place>& open() {
    std::erase_if(open_, [&](Place p) { return wanted_[at(p)] != kOpen; });
    return open_;
  }

 private:
  bool is_inside(Place p) const { return p.row >= 0 && p.row < rows_ && p.column >= 0 && p.column < columns_; }
  std::size_t at(Place p) const { return static_cast<std::size_t>(p.row * columns_ + p.column); }

  static constexpr std::uint8_t kOpen = 1, kCovered = 2;
  std::ptrdiff_t rows_, columns_;
  std::vector<std::uint8_t> wanted_;
  std::vector<Place> open_;
};

/// The first pixel of a join, and its table.
struct Covered {
  Pixels::Place first;
  std::size_t table;
};

/// A join of four pixels where three are open: two pairs would be two loads.
void join_fours(Pixels& pixels, std::size_t table, std::vector<Covered>& out) {
  const PixelJoin &four = join_of(table), &pair = join_of(four.of);
  const std::vector<Pixels::Place> open = pixels.open();
  for (const Pixels::Place p : open) {
    const Pixels::Place all[] = {p, Pixels::moved(p, pair, 1), Pixels::moved(p, four, 1),
                                 Pixels::moved(Pixels::moved(p, pair, 1), four, 1)};
    if (!std::ranges::all_of(all, [&](Pixels::Place q) { return pixels.is_wanted(q); })) continue;
    if (std::ranges::count_if(all, [&](Pixels::Place q) { return pixels.is_open(q); }) < 3) continue;
    for (const Pixels::Place q : all) pixels.cover(q);
    out.push_back({p, table});
  }
}

/// A pixel goes first that has only one neighbour to be joined with, and takes the neighbour that has the fewest.
void join_pairs(Pixels& pixels, std::size_t single, std::size_t tables, std::vector<Covered>& out) {
  const auto for_each_pair = [&](Pixels::Place p, const auto& found) {
    for (std::size_t t = 2; t < tables; ++t) {
      if (join_of(t).of != single) continue;
      for (const std::ptrdiff_t times : {1, -1}) {
        const Pixels::Place other = Pixels::moved(p, join_of(t), times);
        if (pixels.is_open(other)) found(other, Covered{times == 1 ? p : other, t});
      }
    }
  };
  const auto partners = [&](Pixels::Place p) {
    std::size_t count = 0;
    for_each_pair(p, [&](Pixels::Place, const Covered&) { ++count; });
    return count;
  };
  std::vector<Pixels::Place> with_one;
  const auto note = [&](Pixels::Place p) {
    if (partners(p) == 1) with_one.push_back(p);
  };
  const auto join = [&](Pixels::Place p) {
    if (!pixels.is_open(p)) return;
    std::size_t least = ~std::size_t{0};
    Pixels::Place second = {};
    Covered joined = {};
    for_each_pair(p, [&](Pixels::Place other, const Covered& pair) {
      const std::size_t count = partners(other);
      if (count >= least) return;
      least = count;
      second = other;
      joined = pair;
    });
    if (least == ~std::size_t{0}) return;
    out.push_back(joined);
    for (const Pixels::Place q : {p, second}) pixels.cover(q);
    for (const Pixels::Place q : {p, second}) for_each_pair(q, [&](Pixels::Place r, const Covered&) { note(r); });
  };
  const std::vector<Pixels::Place> open = pixels.open();
  for (const Pixels::Place p : open) note(p);
  for (const Pixels::Place p : open) {
    while (!with_one.empty()) {
      const Pixels::Place q = with_one.back();
      with_one.pop_back();
      join(q);
    }
    join(p);
  }
}

}  // namespace

bool PixelLiteral::negated() const {
  std::size_t single = table;
  while (single >= 2) single = join_of(single).of;
  return single == 1;
}
std::size_t PixelLiteral::pixels() const {
  std::size_t count = 1;
  for (std::size_t single = table; single >= 2; single = join_of(single).of) count *= 2;
  return count;
}

std::vector<PixelLiteral> joined_pixels(const PatchShape& shape, std::span<const std::uint32_t> literals,
                                        std::size_t tables) {
  const std::size_t features = shape.features(), positions = shape.position_features();
  std::vector<PixelLiteral> joined;
  std::vector<Covered> covered;
  for (const bool negated : {true, false}) {
    const std::size_t single = negated ? 1 : 0;
    for (std::size_t z = 0; z < shape.channels; ++z) {
      Pixels pixels(shape);
      for (const std::uint32_t literal : literals) {
        if ((literal >= features) != negated || literal % features < positions) continue;
        const std::size_t bit = literal % features - positions, place = bit / shape.channels;
        if (bit % shape.channels != z) continue;
        pixels.add(
            {static_cast<std::ptrdiff_t>(place / shape.columns), static_cast<std::ptrdiff_t>(place % shape.columns)});
      }
      covered.clear();
      for (std::size_t t = 2; t < tables; ++t) {
        if (join_of(t).of >= 2 && join_of(join_of(t).of).of == single) join_fours(pixels, t, covered);
      }
      join_pairs(pixels, single, tables, covered);
      for (const Pixels::Place p : pixels.open()) covered.push_back({p, single});
      for (const auto& [first, table] : covered) {
        joined.push_back({static_cast<std::size_t>(first.row), static_cast<std::size_t>(first.column), z, table});
      }
    }
  }
  return joined;
}

WideTable::WideTable(const WindowLayout& layout, std::size_t tables, std::size_t words, const Kernels& kernels)
    : layout_(layout),
      kernels_(kernels),
      tables_(tables),
      words_(words),
      some_(layout),
      table_(tables * words_ * layout.table_words()) {}

std::size_t WideTable::tables(const WindowLayout& layout, const Kernels& kernels) {
  const std::size_t bytes = 8 * kernels.position_words * layout.table_words();
  return std::clamp(kCacheBytes / bytes, kLeastPixelTables, kMostPixelTables);
}

std::uint32_t WideTable::offset(const WindowLayout& layout, const PixelLiteral& literal) {
  const PatchShape& shape = layout.shape();
  const std::size_t pixel = (literal.row * shape.image_columns + literal.column) * shape.channels + literal.channel;
  return static_cast<std::uint32_t>(literal.table * layout.table_words()) + layout.word_of(pixel);
}

void WideTable::join(std::size_t table) {
  const PatchShape& shape = layout_.shape();
  const PixelJoin& pair = join_of(table);
  const std::size_t words = words_ * layout_.table_words();
  const std::uint64_t* const of = table_.data() + pair.of * words;
  std::uint64_t* const to = table_.data() + table * words;
  const std::size_t first = pair.right < 0 ? 1 : 0, last = shape.image_columns - (pair.right > 0 ? 1 : 0);
  for (std::size_t y = 0; y + pair.down < shape.image_rows; ++y) {
    for (std::size_t k = (y * shape.image_columns + first) * shape.channels;
         k < (y * shape.image_columns + last) * shape.channels; ++k) {
      const std::ptrdiff_t away = (static_cast<std::ptrdiff_t>(pair.down * shape.image_columns) + pair.right) *
                                  static_cast<std::ptrdiff_t>(shape.channels);
      const std::size_t here = words_ * layout_.word_of(k);
      const std::size_t there =
          words_ * layout_.word_of(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(k) + away));
      for (std::size_t w = 0; w < words_; ++w) to[here + w] = of[here + w] & of[there + w];
    }
  }
}

bool LaneTable::fits(const WindowLayout& layout) {
  const PatchShape& shape = layout.shape();
  return shape.across() <= 32 && shape.down() <= 8 * kMostLaneVectors && layout.words_per_row() == 1 &&
         (kLeastPixelTables * lanes_per_table(layout)) + lanes_per_column(layout) < 65536;
}

std::size_t LaneTable::tables(const WindowLayout& layout) {
  return std::min(kMostPixelTables, (65535 - lanes_per_column(layout)) / lanes_per_table(layout));
}

LaneTable::LaneTable(const WindowLayout& layout)
    : layout_(layout),
      tables_(tables(layout)),
      rows_(layout),
      lanes_(filler(layout) + std::size_t{2} * 8 * kMostLaneVectors + lanes_per_column(layout), ~std::uint32_t{0}) {}

/// Tables of the columns of the patch.
std::uint16_t LaneTable::offset(const WindowLayout& layout, const PixelLiteral& literal) {
  const std::size_t column = literal.column * layout.shape().channels + literal.channel;
  return static_cast<std::uint16_t>(literal.table * lanes_per_table(layout) + column * lanes_per_column(layout) +
                                    layout.row_place(literal.row));
}

std::uint16_t LaneTable::filler(const WindowLayout& layout) {
  return static_cast<std::uint16_t>(tables(layout) * lanes_per_table(layout));
}

void LaneTable::assign(std::span<const std::uint64_t> image) {
  rows_.assign(image);
  const PatchShape& shape = layout_.shape();
  const std::size_t rows = layout_.rows_per_plane(), step = lanes_per_column(layout_), table = lanes_per_table(layout_);
  for (std::size_t x = 0; x < shape.columns; ++x) {
    for (std::size_t z = 0; z < shape.channels; ++z) {
      const std::uint64_t* const here = rows_.plane(x, z);
      const std::size_t shift = x / shape.column_stride;
      std::uint32_t* const to = lanes_.data() + (x * shape.channels + z) * step;
      for (std::size_t r = 0; r < rows; ++r) {
        to[r] = static_cast<std::uint32_t>(here[r] >> shift);
        to[table + r] = ~to[r];
      }
    }
  }
  for (std::size_t t = 2; t < tables_; ++t) join(t);
}

/// Rows of one remainder follow each other, and so do their neighbours.
void LaneTable::join(std::size_t table) {
  const PatchShape& shape = layout_.shape();
  const PixelJoin& pair = join_of(table);
  const std::size_t step = lanes_per_column(layout_), lanes = lanes_per_table(layout_), stride = shape.row_stride;
  const std::size_t first = pair.right < 0 ? shape.channels : 0,
                    last = (shape.columns - (pair.right > 0 ? 1 : 0)) * shape.channels;
  for (std::size_t column = first; column < last; ++column) {
    const std::size_t next = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(column) +
                                                      pair.right * static_cast<std::ptrdiff_t>(shape.channels));
    for (std::size_t y = 0; y < stride && y + pair.down < shape.image_rows; ++y) {
      const std::size_t rows = (shape.image_rows - y - pair.down + stride - 1) / stride;
      const std::uint32_t* const of = lanes_.data() + pair.of * lanes;
      const std::uint32_t* const here = of + column * step + layout_.row_place(y);
      const std::uint32_t* const there = of + next * step + layout_.row_place(y + pair.down);
      std::uint32_t* const to = lanes_.data() + table * lanes + column * step + layout_.row_place(y);
      for (std::size_t r = 0; r < rows; ++r) to[r] = here[r] & there[r];
    }
  }
}

}  // namespace falsum
