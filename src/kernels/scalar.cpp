// The portable kernel set: plain loops over 64 bytes, which compilers vectorise for the baseline.
#include <cstring>

#include "kernels/kernels.h"

namespace falsum::scalar {
namespace {

constexpr std::size_t kLinesAtOnce = 4;  // vectors of 512 bits that a loop keeps in registers

struct Mask {
  std::uint8_t lane[64];  // 0 or 255
  static Mask from_bits(std::uint64_t bits) {
    Mask m;
    for (int i = 0; i < 64; ++i) m.lane[i] = (bits >> i) & 1 ? 255 : 0;
    return m;
  }
};
Mask both(Mask a, const Mask& b) {
  for (int i = 0; i < 64; ++i) a.lane[i] &= b.lane[i];
  return a;
}

struct Lanes {
  std::uint8_t lane[64];

  static Lanes load(const std::uint8_t* p) {
    Lanes v;
    std::memcpy(v.lane, p, 64);
    return v;
  }
  void store(std::uint8_t* p) const { std::memcpy(p, lane, 64); }
  static Lanes broadcast(std::uint8_t x) {
    Lanes v;
    std::memset(v.lane, x, 64);
    return v;
  }
  std::uint64_t top_bits() const {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) bits |= static_cast<std::uint64_t>(lane[i] >> 7) << i;
    return bits;
  }
  std::uint64_t nonzero() const {  // eight bytes at a time
    constexpr std::uint64_t kOnes = 0x0101010101010101u;
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) {
      std::uint64_t eight = 0;
      for (int b = 0; b < 8; ++b) eight |= static_cast<std::uint64_t>(lane[i + b]) << (8 * b);  // one load, if in order
      const std::uint64_t ones = (((eight & (0x7f * kOnes)) + 0x7f * kOnes) | eight) >> 7 & kOnes;
      bits |= (ones * 0x0102040810204080u) >> 56 << i;  // the product gathers the eight bits in its top byte
    }
    return bits;
  }
  Mask cold() const {
    Mask m;
    for (int i = 0; i < 64; ++i) m.lane[i] = lane[i] < 128 ? 255 : 0;
    return m;
  }
};

template <class Op>
Lanes each(const Lanes& a, const Lanes& b, Op op) {
  Lanes v;
  for (int i = 0; i < 64; ++i) v.lane[i] = static_cast<std::uint8_t>(op(a.lane[i], b.lane[i]));
  return v;
}
std::uint64_t risen(const Lanes& before, const Lanes& after) { return after.top_bits() & ~before.top_bits(); }
Lanes within(const Mask& m, const Lanes& a) {
  Lanes v;
  for (int i = 0; i < 64; ++i) v.lane[i] = m.lane[i] & a.lane[i];
  return v;
}
Lanes subtract_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return each(a, within(m, b), [](int x, int y) { return x > y ? x - y : 0; });
}
Lanes add_where(const Lanes& a, const Mask& m, const Lanes& b) {
  return each(a, within(m, b), [](int x, int y) { return x + y < 255 ? x + y : 255; });
}
Lanes add_unless(const Lanes& a, const Mask& m, const Lanes& b) {
  Lanes added;
  for (int i = 0; i < 64; ++i) added.lane[i] = static_cast<std::uint8_t>(~m.lane[i] & b.lane[i]);
  return each(a, added, [](int x, int y) { return x + y < 255 ? x + y : 255; });
}
Lanes most(const Lanes& a, const Lanes& b) {
  return each(a, b, [](int x, int y) { return x > y ? x : y; });
}
Mask at_least(const Lanes& a, const Lanes& b) {
  Mask m;
  for (int i = 0; i < 64; ++i) m.lane[i] = a.lane[i] >= b.lane[i] ? 255 : 0;
  return m;
}
Lanes count_down(const Lanes& a, const Mask& m) {
  Lanes v;
  for (int i = 0; i < 64; ++i) v.lane[i] = static_cast<std::uint8_t>(a.lane[i] - (m.lane[i] & 1));
  return v;
}
Lanes select(const Mask& m, const Lanes& yes, const Lanes& no) {
  Lanes v;
  for (int i = 0; i < 64; ++i) {
    v.lane[i] = static_cast<std::uint8_t>((m.lane[i] & yes.lane[i]) | (~m.lane[i] & no.lane[i]));
  }
  return v;
}

std::uint64_t below(const Lanes& first, const Lanes& second, std::uint16_t threshold) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 64; ++i) {
    const std::uint8_t* const draw = (i < 32 ? first : second).lane + 2 * (i % 32);
    bits |= static_cast<std::uint64_t>((draw[0] | draw[1] << 8) < threshold) << i;
  }
  return bits;
}

Lanes plus(const Lanes& a, const Lanes& b) {
  return each(a, b, [](int x, int y) { return x + y; });
}
std::uint64_t bits_of(const Mask& m) {
  Lanes v;
  std::memcpy(v.lane, m.lane, 64);
  return v.top_bits();
}

