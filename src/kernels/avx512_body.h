// AVX-512 (F, BW, VL, DQ): 64 lanes are one vector, a mask is one 64-bit register. Included inside the anonymous
// namespaces of the sets with AVX-512, which differ in their draws.

constexpr std::size_t kLinesAtOnce = 8;  // vectors of 512 bits that a loop keeps in registers

struct Mask {
  __mmask64 bits;
  static Mask from_bits(std::uint64_t b) { return {b}; }
};
Mask both(Mask a, Mask b) { return {a.bits & b.bits}; }

std::uint64_t bits_of(Mask m) { return m.bits; }

__m512i spread(std::uint32_t x) { return _mm512_set1_epi16(static_cast<short>(x)); }

struct Lanes {
  __m512i v;
  static Lanes load(const std::uint8_t* p) { return {_mm512_loadu_si512(p)}; }
  void store(std::uint8_t* p) const { _mm512_storeu_si512(p, v); }
  static Lanes broadcast(std::uint8_t x) { return {_mm512_set1_epi8(static_cast<char>(x))}; }
  std::uint64_t top_bits() const { return _mm512_movepi8_mask(v); }
  std::uint64_t nonzero() const { return _mm512_test_epi8_mask(v, v); }
  Mask cold() const { return {_mm512_testn_epi8_mask(v, top())}; }
  static __m512i top() { return _mm512_set1_epi8(static_cast<char>(128)); }
};

std::uint64_t risen(const Lanes& before, const Lanes& after) {
  return _mm512_mask_test_epi8_mask(before.cold().bits, after.v, Lanes::top());
}
Lanes subtract_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm512_mask_subs_epu8(a.v, m.bits, a.v, b.v)};
}
Lanes add_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm512_mask_adds_epu8(a.v, m.bits, a.v, b.v)};
}
Lanes add_unless(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm512_mask_adds_epu8(a.v, ~m.bits, a.v, b.v)};
}
Lanes plus(const Lanes& a, const Lanes& b) { return {_mm512_add_epi8(a.v, b.v)}; }
Lanes most(const Lanes& a, const Lanes& b) { return {_mm512_max_epu8(a.v, b.v)}; }
Mask at_least(const Lanes& a, const Lanes& b) { return {_mm512_cmpge_epu8_mask(a.v, b.v)}; }
Lanes count_down(const Lanes& a, const Mask& m) {
  return {_mm512_mask_sub_epi8(a.v, m.bits, a.v, _mm512_set1_epi8(1))};
}
Lanes select(const Mask& m, const Lanes& yes, const Lanes& no) { return {_mm512_mask_blend_epi8(m.bits, no.v, yes.v)}; }

/// Which of 64 16-bit numbers, 32 in each, are below this.
std::uint64_t below(const Lanes& first, const Lanes& second, std::uint16_t threshold) {
  // Both masks leave their registers as 32 bits: g++ 12 may spill a mask of 32 bits and take back 64.
  const std::uint32_t low = _cvtmask32_u32(_mm512_cmplt_epu16_mask(first.v, spread(threshold)));
  const std::uint32_t high = _cvtmask32_u32(_mm512_cmplt_epu16_mask(second.v, spread(threshold)));
  return low | static_cast<std::uint64_t>(high) << 32;
}

void gather_bits(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out) {
  // NOLINTNEXTLINE(bugprone-misplaced-widening-cast): the same width, only signed
  const __m512i one = _mm512_set1_epi64(static_cast<long long>(std::uint64_t{1} << bit));
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < 64; j += 8) {
      bits |= static_cast<std::uint64_t>(_mm512_test_epi64_mask(_mm512_loadu_si512(columns + 64 * w + j), one)) << j;
    }
    out[w] = bits;
  }
}

std::int32_t sum_where(const std::int32_t* values, const std::uint64_t* bits, std::size_t words) {
  __m512i sums[4] = {};
  for (std::size_t w = 0; w < words; ++w, values += 64) {
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
      const auto on = static_cast<__mmask16>(bits[w] >> (16 * j));
      sums[j] = _mm512_mask_add_epi32(sums[j], on, sums[j], _mm512_loadu_si512(values + 16 * j));
    }
  }
  const __m512i all = _mm512_add_epi32(_mm512_add_epi32(sums[0], sums[1]), _mm512_add_epi32(sums[2], sums[3]));
  return _mm512_reduce_add_epi32(all);
}

void strengthen(std::uint8_t* states, std::size_t size, std::uint8_t highest) {
  const __m512i top = _mm512_set1_epi8(static_cast<char>(highest)), one = _mm512_set1_epi8(1);
  for (std::size_t i = 0; i < size; i += 64) {
    const __mmask64 inside = size - i >= 64 ? ~__mmask64{0} : (__mmask64{1} << (size - i)) - 1;
    const __m512i state = _mm512_maskz_loadu_epi8(inside, states + i);
    _mm512_mask_storeu_epi8(states + i, inside, _mm512_min_epu8(_mm512_adds_epu8(state, one), top));
  }
}

