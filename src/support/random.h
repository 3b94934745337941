// Random numbers: counter-based, so a draw is a pure function of *its purpose*, never of earlier draws. Therefore
// engines, kernel sets and thread counts agree bit for bit.
//
//   seed -> class key -> use key (class, n-th update of the class) -> event key (.., clause)
//           |            |                                           |
//           |            +- select: which clauses get feedback       +- one event of feedback on one clause
//           +- order and negatives are keyed by (seed, epoch)
//
// A DrawKey names a table of 2^32 draws of 16 bits; draw16(key, i) is draw i. A kernel that works on 8, 16 or 32 of
// them at a time computes just those, so any lane width draws the same bits. Vectors multiply 16-bit numbers fastest: a
// draw is two multiplications by odd numbers of the key, with shifts between. For a given i it is a permutation of the
// key's first number, so every single draw is exactly uniform. A probability finer than 2^-16 is rounded up or down by
// a dither, so that its mean is exact. mix64 is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
// tests/support/random_test.cpp measures both.
#pragma once

#include <cstdint>

namespace falsum {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The i-th child of a key; children of different keys, and different children of one key, are unrelated.
constexpr std::uint64_t child(std::uint64_t key, std::uint64_t i) { return mix64(key + kGolden * (i + 1)); }

struct DrawKey {
  std::uint16_t add, times, mix, again;
};
constexpr DrawKey draw_key(std::uint64_t key) {
  return {static_cast<std::uint16_t>(key), static_cast<std::uint16_t>((key >> 16) | 1),
          static_cast<std::uint16_t>(key >> 32), static_cast<std::uint16_t>((key >> 48) | 1)};
}
constexpr std::uint32_t kUpperHalf = 0x9e37;  // spreads the upper 16 bits of an index over a draw

constexpr std::uint16_t draw16(DrawKey key, std::uint32_t i) {
  std::uint32_t x = (i + key.add) & 0xffff;
  x ^= x >> 8;
  x = (x * key.times) & 0xffff;
  x ^= (x >> 7) ^ key.mix ^ (((i >> 16) * kUpperHalf) & 0xffff);
  x = (x * key.again) & 0xffff;
  return static_cast<std::uint16_t>(x ^ (x >> 8));
}
/// Byte i of the table: two from one draw.
constexpr std::uint8_t draw8(DrawKey key, std::uint32_t i) {
  return static_cast<std::uint8_t>(draw16(key, i / 2) >> (8 * (i % 2)));
}

/// One draw for two positions: its bytes in order for the odd position, swapped for the even one. Each is as uniform as
/// a draw16. The forgetting of two neighbours is slightly correlated, by less than 0.008, or s / 60,000 for s beyond
/// 256.
constexpr std::uint32_t pair_draw(DrawKey key, std::uint32_t place) {
  return std::uint32_t{draw8(key, place)} << 8 | draw8(key, place ^ 1);
}

// The registry of keys. A number is never reused for another purpose and never changes: that would change every
// machine.
//
//   children of the seed (Purpose)   0 order  1 negative classes  2 classes
//                                    reserved: 3 dropped clauses  4 dropped literals  5 first weights
//                                    6 synthesised examples  7 negatives chosen late
//   children of a use key            a clause's number: its event;  2^32: the dithers of the use
//   children of an event key         0 dense pass  1 reward  2 dither of the dense pass
//                                    reserved: 3 patch  4 weight  5 Type III
enum class Purpose : std::uint64_t { kOrder = 0, kNegatives = 1, kClasses = 2 };
constexpr std::uint64_t purpose_key(std::uint64_t seed, Purpose purpose) {
  return child(mix64(seed ^ 0x66616c73756dULL), static_cast<std::uint64_t>(purpose));  // "falsum"
}
constexpr std::uint64_t class_key(std::uint64_t seed, std::uint64_t class_id) {
  return child(purpose_key(seed, Purpose::kClasses), class_id);
}
constexpr std::uint64_t use_key(std::uint64_t class_key, std::uint64_t use) { return child(class_key, use); }
constexpr DrawKey select_key(std::uint64_t use_key) { return draw_key(mix64(use_key)); }
/// Shared by one use: the lower half for the selection of clauses, the upper for Type Ib. Clauses stay below 2^32.
constexpr std::uint64_t use_dithers(std::uint64_t use_key) { return child(use_key, std::uint64_t{1} << 32); }
constexpr std::uint64_t event_key(std::uint64_t use_key, std::uint32_t clause) { return child(use_key, clause); }

// The tables of one event.
constexpr DrawKey forget_key(std::uint64_t event) { return draw_key(event); }            // pair_draw: Type Ib, by place
constexpr DrawKey dense_key(std::uint64_t event) { return draw_key(child(event, 0)); }   // draw8: a dense pass
constexpr DrawKey reward_key(std::uint64_t event) { return draw_key(child(event, 1)); }  // draw8: Type Ia, not boosted
constexpr std::uint64_t dense_dither(std::uint64_t event) { return child(event, 2); }

/// The upper 64 bits of the 128-bit product.
constexpr std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t xl = x & 0xffffffffu, xh = x >> 32, yl = y & 0xffffffffu, yh = y >> 32;
  const std::uint64_t mid = xh * yl + ((xl * yl) >> 32);
  return xh * yh + (mid >> 32) + (((mid & 0xffffffffu) + xl * yh) >> 32);
}
/// Uniform in 0 .. n-1 from 64 random bits; the bias is below n / 2^64.
constexpr std::uint64_t bounded(std::uint64_t bits, std::uint64_t n) { return multiply_high(bits, n); }

}  // namespace falsum
