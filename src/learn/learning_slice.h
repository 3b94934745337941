// LearningSlice: how long threads learn before they synchronise, so that progress can be reported and learning can be
// stopped. Every thread checks from time to time whether the slice is over, in any class; the learned machine does not
// depend on where slices end.
//
// Cost: one reading of the clock for as many uses as may touch 64 million automata, of which most touch far fewer, or
// for every 64 uses of a small class.
#pragma once

#include <algorithm>
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

  bool over() const { return timed && Clock::now() >= end; }
  static LearningSlice endless() { return {}; }
  static LearningSlice usual() { return {std::numeric_limits<std::size_t>::max(), true, Clock::now() + kUsual}; }
  static LearningSlice of_uses(std::size_t uses) { return {uses, false, {}}; }

  /// Uses between two readings of the clock, if one use may touch this many automata.
  static std::size_t grain(std::size_t automata) {
    return std::clamp<std::size_t>((std::size_t{1} << 26) / std::max<std::size_t>(1, automata), 1, 64);
  }
};

}  // namespace falsum
