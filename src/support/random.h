// Random numbers: counter-based, so a draw is a pure function of *its purpose*, never of earlier draws. Therefore
// engines, kernel sets and thread counts agree bit for bit.
//
//   seed -> learner key -> use key (learner, its n-th use) -> event key (.., clause)
//           |              |                                  |
//           |              +- select: which clauses           +- one event of feedback on one clause
//           +- order and negatives are keyed by (seed, epoch)
//
// A DrawKey names a table of random bytes; draw8(key, i) is byte i, draw16(key, i) the bytes 2i and 2i + 1. Sixteen
// bytes make a block: two rounds of AES (FIPS 197) on a Weyl sequence that starts at the key.
//
//   base = (key, key rotated by 32 bits ^ constant)           two 64-bit words
//   block i = round(round(base + i * (odd, odd), constant), base)
//
// A kernel computes the blocks that it needs, so any lane width draws the same bytes: with instructions for AES rounds
// where the processor has them, else with tables (support/aes.h). Two rounds are not a cipher, but they are clean
// random numbers: a plain counter instead of the Weyl sequence would need three. tests/support/random_test.cpp measures
// it; docs/kernels.md has the figures. A probability finer than 2^-8 or 2^-16 is rounded up or down by a dither, so
// that its mean is exact. mix64 is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
#pragma once

#include <bit>
#include <cstdint>

#include "support/aes.h"

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
  std::uint64_t word;
};

// The constants of the draws: nothing-up-my-sleeve numbers (digits of pi), and the steps of the Weyl sequence.
constexpr AesBlock kDrawStep = {0xbf58476d1ce4e5b9u, kGolden};
constexpr AesBlock kDrawRound = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
constexpr std::uint64_t kDrawUpper = 0x452821e638d01377u;

constexpr AesBlock draw_base(DrawKey key) { return {key.word, std::rotl(key.word, 32) ^ kDrawUpper}; }
constexpr AesBlock draw_block(DrawKey key, std::uint64_t i) {
  const AesBlock base = draw_base(key), start = {base.low + i * kDrawStep.low, base.high + i * kDrawStep.high};
  return aes_round(aes_round(start, kDrawRound), base);
}
constexpr std::uint8_t draw8(DrawKey key, std::uint32_t i) {
  const AesBlock block = draw_block(key, i / 16);
  return static_cast<std::uint8_t>((i % 16 < 8 ? block.low : block.high) >> (i % 8 * 8));
}
constexpr std::uint16_t draw16(DrawKey key, std::uint32_t i) {
  const AesBlock block = draw_block(key, i / 8);
  return static_cast<std::uint16_t>((i % 8 < 4 ? block.low : block.high) >> (i % 4 * 16));
}

// The registry of keys. A number is never reused for another purpose and never changes: that would change every
// machine.
//
//   children of the seed (Purpose)   0 order  1 negatives  2 learners (classes, where each has a bank of its own)
//                                    3 dropped clauses  4 dropped literals  5 first weights
//                                    6 reserved: synthesised examples  7 negatives chosen late  8 rows held out of
//                                    learning  9 uses of rows that have weights
//   of 0, 1, 3, 4, 7                 children: epochs (of 7: uses); then positions, or learners and their clauses or
//                                    literals. Of a learner under 4: 2^32: what settles at the end of the epoch
//   of 9                             children: rows, counted without those of weight 0
//   of 5                             children: outputs; draw8: clauses
//   children of a use key            1 ..: the keys of its second, third, ... step  2^32: the dithers of the use
//   a use key plus multiples         of kClauseStep: the events of its clauses, by number
//   an event key plus                0 Type Ib  kDenseStep dense pass  kRewardStep reward
//   children of an event key         2 dither of the dense pass  3 patch, of the first step's event: all steps of a
//                                    use learn the same patch of a clause
//                                    reserved: 4 weight  5 Type III
//                                    6 Type Ib of a fuzzy clause; its children: repetitions, two features each
//
// Events are many and short, so the keys of their draws are only added: the rounds of AES mix them. Two different sums
// are never equal within a use (tests/support/random_test.cpp).
enum class Purpose : std::uint64_t {
  kOrder = 0,
  kNegatives = 1,
  kLearners = 2,
  kDroppedClauses = 3,
  kDroppedLiterals = 4,
  kFirstWeights = 5,
  kLateNegatives = 7,
  kHeldOut = 8,
  kUsesOfRows = 9,
};
constexpr std::uint64_t purpose_key(std::uint64_t seed, Purpose purpose) {
  return child(mix64(seed ^ 0x66616c73756dULL), static_cast<std::uint64_t>(purpose));  // "falsum"
}
constexpr std::uint64_t learner_key(std::uint64_t seed, std::uint64_t learner) {
  return child(purpose_key(seed, Purpose::kLearners), learner);
}
constexpr std::uint64_t use_key(std::uint64_t learner_key, std::uint64_t use) { return child(learner_key, use); }
/// Every step of a use has its own key, also when an earlier one gives no feedback.
constexpr std::uint64_t step_key(std::uint64_t use_key, std::uint64_t step) {
  return step == 0 ? use_key : child(use_key, step);
}
/// True with probability p (0 .. 1), from 64 random bits.
constexpr bool happens(std::uint64_t bits, double p) { return static_cast<double>(bits >> 32) < p * 4294967296.0; }
constexpr DrawKey select_key(std::uint64_t use_key) { return {mix64(use_key)}; }  // draw16: clauses, by slot
/// Shared by one use, for the selection of clauses. Clauses stay below 2^32.
constexpr std::uint64_t use_dithers(std::uint64_t use_key) { return child(use_key, std::uint64_t{1} << 32); }

constexpr std::uint64_t kClauseStep = 0xd1342543de82ef95u, kDenseStep = 0xa4093822299f31d1u,
                        kRewardStep = 0x082efa98ec4e6c89u;
constexpr std::uint64_t event_key(std::uint64_t use_key, std::uint32_t clause) {
  return use_key + clause * kClauseStep;
}
constexpr DrawKey forget_key(std::uint64_t event) { return {event}; }                // draw8: Type Ib, by position
constexpr DrawKey dense_key(std::uint64_t event) { return {event + kDenseStep}; }    // draw8: a dense pass, by literal
constexpr DrawKey reward_key(std::uint64_t event) { return {event + kRewardStep}; }  // draw8: Type Ia, not boosted
/// 24 bits. A product alone is enough: over the clauses of a use it is a Weyl sequence, so evenly spread.
constexpr std::uint32_t forget_dither(std::uint64_t event) {
  return static_cast<std::uint32_t>((event * kGolden) >> 40);
}
constexpr std::uint64_t patch_bits(std::uint64_t event) { return child(event, 3); }
constexpr std::uint64_t dense_dither(std::uint64_t event) { return child(event, 2); }
constexpr std::uint64_t fuzzy_forget_key(std::uint64_t event) { return child(event, 6); }

/// The upper 64 bits of the 128-bit product.
constexpr std::uint64_t multiply_high(std::uint64_t x, std::uint64_t y) {
  const std::uint64_t xl = x & 0xffffffffu, xh = x >> 32, yl = y & 0xffffffffu, yh = y >> 32;
  const std::uint64_t mid = xh * yl + ((xl * yl) >> 32);
  return xh * yh + (mid >> 32) + (((mid & 0xffffffffu) + xl * yh) >> 32);
}
/// Uniform in 0 .. n-1 from 64 random bits; the bias is below n / 2^64.
constexpr std::uint64_t bounded(std::uint64_t bits, std::uint64_t n) { return multiply_high(bits, n); }

}  // namespace falsum
