// Random numbers: counter-based, so a draw is a pure function of *what it is for*, never of what was drawn
// before it. That is why engines, kernel sets and thread counts agree bit for bit.
//
//   seed -> class key -> use key (class, n-th update of the class) -> event key (.., clause)
//           |            |                                           |
//           |            +- select: which clauses get feedback       +- one event of feedback on one clause
//           +- order and negatives are keyed by (seed, epoch)
//
// A DrawKey names a table of 2^32 words of 32 bits; draw32(key, i) is word i. A kernel that works on
// 4, 8 or 16 words at a time computes just those words, so any lane width draws the same bits.
// The finaliser is C. Wellons' "lowbias32" with a second key word mixed in between its multiplications;
// mix64 is the finaliser of splitmix64 (Steele, Lea, Flood 2014). tests/support/random_test.cpp measures both.
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
  std::uint32_t a, b;
};
constexpr DrawKey draw_key(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

constexpr std::uint32_t draw32(DrawKey key, std::uint32_t index) {
  std::uint32_t x = index + key.a;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= key.b;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
/// Byte i of the table that begins at word `first`, little-endian: four draws from one word.
constexpr std::uint8_t draw8(DrawKey key, std::uint32_t i, std::uint32_t first = 0) {
  return static_cast<std::uint8_t>(draw32(key, first + i / 4) >> (8 * (i % 4)));
}
/// Half-word i of the table: two draws from one word.
constexpr std::uint16_t draw16(DrawKey key, std::uint32_t index) {
  return static_cast<std::uint16_t>(draw32(key, index / 2) >> (16 * (index % 2)));
}

// Where in an event's table each kind of draw is found. Literals stay below 2^30, so none overlap.
constexpr std::uint32_t kDenseDraws = 0;            // draw8: one byte per literal, in a dense pass
constexpr std::uint32_t kRewardDraws = 0x40000000;  // draw8 from this *word* on: Type Ia without boosting
constexpr std::uint32_t kForgetDraws = 0x80000000;  // draw32: one word per included literal, in Type Ib
constexpr std::uint32_t kDitherDraw = 0xffffffff;   // draw32: the dither shared by one pass

// Children of the seed, and of a class key.
enum class Purpose : std::uint64_t { kOrder = 0, kNegatives = 1, kClasses = 2 };
constexpr std::uint64_t purpose_key(std::uint64_t seed, Purpose purpose) {
  return child(mix64(seed ^ 0x66616c73756dULL), static_cast<std::uint64_t>(purpose));  // "falsum"
}
constexpr std::uint64_t class_key(std::uint64_t seed, std::uint64_t class_id) {
  return child(purpose_key(seed, Purpose::kClasses), class_id);
}
constexpr std::uint64_t use_key(std::uint64_t class_key, std::uint64_t use) { return child(class_key, use); }
constexpr DrawKey select_key(std::uint64_t use_key) { return draw_key(mix64(use_key)); }
constexpr DrawKey event_key(std::uint64_t use_key, std::uint32_t clause) { return draw_key(child(use_key, clause)); }

/// The upper 64 bits of the 128-bit product.
constexpr std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t xl = x & 0xffffffffu, xh = x >> 32, yl = y & 0xffffffffu, yh = y >> 32;
  const std::uint64_t mid = xh * yl + ((xl * yl) >> 32);
  return xh * yh + (mid >> 32) + (((mid & 0xffffffffu) + xl * yh) >> 32);
}
/// Uniform in 0 .. n-1 from 64 random bits; the bias is below n / 2^64.
constexpr std::uint64_t bounded(std::uint64_t bits, std::uint64_t n) { return multiply_high(bits, n); }

}  // namespace falsum
