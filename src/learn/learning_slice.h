// LearningSlice: how long threads learn before they synchronise, so that progress can be reported and learning can be
// stopped. Every thread checks from time to time whether the slice is over, in any class; the learned machine does not
// depend on where slices end.
//
// Cost: one reading of the clock for as many uses as may touch 64 million automata, of which most touch far fewer, or
// for every 64 uses of a small class.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>

namespace falsum {

struct LearningSlice {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kUsual{100};

  std::size_t most_uses = std::numeric_limits<std::size_t>::max();  // of a class; for tests, which do not use the clock
  bool timed = false;
  Clock::time_point end{};
  const std::atomic<std::size_t>* awaited = nullptr;  // when this is 0 the slice is over

  bool is_counted() const { return most_uses < std::numeric_limits<std::size_t>::max(); }
  bool over() const {
    return (awaited && awaited->load(std::memory_order_relaxed) == 0) || (timed && Clock::now() >= end);
  }
  /// The same, but over as soon as no other learns what it should.
  LearningSlice while_others(const std::atomic<std::size_t>& learn) const {
    LearningSlice slice = *this;
    slice.awaited = &learn;
    return slice;
  }
  static LearningSlice endless() { return {}; }
  static LearningSlice usual() {
    LearningSlice slice;
    slice.timed = true;
    slice.end = Clock::now() + kUsual;
    return slice;
  }
  static LearningSlice of_uses(std::size_t uses) { return {uses, false, {}, nullptr}; }

  /// Uses between two readings of the clock, if one use may touch this many automata.
  static std::size_t grain(std::size_t automata) {
    return std::clamp<std::size_t>((std::size_t{1} << 26) / std::max<std::size_t>(1, automata), 1, 64);
  }
};

}  // namespace falsum