struct Wide {
  static constexpr std::size_t kWords = 8;
  __m512i v;
  static Wide load(const std::uint64_t* p) { return {_mm512_loadu_si512(p)}; }
  void store(std::uint64_t* p) const { _mm512_storeu_si512(p, v); }
  static Wide ones() { return {_mm512_set1_epi8(-1)}; }
};
Wide operator&(const Wide& a, const Wide& b) { return {_mm512_and_si512(a.v, b.v)}; }
Wide operator^(const Wide& a, const Wide& b) { return {_mm512_xor_si512(a.v, b.v)}; }
Wide operator|(const Wide& a, const Wide& b) { return {_mm512_or_si512(a.v, b.v)}; }
std::uint32_t nonzero_words(const Wide& a) { return _cvtmask8_u32(_mm512_test_epi64_mask(a.v, a.v)); }
template <int kBits>
Wide up(const Wide& a) {
  return {_mm512_slli_epi64(a.v, kBits)};
}
template <int kBits>
Wide down(const Wide& a) {
  return {_mm512_srli_epi64(a.v, kBits)};
}
Wide sum(const Wide& a, const Wide& b, const Wide& c) { return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x96)}; }
Wide carry(const Wide& a, const Wide& b, const Wide& c) { return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xe8)}; }
using Slice = Wide;
Slice carry_absent(const Slice& kept, const Slice& a, const Slice& b) {
  return {_mm512_ternarylogic_epi64(kept.v, a.v, b.v, 0x8e)};
}

void tally(const std::uint64_t* planes, std::uint32_t plane_count, std::int32_t worth, std::int32_t* sums) {
  for (std::size_t s = 0; s < 512; s += 16) {
    __m512i sum = _mm512_loadu_si512(sums + s);
    for (std::uint32_t p = 0; p < plane_count; ++p) {
      const auto bits = static_cast<__mmask16>(planes[8 * p + s / 64] >> (s % 64));
      const auto value = static_cast<int>(static_cast<std::uint32_t>(worth) << p);
      sum = _mm512_mask_add_epi32(sum, bits, sum, _mm512_set1_epi32(value));
    }
    _mm512_storeu_si512(sums + s, sum);
  }
}

/// Of each byte, the bits that are on.
__m512i bits_on(__m512i v) {
  const __m512i low = _mm512_set1_epi8(15);
  const __m512i counts = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  return _mm512_add_epi8(_mm512_shuffle_epi8(counts, _mm512_and_si512(v, low)),
                         _mm512_shuffle_epi8(counts, _mm512_and_si512(_mm512_srli_epi64(v, 4), low)));
}

void fuzzy_misses(const std::uint64_t* row, const std::uint64_t* included, std::size_t words, std::size_t clauses,
                  std::uint32_t* misses) {
  for (std::size_t c = 0; c < clauses; ++c, included += 2 * words) {
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t w = 0; w < words; w += 8) {
      const auto inside = static_cast<__mmask8>(words - w >= 8 ? 0xff : (1u << (words - w)) - 1);
      const __m512i missed = _mm512_ternarylogic_epi64(
          _mm512_maskz_loadu_epi64(inside, row + w), _mm512_maskz_loadu_epi64(inside, included + w),
          _mm512_maskz_loadu_epi64(inside, included + words + w), 0xac);  // row ? negated : positive
      sum = _mm512_add_epi64(sum, _mm512_sad_epu8(bits_on(missed), _mm512_setzero_si512()));
    }
    misses[c] = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sum));
  }
}

/// Lanes 2i and 2i + 1 are nibbles i and i + 8 of a word.
std::size_t nibble_rows(const std::uint64_t* sample, std::size_t words, std::uint32_t* rows) {
  const __m512i shifts = _mm512_setr_epi32(0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20, 24, 24, 28, 28);
  const __m512i nibble_mask = _mm512_set1_epi32(15), next = _mm512_set1_epi32(256);
  __m512i first =
      _mm512_setr_epi32(0, 128, 16, 144, 32, 160, 48, 176, 64, 192, 80, 208, 96, 224, 112, 240);  // 16 rows a nibble
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const __m512i bits = _mm512_set1_epi64(static_cast<long long>(sample[w]));
    const __m512i nibbles = _mm512_and_si512(_mm512_srlv_epi32(bits, shifts), nibble_mask);
    const __mmask16 on = _mm512_test_epi32_mask(nibbles, nibbles);
    _mm512_storeu_si512(rows + count, _mm512_maskz_compress_epi32(on, _mm512_add_epi32(first, nibbles)));
    count += static_cast<std::size_t>(_mm_popcnt_u32(on));
    first = _mm512_add_epi32(first, next);
  }
  return count;
}

#include "kernels/avx_body.h"

struct Strip {
  static constexpr std::size_t kWords = 8;
  __m512i v;
  static Strip load(const std::uint64_t* p) { return {_mm512_loadu_si512(p)}; }
  void store(std::uint64_t* p) const { _mm512_storeu_si512(p, v); }
  static Strip fill(std::uint64_t x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
  /// The OR of its halves, and of its words.
  Quad any_quad() const { return {_mm256_or_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1))}; }
  std::uint64_t any() const { return any_quad().any(); }
};
Strip operator&(const Strip& a, const Strip& b) { return {_mm512_and_si512(a.v, b.v)}; }
Strip operator|(const Strip& a, const Strip& b) { return {_mm512_or_si512(a.v, b.v)}; }

#include "kernels/counters_body.h"
#include "kernels/fuzzy_body.h"
#include "kernels/ids_body.h"
#include "kernels/pack_body.h"
#include "kernels/sliced_body.h"
#include "kernels/windows_body.h"
