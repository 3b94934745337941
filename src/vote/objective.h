// Objective: how an output's votes should change. The votes and the target of a use determine the push: whether the
// votes should go up or down, and the probability that a clause takes part. The only owner of T.
//
//   classes   target 1: up with probability (T - v) / 2T; target 0: down with (T + v) / 2T; v is clipped to -T .. T
#pragma once

#include <algorithm>
#include <cstdint>

namespace falsum {

struct Push {
  bool up;
  std::uint64_t probability;  // in units of 2^-32; 0: no clause gets feedback
};

class Objective {
 public:
  explicit Objective(std::int64_t threshold) : threshold_(threshold) {}

  Push push(std::int64_t votes, std::int32_t target) const {
    const std::int64_t v = std::clamp(votes, -threshold_, threshold_);
    const bool up = target > 0;
    const std::uint64_t distance = static_cast<std::uint64_t>(up ? threshold_ - v : threshold_ + v);
    if (distance == 0) return {up, 0};  // the usual case late in learning, before a division
    return {up, (distance << 32) / (2 * static_cast<std::uint64_t>(threshold_))};
  }

 private:
  std::int64_t threshold_;
};

}  // namespace falsum
