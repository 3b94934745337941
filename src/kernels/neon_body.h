// NEON on AArch64: 64 lanes are four 16-byte vectors. Included inside the anonymous namespaces of the sets with NEON,
// which differ in their draws.

/// One bit per byte of four vectors of 0 or 255: keeps a different bit in each byte of eight, then adds neighbours.
std::uint64_t bits_of(const uint8x16_t (&bytes)[4]) {
  const uint8x16_t weights = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  const uint8x16_t low = vpaddq_u8(vandq_u8(bytes[0], weights), vandq_u8(bytes[1], weights));
  const uint8x16_t high = vpaddq_u8(vandq_u8(bytes[2], weights), vandq_u8(bytes[3], weights));
  const uint8x16_t sums = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

constexpr std::size_t kLinesAtOnce = 4;  // vectors of 512 bits that a loop keeps in registers

struct Mask {
  uint8x16_t quarter[4];  // bytes of 0 or 255
  static Mask from_bits(std::uint64_t bits) {
    // Byte i of the result sees the byte of `bits` that holds bit i, then only that bit.
    const uint8x16_t all = vreinterpretq_u8_u64(vdupq_n_u64(bits));
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
    const uint8x16_t from = vcombine_u8(vdup_n_u8(0), vdup_n_u8(1));
    Mask m;
    for (std::uint8_t q = 0; q < 4; ++q) {
      const auto first = static_cast<std::uint8_t>(2 * q);
      m.quarter[q] = vtstq_u8(vqtbl1q_u8(all, vaddq_u8(from, vdupq_n_u8(first))), bit);
    }
    return m;
  }
};
Mask both(Mask a, const Mask& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vandq_u8(a.quarter[q], b.quarter[q]);
  return a;
}

std::uint64_t bits_of(const Mask& m) { return bits_of(m.quarter); }

uint16x8_t spread(std::uint32_t x) { return vdupq_n_u16(static_cast<std::uint16_t>(x)); }

struct Lanes {
  uint8x16_t quarter[4];

  static Lanes load(const std::uint8_t* p) {
    return {{vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48)}};
  }
  void store(std::uint8_t* p) const {
    for (int q = 0; q < 4; ++q) vst1q_u8(p + 16 * q, quarter[q]);
  }
  static Lanes broadcast(std::uint8_t x) {
    const uint8x16_t v = vdupq_n_u8(x);
    return {{v, v, v, v}};
  }
  std::uint64_t top_bits() const {
    uint8x16_t on[4];
    for (int q = 0; q < 4; ++q) on[q] = vcltzq_s8(vreinterpretq_s8_u8(quarter[q]));
    return bits_of(on);
  }
  std::uint64_t nonzero() const {
    uint8x16_t on[4];
    for (int q = 0; q < 4; ++q) on[q] = vtstq_u8(quarter[q], quarter[q]);
    return bits_of(on);
  }
  Mask cold() const {
    Mask m;
    for (int q = 0; q < 4; ++q) m.quarter[q] = vcgezq_s8(vreinterpretq_s8_u8(quarter[q]));
    return m;
  }
};

std::uint64_t risen(const Lanes& before, const Lanes& after) {
  Lanes v;
  for (int q = 0; q < 4; ++q) v.quarter[q] = vbicq_u8(after.quarter[q], before.quarter[q]);
  return v.top_bits();
}
Lanes subtract_where(Lanes a, const Mask& m, const Lanes& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vqsubq_u8(a.quarter[q], vandq_u8(m.quarter[q], b.quarter[q]));
  return a;
}
Lanes add_where(Lanes a, const Mask& m, const Lanes& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vqaddq_u8(a.quarter[q], vandq_u8(m.quarter[q], b.quarter[q]));
  return a;
}
Lanes add_unless(Lanes a, const Mask& m, const Lanes& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vqaddq_u8(a.quarter[q], vbicq_u8(b.quarter[q], m.quarter[q]));
  return a;
}
Lanes plus(Lanes a, const Lanes& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vaddq_u8(a.quarter[q], b.quarter[q]);
  return a;
}
Lanes most(Lanes a, const Lanes& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vmaxq_u8(a.quarter[q], b.quarter[q]);
  return a;
}
Mask at_least(const Lanes& a, const Lanes& b) {
  Mask m;
  for (int q = 0; q < 4; ++q) m.quarter[q] = vcgeq_u8(a.quarter[q], b.quarter[q]);
  return m;
}
Lanes count_down(Lanes a, const Mask& m) {  // 255 is -1
  for (int q = 0; q < 4; ++q) a.quarter[q] = vaddq_u8(a.quarter[q], m.quarter[q]);
  return a;
}
Lanes select(const Mask& m, const Lanes& yes, const Lanes& no) {
  Lanes v;
  for (int q = 0; q < 4; ++q) v.quarter[q] = vbslq_u8(m.quarter[q], yes.quarter[q], no.quarter[q]);
  return v;
}