void gather_bits(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out) {
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t bits = 0;
    for (int j = 0; j < 64; ++j) bits |= ((columns[64 * w + j] >> bit) & 1) << j;
    out[w] = bits;
  }
}

std::int32_t sum_where(const std::int32_t* values, const std::uint64_t* bits, std::size_t words) {
  std::int32_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      sum += values[64 * w + static_cast<std::size_t>(__builtin_ctzll(left))];
  }
  return sum;
}

void strengthen(std::uint8_t* states, std::size_t size, std::uint8_t highest) {
  for (std::size_t i = 0; i < size; ++i) states[i] = static_cast<std::uint8_t>(states[i] + (states[i] < highest));
}

void conjunction(const std::uint64_t* columns, const IdList& ids, std::uint64_t* uses) {
  for (std::size_t i = 0; i < ids.size; ++i) {
    for (std::size_t w = 0; w < kLookaheadWords; ++w) uses[w] &= columns[kLookaheadWords * std::size_t{ids[i]} + w];
    if (i % 8 == 7 && (uses[0] | uses[1] | uses[2] | uses[3]) == 0) return;
  }
}

std::uint64_t bits_on(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  return (((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u) >> 56;
}

std::size_t count(const std::uint64_t* words, std::size_t size) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < size; ++w) n += bits_on(words[w]);
  return n;
}

struct Wide {
  static constexpr std::size_t kWords = 8;
  std::uint64_t word[8];
  static Wide load(const std::uint64_t* p) {
    Wide v;
    std::memcpy(v.word, p, sizeof v.word);
    return v;
  }
  void store(std::uint64_t* p) const { std::memcpy(p, word, sizeof word); }
  static Wide ones() {
    Wide v;
    std::memset(v.word, 0xff, sizeof v.word);
    return v;
  }
};
Wide operator&(Wide a, const Wide& b) {
  for (int i = 0; i < 8; ++i) a.word[i] &= b.word[i];
  return a;
}
Wide operator^(Wide a, const Wide& b) {
  for (int i = 0; i < 8; ++i) a.word[i] ^= b.word[i];
  return a;
}
Wide operator|(Wide a, const Wide& b) {
  for (int i = 0; i < 8; ++i) a.word[i] |= b.word[i];
  return a;
}
std::uint32_t nonzero_words(const Wide& a) {
  std::uint32_t words = 0;
  for (int i = 0; i < 8; ++i) words |= static_cast<std::uint32_t>(a.word[i] != 0) << i;
  return words;
}
template <int kBits>
Wide up(Wide a) {
  for (int i = 0; i < 8; ++i) a.word[i] <<= kBits;
  return a;
}
template <int kBits>
Wide down(Wide a) {
  for (int i = 0; i < 8; ++i) a.word[i] >>= kBits;
  return a;
}
Wide sum(const Wide& a, const Wide& b, const Wide& c) { return a ^ b ^ c; }
Wide carry(const Wide& a, const Wide& b, const Wide& c) { return (a & b) ^ ((a ^ b) & c); }
using Slice = Wide;
Slice carry_absent(const Slice& kept, const Slice& a, const Slice& b) { return carry(kept ^ Slice::ones(), a, b); }

struct Quad {
  static constexpr std::size_t kWords = 4;
  std::uint64_t word[4];
  static Quad load(const std::uint64_t* p) { return {{p[0], p[1], p[2], p[3]}}; }
  void store(std::uint64_t* p) const { std::memcpy(p, word, sizeof word); }
  static Quad fill(std::uint64_t x) { return {{x, x, x, x}}; }
  static Quad load_rows(const std::uint32_t* p) {
    Quad v;
    std::memcpy(v.word, p, sizeof v.word);
    return v;
  }
  static Quad fill_rows(std::uint32_t x) { return fill(x | std::uint64_t{x} << 32); }
  bool is_zero() const { return any() == 0; }
  Quad any_quad() const { return *this; }
  std::uint64_t any() const { return word[0] | word[1] | word[2] | word[3]; }
};
Quad operator&(Quad a, const Quad& b) {
  for (int i = 0; i < 4; ++i) a.word[i] &= b.word[i];
  return a;
}
Quad operator|(Quad a, const Quad& b) {
  for (int i = 0; i < 4; ++i) a.word[i] |= b.word[i];
  return a;
}
Quad down(Quad a, std::uint32_t bits) {
  for (int i = 0; i < 4; ++i) a.word[i] >>= bits;
  return a;
}
using Strip = Quad;

#include "kernels/bytes_body.h"
#include "kernels/counters_body.h"
#include "kernels/fuzzy_body.h"
#include "kernels/fuzzy_row_body.h"
#include "kernels/pack_body.h"
#include "kernels/planes_body.h"
#include "kernels/sliced_body.h"
#include "kernels/sum_slots_body.h"
#include "kernels/windows_body.h"
//
#include "kernels/table_draws_body.h"
//
#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("scalar");

}  // namespace falsum::scalar
