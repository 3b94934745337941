// One round of AES (FIPS 197) as the processors' instruction has it: SubBytes, ShiftRows, MixColumns, then XOR with the
// round key. The plain version, and the tables of processors without the instruction. Draws are made of it
// (support/random.h); nothing here is a secret, so that tables may be looked up in any time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace falsum {

/// 16 bytes, the first in the lowest bits of `low`. Bytes 4c .. 4c+3 are column c.
struct AesBlock {
  std::uint64_t low, high;
  friend constexpr bool operator==(const AesBlock&, const AesBlock&) = default;
};

using AesTables = std::array<std::array<std::uint32_t, 256>, 4>;

/// What byte r of a column, substituted, adds to the mixed column.
consteval AesTables make_aes_tables() {
  const auto twice = [](std::uint32_t x) { return (x << 1 ^ (x >> 7) * 0x11b) & 0xff; };
  AesTables tables{};
  std::uint32_t p = 1, q = 1;  // p runs through all non-zero elements of the field, q is its inverse
  const auto set = [&](std::uint32_t x, std::uint32_t inverse) {
    const auto b = static_cast<std::uint8_t>(inverse);
    const std::uint32_t s =
        std::uint32_t{b} ^ std::rotl(b, 1) ^ std::rotl(b, 2) ^ std::rotl(b, 3) ^ std::rotl(b, 4) ^ 0x63u;
    const std::uint32_t mixed = twice(s) | s << 8 | s << 16 | (twice(s) ^ s) << 24;
    for (int r = 0; r < 4; ++r) tables[static_cast<std::size_t>(r)][x] = std::rotl(mixed, 8 * r);
  };
  set(0, 0);
  do {
    p ^= twice(p);  // times 3
    q ^= q << 1;    // divided by 3
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    set(p, q);
  } while (p != 1);
  return tables;
}
constexpr AesTables kAesTables = make_aes_tables();

#include "support/aes_round_body.h"

}  // namespace falsum
