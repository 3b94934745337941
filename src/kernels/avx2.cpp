// AVX2: 64 lanes are two 32-byte vectors.
#include "kernels/kernels.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace falsum {
namespace {

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

__m256i finish(__m256i x, DrawKey key) {
  x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
  x = _mm256_mullo_epi32(x, _mm256_set1_epi32(0x7feb352d));
  x = _mm256_xor_si256(x, _mm256_set1_epi32(static_cast<int>(key.b)));
  x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 15));
  x = _mm256_mullo_epi32(x, _mm256_set1_epi32(static_cast<int>(0x846ca68bu)));
  return _mm256_xor_si256(x, _mm256_srli_epi32(x, 16));
}
__m256i words_of(DrawKey key, std::uint32_t index) {
  const __m256i counter = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return finish(_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(index + key.a)), counter), key);
}

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
  Mask top_mask() const {
    const __m256i zero = _mm256_setzero_si256();
    return {_mm256_cmpgt_epi8(zero, low), _mm256_cmpgt_epi8(zero, high)};
  }
  static Lanes random(DrawKey key, std::uint32_t index) { return {words_of(key, index), words_of(key, index + 8)}; }
};

Lanes subtract_saturating(const Lanes& a, const Lanes& b) {
  return {_mm256_subs_epu8(a.low, b.low), _mm256_subs_epu8(a.high, b.high)};
}
Lanes add_saturating(const Lanes& a, const Lanes& b) {
  return {_mm256_adds_epu8(a.low, b.low), _mm256_adds_epu8(a.high, b.high)};
}
Lanes most(const Lanes& a, const Lanes& b) { return {_mm256_max_epu8(a.low, b.low), _mm256_max_epu8(a.high, b.high)}; }
__m256i less(__m256i a, __m256i b) {  // unsigned a < b: not (max(a, b) == a)
  return _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a), _mm256_set1_epi8(-1));
}
Mask less(const Lanes& a, const Lanes& b) { return {less(a.low, b.low), less(a.high, b.high)}; }
Lanes count_up(const Lanes& a, const Mask& m) {  // 255 is -1
  return {_mm256_sub_epi8(a.low, m.low), _mm256_sub_epi8(a.high, m.high)};
}
Lanes select(const Mask& m, const Lanes& yes, const Lanes& no) {
  return {_mm256_blendv_epi8(no.low, yes.low, m.low), _mm256_blendv_epi8(no.high, yes.high, m.high)};
}

std::uint64_t half_words_below(DrawKey key, std::uint32_t index, std::uint16_t threshold) {
  const __m256i t = _mm256_set1_epi16(static_cast<short>(threshold)), zero = _mm256_setzero_si256();
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < 2; ++i) {
    // t - draw, saturated, is zero exactly when draw >= t; packing interleaves 128-bit halves, the permute mends it.
    const __m256i first = _mm256_cmpeq_epi16(_mm256_subs_epu16(t, words_of(key, index + 16 * i)), zero);
    const __m256i second = _mm256_cmpeq_epi16(_mm256_subs_epu16(t, words_of(key, index + 16 * i + 8)), zero);
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi16(first, second), 0xd8);
    bits |= static_cast<std::uint64_t>(~static_cast<std::uint32_t>(_mm256_movemask_epi8(packed))) << (32 * i);
  }
  return bits;
}

bool forget(const std::uint32_t* ids, std::uint8_t* states, std::size_t size, DrawKey key, std::uint64_t once,
            std::uint8_t lowest, std::uint64_t* released) {
  const __m256i base = _mm256_set1_epi32(static_cast<int>(kForgetDraws + key.a));
  const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000u));  // unsigned compare through signed
  const __m256i limit = _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(once - 1) ^ 0x80000000u));
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < size; i += 8) {
    if (i % 64 == 0) released[i / 64] = 0;
    const __m256i id = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + i));
    const __m256i draw = _mm256_xor_si256(finish(_mm256_add_epi32(id, base), key), sign);
    const unsigned keeps =
        static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(draw, limit))));
    const unsigned inside = size - i >= 8 ? 0xffu : (1u << (size - i)) - 1;
    const unsigned down = ~keeps & inside;
    for (unsigned left = down; left != 0; left &= left - 1) {
      const unsigned j = static_cast<unsigned>(__builtin_ctz(left));
      if (states[i + j] == lowest) continue;
      const std::uint64_t out = --states[i + j] == 127;
      released[i / 64] |= out << ((i + j) % 64);
      any |= out;
    }
  }
  return any != 0;
}

void pick(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out) {
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

#include "kernels/avx_body.h"
#include "kernels/dense_body.h"
#include "kernels/planes_body.h"
#include "kernels/sliced_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kAvx2Kernels;
const Kernels kAvx2Kernels = table("avx2");

}  // namespace falsum
#endif
