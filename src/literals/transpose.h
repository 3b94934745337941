// transpose64: a 64 x 64 bit matrix, word r being row r, turned in place so that word c is column c.
#pragma once

#include <cstdint>

namespace falsum {

inline void transpose64(std::uint64_t* m) {
  // Swap ever smaller quadrants: 32 x 32, then 16 x 16 in each, down to single bits.
  std::uint64_t mask = 0x00000000ffffffffu;
  for (unsigned size = 32; size != 0; size /= 2, mask ^= mask << size) {
    for (unsigned r = 0; r < 64; r = (r + size + 1) & ~size) {
      const std::uint64_t swapped = ((m[r] >> size) ^ m[r + size]) & mask;
      m[r] ^= swapped << size;
      m[r + size] ^= swapped;
    }
  }
}

}  // namespace falsum
