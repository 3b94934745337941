// LearningSlice: how long threads learn before they meet again, so that progress can be told and learning be stopped.
// Every thread asks now and then whether it is over, whatever class it is at; nothing that is learned depends on where
// slices end.
//
// Cost: a look at the clock for about every four million automata, or every 64 uses of a small class.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

namespace falsum {

struct LearningSlice {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kUsual{100};

  std::size_t most_uses = std::numeric_limits<std::size_t>::max();  // of a class; for tests, which know no clock
  bool timed = false;
  Clock::time_point end{};

  bool over() const { return timed && Clock::now() >= end; }
  static LearningSlice endless() { return {}; }
  static LearningSlice usual() { return {std::numeric_limits<std::size_t>::max(), true, Clock::now() + kUsual}; }
  static LearningSlice of_uses(std::size_t uses) { return {uses, false, {}}; }

  /// Uses between two looks at the clock, where one use may touch so many automata.
  static std::size_t grain(std::size_t automata) {
    return std::clamp<std::size_t>((std::size_t{1} << 22) / std::max<std::size_t>(1, automata), 1, 64);
  }
};

}  // namespace falsum
