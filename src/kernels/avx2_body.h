// AVX2: 64 lanes are two 32-byte vectors. Included inside the anonymous namespaces of the sets with AVX2, which differ
// in their draws.

constexpr std::size_t kLinesAtOnce = 4;  // vectors of 512 bits that a loop keeps in registers

struct Mask {
  __m256i low, high;  // bytes of 0 or 255
  static Mask from_bits(std::uint64_t bits) {
    return {spread(static_cast<std::uint32_t>(bits)), spread(static_cast<std::uint32_t>(bits >> 32))};
  }

 private:
  static __m256i spread(std::uint32_t bits) {
    // Byte i of the result sees the byte of `bits` that holds bit i, then only that bit.
    const __m256i copies =
        _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)),
                            _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303));
    const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201u));
    return _mm256_cmpeq_epi8(_mm256_and_si256(copies, bit), bit);
  }
};
Mask both(const Mask& a, const Mask& b) { return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)}; }

__m256i spread(std::uint32_t x) { return _mm256_set1_epi16(static_cast<short>(x)); }

struct Lanes {
  __m256i low, high;

  static Lanes load(const std::uint8_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32))};
  }
  void store(std::uint8_t* p) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 32), high);
  }
  static Lanes broadcast(std::uint8_t x) {
    const __m256i v = _mm256_set1_epi8(static_cast<char>(x));
    return {v, v};
  }
  std::uint64_t top_bits() const {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32;
  }
  std::uint64_t nonzero() const {
    const __m256i zero = _mm256_setzero_si256();
    return ~Lanes{_mm256_cmpeq_epi8(low, zero), _mm256_cmpeq_epi8(high, zero)}.top_bits();
  }
  Mask cold() const {
    const __m256i below = _mm256_set1_epi8(-1);
    return {_mm256_cmpgt_epi8(low, below), _mm256_cmpgt_epi8(high, below)};
  }
};

std::uint64_t risen(const Lanes& before, const Lanes& after) {
  return Lanes{_mm256_andnot_si256(before.low, after.low), _mm256_andnot_si256(before.high, after.high)}.top_bits();
}
Lanes subtract_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm256_subs_epu8(a.low, _mm256_and_si256(m.low, b.low)),
          _mm256_subs_epu8(a.high, _mm256_and_si256(m.high, b.high))};
}
Lanes add_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm256_adds_epu8(a.low, _mm256_and_si256(m.low, b.low)),
          _mm256_adds_epu8(a.high, _mm256_and_si256(m.high, b.high))};
}
Lanes add_unless(const Lanes& a, const Mask& m, const Lanes& b) {
  return {_mm256_adds_epu8(a.low, _mm256_andnot_si256(m.low, b.low)),
          _mm256_adds_epu8(a.high, _mm256_andnot_si256(m.high, b.high))};
}
Lanes most(const Lanes& a, const Lanes& b) { return {_mm256_max_epu8(a.low, b.low), _mm256_max_epu8(a.high, b.high)}; }
__m256i at_least(__m256i a, __m256i b) { return _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a); }
Mask at_least(const Lanes& a, const Lanes& b) { return {at_least(a.low, b.low), at_least(a.high, b.high)}; }
Lanes count_down(const Lanes& a, const Mask& m) {  // 255 is -1
  return {_mm256_add_epi8(a.low, m.low), _mm256_add_epi8(a.high, m.high)};
}
__m256i select(__m256i m, __m256i yes, __m256i no) {  // cheaper than a blend where yes ^ no is made once
  return _mm256_xor_si256(no, _mm256_and_si256(m, _mm256_xor_si256(yes, no)));
}
Lanes select(const Mask& m, const Lanes& yes, const Lanes& no) {
  return {select(m.low, yes.low, no.low), select(m.high, yes.high, no.high)};
}

/// Byte i is 255 when half-word i of (first, second) is zero. Packing interleaves 128-bit halves; the permute restores
/// the order.
__m256i zeros(__m256i first, __m256i second) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(first, zero), _mm256_cmpeq_epi16(second, zero));
  return _mm256_permute4x64_epi64(packed, 0xd8);
}

/// Which of 64 16-bit numbers, 32 in each, are below this.
std::uint64_t below(const Lanes& first, const Lanes& second, std::uint16_t threshold) {
  const __m256i t = spread(threshold);
  const auto at_least_t = [&](const Lanes& drawn) {  // t - draw, saturated, is zero exactly when draw >= t
    return zeros(_mm256_subs_epu16(t, drawn.low), _mm256_subs_epu16(t, drawn.high));
  };
  return ~Lanes{at_least_t(first), at_least_t(second)}.top_bits();
}

