// Numbers as votes: a regression machine answers from `range.least` with no votes to `range.most` with T votes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "falsum/targets.h"

namespace falsum {

/// The votes that stand for a number, rounded to the nearest; 0 and T for numbers outside the range.
inline std::int32_t votes_for(double number, const NumberRange& range, std::int64_t threshold) {
  if (!(range.most > range.least)) return 0;
  const double share = std::clamp((number - range.least) / (range.most - range.least), 0.0, 1.0);
  return static_cast<std::int32_t>(std::llround(share * static_cast<double>(threshold)));
}

/// The number that these votes stand for. Votes beyond T are T, unless it may `extrapolate`.
inline double number_of(std::int64_t votes, const NumberRange& range, std::int64_t threshold,
                        bool extrapolate = false) {
  const std::int64_t within = extrapolate ? votes : std::clamp<std::int64_t>(votes, 0, threshold);
  const double span = range.most - range.least;
  return range.least + span * static_cast<double>(within) / static_cast<double>(threshold);
}

}  // namespace falsum
