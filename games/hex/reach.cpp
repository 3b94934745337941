#include "reach.h"

#include <algorithm>
#include <span>

#include "board.h"

namespace falsum::hex {
namespace {

using Distances = std::span<std::uint8_t>;  // of all cells

/// Cells of the player who connects top and bottom; the others' are seen transposed, the bottom upside down.
class Side {
 public:
  Side(const std::vector<std::uint64_t>& row, std::size_t size, bool others, bool last)
      : row_(row), size_(static_cast<int>(size)), others_(others), last_(last) {}

  std::size_t cell(int down, int across) const {
    if (last_) down = size_ - 1 - down, across = size_ - 1 - across;
    return static_cast<std::size_t>(others_ ? across * size_ + down : down * size_ + across);
  }

  /// By rounds, until nothing comes nearer.
  void find(Distances all) const {
    std::ranges::fill(all, kFar);
    for (bool changed = true; changed;) {
      changed = false;
      for (int down = 0; down < size_; ++down) {
        for (int across = 0; across < size_; ++across) {
          std::uint8_t& mine = all[cell(down, across)];
          if (has(!others_, down, across)) continue;
          const int nearest = nearest_link(all, down, across);
          const int distance = nearest + (has(others_, down, across) ? 0 : 1);
          if (nearest != kFar && distance < mine) mine = static_cast<std::uint8_t>(distance), changed = true;
        }
      }
    }
  }

 private:
  bool inside(int down, int across) const { return down >= 0 && down < size_ && across >= 0 && across < size_; }
  bool has(bool others, int down, int across) const {
    const std::size_t k = cell(down, across) + (others ? static_cast<std::size_t>(size_ * size_) : 0);
    return (row_[k / 64] >> (k % 64)) & 1;
  }
  bool is_empty(int down, int across) const {
    return inside(down, across) && !has(false, down, across) && !has(true, down, across);
  }
  int distance_of(Distances all, int down, int across) const {
    if (down == -1) return 0;  // the edge
    return inside(down, across) ? all[cell(down, across)] : kFar;
  }
  int nearest_link(Distances all, int down, int across) const {
    constexpr int kDown[6] = {-1, -1, 0, 1, 1, 0}, kAcross[6] = {0, 1, 1, 0, -1, -1};  // around the cell
    int nearest = kFar;
    for (int k = 0; k < 6; ++k) {
      const int a = down + kDown[k], b = across + kAcross[k];
      const int c = down + kDown[(k + 1) % 6], d = across + kAcross[(k + 1) % 6];
      nearest = std::min(nearest, distance_of(all, a, b));
      if (is_empty(a, b) && is_empty(c, d)) nearest = std::min(nearest, distance_of(all, a + c - down, b + d - across));
    }
    return nearest;
  }

  const std::vector<std::uint64_t>& row_;
  int size_;
  bool others_, last_;
};

}  // namespace

std::vector<std::uint8_t> edge_distances(const std::vector<std::uint64_t>& row, std::size_t size) {
  const std::size_t cells = size * size;
  std::vector<std::uint8_t> all(4 * cells);
  for (std::size_t side = 0; side < 4; ++side) {
    Side(row, size, side >= 2, side % 2 == 1).find(std::span(all).subspan(side * cells, cells));
  }
  return all;
}

std::vector<std::uint64_t> with_reach(const std::vector<std::uint64_t>& row, std::size_t size, std::size_t steps) {
  std::vector<std::uint64_t> all = row;
  if (steps == 0) return all;
  all.resize((reach_feature_count(size, steps) + 63) / 64);
  const std::size_t cells = size * size;
  const std::vector<std::uint8_t> distances = edge_distances(row, size);
  for (std::size_t k = 0; k < distances.size(); ++k) {
    for (std::size_t step = distances[k]; step < steps; ++step) {
      const std::size_t feature = (2 + k / cells * steps + step) * cells + k % cells;
      all[feature / 64] |= std::uint64_t{1} << (feature % 64);
    }
  }
  return all;
}

}  // namespace falsum::hex