/// Two masks of 16-bit lanes as one mask of bytes, in order.
uint8x16_t narrow(uint16x8_t a, uint16x8_t b) { return vuzp1q_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b)); }

/// Which of 64 16-bit numbers, 32 in each, are below this.
std::uint64_t below(const Lanes& first, const Lanes& second, std::uint16_t threshold) {
  const auto below = [&](uint8x16_t draw) { return vcltq_u16(vreinterpretq_u16_u8(draw), spread(threshold)); };
  const auto pair = [&](const Lanes& v, int q) { return narrow(below(v.quarter[q]), below(v.quarter[q + 1])); };
  return bits_of({pair(first, 0), pair(first, 2), pair(second, 0), pair(second, 2)});
}

void gather_bits(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out) {
  const uint64x2_t one = vdupq_n_u64(std::uint64_t{1} << bit);
  const auto four = [&](const std::uint64_t* p) {
    return vuzp1q_u32(vreinterpretq_u32_u64(vtstq_u64(vld1q_u64(p), one)),
                      vreinterpretq_u32_u64(vtstq_u64(vld1q_u64(p + 2), one)));
  };
  const auto eight = [&](const std::uint64_t* p) {
    return vuzp1q_u16(vreinterpretq_u16_u32(four(p)), vreinterpretq_u16_u32(four(p + 4)));
  };
  for (std::size_t w = 0; w < words; ++w, columns += 64) {
    uint8x16_t bytes[4];
    for (std::size_t q = 0; q < 4; ++q) bytes[q] = narrow(eight(columns + 16 * q), eight(columns + 16 * q + 8));
    out[w] = bits_of(bytes);
  }
}

std::int32_t sum_where(const std::int32_t* values, const std::uint64_t* bits, std::size_t words) {
  const uint32x4_t bit_of = {1, 2, 4, 8};
  int32x4_t sum = vdupq_n_s32(0);
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t j = 0; j < 16; ++j, values += 4) {
      const uint32x4_t on = vtstq_u32(vdupq_n_u32(static_cast<std::uint32_t>(bits[w] >> (4 * j))), bit_of);
      sum = vaddq_s32(sum, vandq_s32(vld1q_s32(values), vreinterpretq_s32_u32(on)));
    }
  }
  return vaddvq_s32(sum);
}

void strengthen(std::uint8_t* states, std::size_t size, std::uint8_t highest) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    vst1q_u8(states + i, vminq_u8(vqaddq_u8(vld1q_u8(states + i), vdupq_n_u8(1)), vdupq_n_u8(highest)));
  }
  for (; i < size; ++i) states[i] = static_cast<std::uint8_t>(states[i] + (states[i] < highest));
}

template <class Id>
void conjunction_of(const std::uint64_t* columns, const Id* ids, std::size_t size, std::uint64_t* uses) {
  uint64x2_t low = vld1q_u64(uses), high = vld1q_u64(uses + 2);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t* const column = columns + kLookaheadWords * std::size_t{ids[i]};
    low = vandq_u64(low, vld1q_u64(column));
    high = vandq_u64(high, vld1q_u64(column + 2));
    if (i % 8 == 7 && vmaxvq_u32(vreinterpretq_u32_u64(vorrq_u64(low, high))) == 0) break;  // no bit left to clear
  }
  vst1q_u64(uses, low);
  vst1q_u64(uses + 2, high);
}

std::uint64_t bits_on(std::uint64_t x) { return vaddv_u8(vcnt_u8(vcreate_u8(x))); }

std::size_t count(const std::uint64_t* words, std::size_t size) {
  std::size_t n = 0, w = 0;
  for (; w + 2 <= size; w += 2) n += vaddlvq_u8(vcntq_u8(vreinterpretq_u8_u64(vld1q_u64(words + w))));
  if (w < size) n += vaddv_u8(vcnt_u8(vreinterpret_u8_u64(vld1_u64(words + w))));
  return n;
}

