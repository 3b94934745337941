// ByteRowsView: rows of Boolean features, one byte per feature, as NumPy and most programs store them: true where the
// byte is not 0. Does not own the memory. Predictors pack the rows block by block, which costs little more than reading
// them.
//
//   row r:  bytes[r * stride .. r * stride + columns)     (stride may be negative, or 0: the same row again)
#pragma once

#include <cstddef>
#include <cstdint>

namespace falsum {

struct ByteRowsView {
  const std::uint8_t* bytes = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t stride = 0;

  /// Rows first .. first + count - 1.
  ByteRowsView part(std::size_t first, std::size_t count) const {
    return {bytes + static_cast<std::ptrdiff_t>(first) * stride, count, columns, stride};
  }
};

}  // namespace falsum