Lanes plus(const Lanes& a, const Lanes& b) { return {_mm256_add_epi8(a.low, b.low), _mm256_add_epi8(a.high, b.high)}; }
std::uint64_t bits_of(const Mask& m) { return Lanes{m.low, m.high}.top_bits(); }

void gather_bits(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out) {
  const __m128i up = _mm_cvtsi32_si128(static_cast<int>(63 - bit));
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < 64; j += 4) {
      const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(columns + 64 * w + j));
      const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_sll_epi64(four, up)));
      bits |= static_cast<std::uint64_t>(static_cast<unsigned>(mask)) << j;
    }
    out[w] = bits;
  }
}

std::int32_t sum_where(const std::int32_t* values, const std::uint64_t* bits, std::size_t words) {
  const __m256i bit_of = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  __m256i sums[2] = {};
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t j = 0; j < 8; ++j, values += 8) {
      const __m256i some = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits[w] >> (8 * j))), bit_of);
      const __m256i on = _mm256_cmpeq_epi32(some, bit_of);
      const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
      sums[j % 2] = _mm256_add_epi32(sums[j % 2], _mm256_and_si256(eight, on));
    }
  }
  const __m256i all = _mm256_add_epi32(sums[0], sums[1]);
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 1)));
}

void strengthen(std::uint8_t* states, std::size_t size, std::uint8_t highest) {
  const __m256i top = _mm256_set1_epi8(static_cast<char>(highest)), one = _mm256_set1_epi8(1);
  std::size_t i = 0;
  for (; i + 32 <= size; i += 32) {
    auto* const at = reinterpret_cast<__m256i*>(states + i);
    _mm256_storeu_si256(at, _mm256_min_epu8(_mm256_adds_epu8(_mm256_loadu_si256(at), one), top));
  }
  for (; i < size; ++i) states[i] = static_cast<std::uint8_t>(states[i] + (states[i] < highest));
}

struct Wide {
  __m256i low, high;
  static Wide load(const std::uint64_t* p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 4))};
  }
  void store(std::uint64_t* p) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 4), high);
  }
  static Wide ones() { return {_mm256_set1_epi8(-1), _mm256_set1_epi8(-1)}; }
};
Wide operator&(const Wide& a, const Wide& b) {
  return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}
Wide operator^(const Wide& a, const Wide& b) {
  return {_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high)};
}
Wide operator|(const Wide& a, const Wide& b) {
  return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
std::uint32_t nonzero_words(const Wide& a) {
  const auto zeros = [](__m256i v) {
    return _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(v, _mm256_setzero_si256())));
  };
  return static_cast<std::uint32_t>(~(zeros(a.low) | zeros(a.high) << 4) & 0xff);
}
template <int kBits>
Wide up(const Wide& a) {
  return {_mm256_slli_epi64(a.low, kBits), _mm256_slli_epi64(a.high, kBits)};
}
template <int kBits>
Wide down(const Wide& a) {
  return {_mm256_srli_epi64(a.low, kBits), _mm256_srli_epi64(a.high, kBits)};
}
Wide sum(const Wide& a, const Wide& b, const Wide& c) { return a ^ b ^ c; }
Wide carry(const Wide& a, const Wide& b, const Wide& c) { return (a & b) ^ ((a ^ b) & c); }

struct Slice {
  static constexpr std::size_t kWords = 4;
  __m256i v;
  static Slice load(const std::uint64_t* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  void store(std::uint64_t* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static Slice ones() { return {_mm256_set1_epi8(-1)}; }
};
Slice operator&(const Slice& a, const Slice& b) { return {_mm256_and_si256(a.v, b.v)}; }
Slice operator^(const Slice& a, const Slice& b) { return {_mm256_xor_si256(a.v, b.v)}; }
Slice operator|(const Slice& a, const Slice& b) { return {_mm256_or_si256(a.v, b.v)}; }
Slice sum(const Slice& a, const Slice& b, const Slice& c) { return a ^ b ^ c; }
Slice carry(const Slice& a, const Slice& b, const Slice& c) { return (a & b) | ((a ^ b) & c); }
Slice carry_absent(const Slice& kept, const Slice& a, const Slice& b) {
  return {_mm256_andnot_si256(((a ^ b) & kept).v, (a | b).v)};
}

std::uint64_t bits_on(std::uint64_t x) { return static_cast<std::uint64_t>(_mm_popcnt_u64(x)); }

#include "kernels/avx_body.h"

using Strip = Quad;

#include "kernels/bytes_body.h"
#include "kernels/counters_body.h"
#include "kernels/fuzzy_body.h"
#include "kernels/fuzzy_row_body.h"
#include "kernels/ids_body.h"
#include "kernels/pack_body.h"
#include "kernels/planes_body.h"
#include "kernels/sliced_body.h"
#include "kernels/windows_body.h"
