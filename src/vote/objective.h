// Objective: how an output's votes should change. The votes and the target of a use determine the push: whether the
// votes should go up or down, and the probability that a clause takes part. The only owner of T.
//
//   classes, labels   target 1: up with probability (T - v) / 2T; target 0: down with (T + v) / 2T; v within -T .. T
//   numbers           target t in 0 .. T, e = v - t with v within 0 .. T: up if e < 0, down if e > 0, with probability
//                     (e / T)^2 or |e| / T
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "falsum/choices.h"

namespace falsum {

struct Push {
  bool up;
  std::uint64_t probability;  // in units of 2^-32; 0: no clause gets feedback
};

class Objective {
 public:
  explicit Objective(std::int64_t threshold, Task task = Task::kClassification, ErrorLaw error = ErrorLaw::kSquared)
      : threshold_(threshold), is_number_(task == Task::kRegression), is_squared_(error == ErrorLaw::kSquared) {}

  std::int64_t threshold() const { return threshold_; }

  Push push(std::int64_t votes, std::int32_t target) const {
    if (is_number_) return push_number(votes, target);
    const std::int64_t v = std::clamp(votes, -threshold_, threshold_);
    const bool up = target > 0;
    const std::uint64_t distance = static_cast<std::uint64_t>(up ? threshold_ - v : threshold_ + v);
    if (distance == 0) return {up, 0};  // the usual case late in learning, before a division
    return {up, (distance << 32) / (2 * static_cast<std::uint64_t>(threshold_))};
  }

 private:
  Push push_number(std::int64_t votes, std::int32_t target) const {
    const std::int64_t error = std::clamp<std::int64_t>(votes, 0, threshold_) - target;
    const auto size = static_cast<std::uint64_t>(std::abs(error)), whole = static_cast<std::uint64_t>(threshold_);
    const std::uint64_t share = (size << 32) / whole;
    // A share of 1 would not fit when squared; it is its own square.
    return {error < 0, is_squared_ && size < whole ? (share * share) >> 32 : share};
  }

  std::int64_t threshold_;
  bool is_number_, is_squared_;
};

}  // namespace falsum