struct Wide {
  static constexpr std::size_t kWords = 8;
  uint64x2_t quarter[4];
  static Wide load(const std::uint64_t* p) {
    return {{vld1q_u64(p), vld1q_u64(p + 2), vld1q_u64(p + 4), vld1q_u64(p + 6)}};
  }
  void store(std::uint64_t* p) const {
    for (int q = 0; q < 4; ++q) vst1q_u64(p + 2 * q, quarter[q]);
  }
  static Wide ones() {
    const uint64x2_t v = vdupq_n_u64(~std::uint64_t{0});
    return {{v, v, v, v}};
  }
};
Wide operator&(Wide a, const Wide& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vandq_u64(a.quarter[q], b.quarter[q]);
  return a;
}
Wide operator^(Wide a, const Wide& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = veorq_u64(a.quarter[q], b.quarter[q]);
  return a;
}
Wide operator|(Wide a, const Wide& b) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vorrq_u64(a.quarter[q], b.quarter[q]);
  return a;
}
std::uint32_t nonzero_words(const Wide& a) {
  std::uint32_t words = 0;
  for (int q = 0; q < 4; ++q) {
    const uint64x2_t on = vtstq_u64(a.quarter[q], a.quarter[q]);
    words |= static_cast<std::uint32_t>((vgetq_lane_u64(on, 0) & 1) | (vgetq_lane_u64(on, 1) & 2)) << (2 * q);
  }
  return words;
}
template <int kBits>
Wide up(Wide a) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vshlq_n_u64(a.quarter[q], kBits);
  return a;
}
template <int kBits>
Wide down(Wide a) {
  for (int q = 0; q < 4; ++q) a.quarter[q] = vshrq_n_u64(a.quarter[q], kBits);
  return a;
}
Wide sum(const Wide& a, const Wide& b, const Wide& c) { return a ^ b ^ c; }
Wide carry(Wide a, const Wide& b, const Wide& c) {  // where a and b differ c decides
  for (int q = 0; q < 4; ++q) {
    a.quarter[q] = vbslq_u64(veorq_u64(a.quarter[q], b.quarter[q]), c.quarter[q], a.quarter[q]);
  }
  return a;
}

using Slice = Wide;
Slice carry_absent(const Slice& kept, const Slice& a, const Slice& b) { return carry(a, b, kept ^ Slice::ones()); }

struct Quad {
  static constexpr std::size_t kWords = 4;
  uint64x2_t low, high;
  static Quad load(const std::uint64_t* p) { return {vld1q_u64(p), vld1q_u64(p + 2)}; }
  void store(std::uint64_t* p) const {
    vst1q_u64(p, low);
    vst1q_u64(p + 2, high);
  }
  static Quad fill(std::uint64_t x) { return {vdupq_n_u64(x), vdupq_n_u64(x)}; }
  static Quad load_rows(const std::uint32_t* p) {
    return {vreinterpretq_u64_u32(vld1q_u32(p)), vreinterpretq_u64_u32(vld1q_u32(p + 4))};
  }
  static Quad fill_rows(std::uint32_t x) {
    const uint64x2_t two = vreinterpretq_u64_u32(vdupq_n_u32(x));
    return {two, two};
  }
  bool is_zero() const { return any() == 0; }
  Quad any_quad() const { return *this; }
  std::uint64_t any() const {
    const uint64x2_t two = vorrq_u64(low, high);
    return vgetq_lane_u64(two, 0) | vgetq_lane_u64(two, 1);
  }
};
Quad operator&(const Quad& a, const Quad& b) { return {vandq_u64(a.low, b.low), vandq_u64(a.high, b.high)}; }
Quad operator|(const Quad& a, const Quad& b) { return {vorrq_u64(a.low, b.low), vorrq_u64(a.high, b.high)}; }
Quad down(const Quad& a, std::uint32_t bits) {
  const int64x2_t left = vdupq_n_s64(-static_cast<std::int64_t>(bits));
  return {vshlq_u64(a.low, left), vshlq_u64(a.high, left)};
}
using Strip = Quad;

#include "kernels/bytes_body.h"
#include "kernels/counters_body.h"
#include "kernels/fuzzy_body.h"
#include "kernels/fuzzy_row_body.h"
#include "kernels/ids_body.h"
#include "kernels/pack_body.h"
#include "kernels/planes_body.h"
#include "kernels/sliced_body.h"
#include "kernels/sum_slots_body.h"
#include "kernels/windows_body.h"
