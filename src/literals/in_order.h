// For whoever visits rows from the first to the last: rows of a file larger than the memory are asked for some rows
// ahead (Rows::will_need), as learning does in its own order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "falsum/rows.h"

namespace falsum {

inline constexpr std::size_t kRowsAhead = 256;

/// Asks for the next rows where `r`, the row that is visited now, begins a block.
inline void will_need_next(const Rows& rows, std::size_t r) {
  const std::size_t first = r + kRowsAhead;
  if (r % kRowsAhead != 0 || first >= rows.rows()) return;
  std::uint32_t next[kRowsAhead];
  std::iota(next, next + kRowsAhead, static_cast<std::uint32_t>(first));
  rows.will_need({next, std::min(kRowsAhead, rows.rows() - first)});
}

}  // namespace falsum
