#include "falsum/hold_out.h"

#include <algorithm>
#include <cmath>

#include "falsum/error.h"
#include "support/format.h"
#include "support/random.h"

namespace falsum {

std::vector<bool> held_out_rows(std::span<const std::uint32_t> labels, double share, std::uint64_t seed) {
  if (!(share > 0 && share < 1)) {
    throw ConfigError(fmt::format("the share of rows held out must be more than 0 and less than 1, got {}", share));
  }
  struct Row {
    std::uint32_t label;
    std::uint64_t draw, row;
    auto operator<=>(const Row&) const = default;
  };
  const std::uint64_t key = purpose_key(seed, Purpose::kHeldOut);
  std::vector<Row> rows;
  rows.reserve(labels.size());
  for (std::size_t r = 0; r < labels.size(); ++r) rows.push_back({labels[r], child(key, r), r});
  std::sort(rows.begin(), rows.end());

  std::vector<bool> held(labels.size());
  std::size_t all_held = 0, most = 0, largest = 0;  // the number of rows of the largest class, and its first row
  for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
    while (end < rows.size() && rows[end].label == rows[first].label) ++end;
    const std::size_t count = end - first;
    const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(count)));
    const std::size_t taken = std::min(wanted, count - 1);
    for (std::size_t i = first; i < first + taken; ++i) held[rows[i].row] = true;
    all_held += taken;
    if (count > most) {
      most = count;
      largest = first;
    }
  }
  if (all_held > 0) return held;
  if (most < 2) throw DataError("holding rows out needs a class with at least 2 rows, to keep one to learn from");
  held[rows[largest].row] = true;
  return held;
}

}  // namespace falsum
