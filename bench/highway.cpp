// The kernels that learning and batches live on, written with Highway instead of intrinsics, over the same bodies as
// those of src/kernels. Compiled once for AVX2 and once for AVX-512, for `make bench-kernels` to compare; what came of
// it stands in docs/kernels.md. The library does not use this file.
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

#include "kernels/kernels.h"

#pragma GCC diagnostic ignored "-Wunused-function"  // of the bodies, some functions are not compared

namespace falsum {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<std::uint8_t> kBytes;
const hn::ScalableTag<std::int8_t> kSigned;
const hn::ScalableTag<std::uint16_t> kHalves;
const hn::FixedTag<std::uint64_t, 4> kColumn;  // of looking ahead
const hn::CappedTag<std::uint64_t, 8> kWords;
using Bytes = hn::Vec<decltype(kBytes)>;
using Halves = hn::Vec<decltype(kHalves)>;
constexpr std::size_t kWidth = hn::MaxLanes(hn::ScalableTag<std::uint8_t>()), kCount = 64 / kWidth;

struct Mask {
  hn::Mask<decltype(kBytes)> part[kCount];
  static Mask from_bits(std::uint64_t bits) {
    Mask m;
    for (std::size_t i = 0; i < kCount; ++i) {
      std::uint64_t some = bits >> (i * kWidth % 64);
      m.part[i] = hn::LoadMaskBits(kBytes, reinterpret_cast<const std::uint8_t*>(&some));
    }
    return m;
  }
};
Mask both(Mask a, const Mask& b) {
  for (std::size_t i = 0; i < kCount; ++i) a.part[i] = hn::And(a.part[i], b.part[i]);
  return a;
}
std::uint64_t bits_of(const Mask& m) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    std::uint64_t some = 0;
    hn::StoreMaskBits(kBytes, m.part[i], reinterpret_cast<std::uint8_t*>(&some));
    bits |= some << (i * kWidth % 64);
  }
  return bits;
}

struct Lanes {
  Bytes part[kCount];
  static Lanes load(const std::uint8_t* p) {
    Lanes v;
    for (std::size_t i = 0; i < kCount; ++i) v.part[i] = hn::LoadU(kBytes, p + i * kWidth);
    return v;
  }
  void store(std::uint8_t* p) const {
    for (std::size_t i = 0; i < kCount; ++i) hn::StoreU(part[i], kBytes, p + i * kWidth);
  }
  static Lanes broadcast(std::uint8_t x) {
    Lanes v;
    for (Bytes& part : v.part) part = hn::Set(kBytes, x);
    return v;
  }
  Mask hot() const {
    Mask m;
    for (std::size_t i = 0; i < kCount; ++i) {
      m.part[i] = hn::RebindMask(kBytes, hn::Lt(hn::BitCast(kSigned, part[i]), hn::Zero(kSigned)));
    }
    return m;
  }
  Mask cold() const {
    Mask m;
    for (std::size_t i = 0; i < kCount; ++i) {
      m.part[i] = hn::RebindMask(kBytes, hn::Gt(hn::BitCast(kSigned, part[i]), hn::Set(kSigned, -1)));
    }
    return m;
  }
  std::uint64_t top_bits() const { return bits_of(hot()); }
};
std::uint64_t risen(const Lanes& before, const Lanes& after) { return bits_of(both(before.cold(), after.hot())); }
Lanes subtract_where(Lanes a, const Mask& m, const Lanes& b) {
  for (std::size_t i = 0; i < kCount; ++i) {
    a.part[i] = hn::SaturatedSub(a.part[i], hn::IfThenElseZero(m.part[i], b.part[i]));
  }
  return a;
}
Lanes add_where(Lanes a, const Mask& m, const Lanes& b) {
  for (std::size_t i = 0; i < kCount; ++i) {
    a.part[i] = hn::SaturatedAdd(a.part[i], hn::IfThenElseZero(m.part[i], b.part[i]));
  }
  return a;
}
Lanes most(Lanes a, const Lanes& b) {
  for (std::size_t i = 0; i < kCount; ++i) a.part[i] = hn::Max(a.part[i], b.part[i]);
  return a;
}
Mask at_least(const Lanes& a, const Lanes& b) {  // Highway 1.0 has no Ge of integers
  Mask m;
  for (std::size_t i = 0; i < kCount; ++i) m.part[i] = hn::Eq(hn::Max(a.part[i], b.part[i]), a.part[i]);
  return m;
}
Lanes count_down(Lanes a, const Mask& m) {
  for (std::size_t i = 0; i < kCount; ++i) a.part[i] = hn::Add(a.part[i], hn::VecFromMask(kBytes, m.part[i]));
  return a;
}
Lanes select(const Mask& m, Lanes yes, const Lanes& no) {
  for (std::size_t i = 0; i < kCount; ++i) yes.part[i] = hn::IfThenElse(m.part[i], yes.part[i], no.part[i]);
  return yes;
}

Halves spread(std::uint32_t x) { return hn::Set(kHalves, static_cast<std::uint16_t>(x)); }
Halves draws_of(Halves x, Halves high, DrawKey key) {
  x = hn::Mul(hn::Xor(x, hn::ShiftRight<8>(x)), spread(key.times));
  x = hn::Mul(hn::Xor3(x, hn::ShiftRight<7>(x), high), spread(key.again));
  return hn::Xor(x, hn::ShiftRight<8>(x));
}

