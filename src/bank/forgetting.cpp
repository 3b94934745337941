#include "bank/forgetting.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace falsum {

Forgetting::Forgetting(double specificity) {
  assert(specificity >= 1);
  const double p = 1.0 / specificity;  // one IEEE division: the same on every compiler
  once_ = static_cast<std::uint64_t>(std::ldexp(p, 32));
  // Probabilities in units of 2^-63 while computing; 1 is 2^63.
  constexpr std::uint64_t kOne = std::uint64_t{1} << 63;
  const std::uint64_t step = static_cast<std::uint64_t>(std::ldexp(p, 63));
  std::uint64_t tail[257] = {kOne};  // tail[k], k = 0 .. 256, of the current row
  row_.push_back(0);
  for (std::uint32_t events = 0; events <= kMostPending + 1; ++events) {
    if (events > 0) {
      for (std::size_t k = std::min<std::size_t>(events, 256); k > 0; --k) {  // tails beyond are 0
        tail[k] += step == kOne ? tail[k - 1] - tail[k] : multiply_high(2 * step, tail[k - 1] - tail[k]);
      }
    }
    for (std::size_t k = 1; k < 256; ++k) {  // 255 decrements empty any automaton
      const std::uint32_t rounded = static_cast<std::uint32_t>((tail[k] + (std::uint64_t{1} << 31)) >> 32);
      if (rounded == 0) break;
      tail_.push_back(rounded);
    }
    row_.push_back(static_cast<std::uint32_t>(tail_.size()));
  }
}

void Forgetting::decrements(std::uint32_t events, std::uint64_t dither, Decrements& out) const {
  assert(events <= kMostPending + 1);
  out.always = out.size = 0;
  const std::uint32_t up = static_cast<std::uint32_t>(dither >> 41);
  for (std::uint32_t i = row_[events]; i < row_[events + 1]; ++i) {
    const std::uint32_t value = (tail_[i] + up) >> 23;
    if (value == 256) {
      ++out.always;
    } else if (value > 0) {
      out.value[out.size++] = static_cast<std::uint8_t>(value);
    } else {
      break;  // tails descend
    }
  }
}

Forgettings::Forgettings(double from, double to, const ClauseSlots& slots) {
  const std::size_t group = slots.clauses() / slots.groups(), levels = std::min(kLevels, group);
  if (to == 0 || to == from) {
    tables_.emplace_back(from);
    return;
  }
  for (std::size_t i = 0; i < levels; ++i) {
    tables_.emplace_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(levels));
  }
  for (std::size_t c = 0; c < slots.clauses(); ++c) {
    levels_.push_back(static_cast<std::uint8_t>(c % group * levels / group));
  }
}

}  // namespace falsum