class Draws {
 public:
  explicit Draws(DrawKey key, std::uint32_t first = 0)
      : key_(key),
        index_(first),
        low_(hn::Iota(kHalves, static_cast<std::uint16_t>(key.add + first))),
        high_(upper()) {}
  Lanes next() {
    Lanes v;
    for (std::size_t i = 0; i < kCount; ++i, low_ = hn::Add(low_, spread(kWidth / 2))) {
      v.part[i] = hn::BitCast(kBytes, draws_of(low_, high_, key_));
    }
    index_ += 32;
    if (index_ % 65536 == 0) high_ = upper();
    return v;
  }

 private:
  Halves upper() const { return spread(key_.mix ^ ((index_ >> 16) * kUpperHalf)); }
  DrawKey key_;
  std::uint32_t index_;  // a multiple of 32
  Halves low_, high_;
};

Mask at_most(const Lanes& draws, std::uint16_t limit) {
  const Bytes odd = hn::BitCast(kBytes, spread(0xff00));
  const auto within = [&](Halves x) {
    return hn::BitCast(kBytes, hn::VecFromMask(kHalves, hn::Eq(hn::Min(x, spread(limit)), x)));
  };
  Mask m;
  for (std::size_t i = 0; i < kCount; ++i) {
    const Halves own = hn::BitCast(kHalves, draws.part[i]);
    const Halves swapped = hn::Or(hn::ShiftLeft<8>(own), hn::ShiftRight<8>(own));
    m.part[i] = hn::MaskFromVec(hn::IfVecThenElse(odd, within(own), within(swapped)));
  }
  return m;
}

std::uint64_t next_below(Draws& draws, std::uint16_t threshold) {
  std::uint64_t bits = 0;
  for (std::size_t half = 0; half < 64; half += 32) {
    const Lanes drawn = draws.next();
    for (std::size_t i = 0; i < kCount; ++i) {
      std::uint64_t some = 0;
      hn::StoreMaskBits(kHalves, hn::Lt(hn::BitCast(kHalves, drawn.part[i]), spread(threshold)),
                        reinterpret_cast<std::uint8_t*>(&some));
      bits |= some << (half + i * kWidth / 2);
    }
  }
  return bits;
}

void conjunction(const std::uint64_t* columns, const IdList& list, std::uint64_t* uses) {
  const auto* const ids = static_cast<const std::uint16_t*>(list.ids);
  const auto column = [&](std::size_t i) {
    return hn::LoadU(kColumn, columns + kLookaheadWords * std::size_t{ids[i]});
  };
  const auto four = [&](std::size_t i) {
    return hn::And(hn::And(column(i), column(i + 1)), hn::And(column(i + 2), column(i + 3)));
  };
  auto all = hn::LoadU(kColumn, uses);
  std::size_t i = 0;
  for (; i + 8 <= list.size; i += 8) {
    all = hn::And(all, hn::And(four(i), four(i + 4)));
    if (hn::AllTrue(kColumn, hn::Eq(all, hn::Zero(kColumn)))) break;
  }
  if (i + 8 > list.size) {
    for (; i < list.size; ++i) all = hn::And(all, column(i));
  }
  hn::StoreU(all, kColumn, uses);
}

struct Wide {
  hn::Vec<decltype(kWords)> part[kCount];
  static Wide load(const std::uint64_t* p) {
    Wide v;
    for (std::size_t i = 0; i < kCount; ++i) v.part[i] = hn::LoadU(kWords, p + i * kWidth / 8);
    return v;
  }
  void store(std::uint64_t* p) const {
    for (std::size_t i = 0; i < kCount; ++i) hn::StoreU(part[i], kWords, p + i * kWidth / 8);
  }
  static Wide ones() {
    Wide v;
    for (auto& part : v.part) part = hn::Set(kWords, ~std::uint64_t{0});
    return v;
  }
};
template <class Op>
Wide each(Wide a, const Wide& b, Op op) {
  for (std::size_t i = 0; i < kCount; ++i) a.part[i] = op(a.part[i], b.part[i]);
  return a;
}
Wide operator&(const Wide& a, const Wide& b) {
  return each(a, b, [](auto x, auto y) { return hn::And(x, y); });
}
Wide operator^(const Wide& a, const Wide& b) {
  return each(a, b, [](auto x, auto y) { return hn::Xor(x, y); });
}
Wide operator|(const Wide& a, const Wide& b) {
  return each(a, b, [](auto x, auto y) { return hn::Or(x, y); });
}
template <int kBits>
Wide up(Wide a) {
  for (auto& part : a.part) part = hn::ShiftLeft<kBits>(part);
  return a;
}
template <int kBits>
Wide down(Wide a) {
  for (auto& part : a.part) part = hn::ShiftRight<kBits>(part);
  return a;
}
Wide sum(Wide a, const Wide& b, const Wide& c) {
  for (std::size_t i = 0; i < kCount; ++i) a.part[i] = hn::Xor3(a.part[i], b.part[i], c.part[i]);
  return a;
}
Wide carry(const Wide& a, const Wide& b, const Wide& c) { return (a & b) | ((a ^ b) & c); }

#include "kernels/dense_body.h"
#include "kernels/sliced_body.h"

}  // namespace

extern const Kernels FALSUM_HIGHWAY_KERNELS;
const Kernels FALSUM_HIGHWAY_KERNELS = {.name = FALSUM_HIGHWAY_NAME,
                                        .dense_pass = dense_pass,
                                        .forget = forget,
                                        .select = nullptr,
                                        .unflagged = nullptr,
                                        .pick = nullptr,
                                        .strengthen = nullptr,
                                        .conjunction = conjunction,
                                        .count = nullptr,
                                        .sliced_votes = sliced_votes,
                                        .turn = nullptr,
                                        .slice = nullptr,
                                        .tally = nullptr,
                                        .unite = nullptr,
                                        .pack = nullptr};

}  // namespace falsum
