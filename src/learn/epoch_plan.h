// EpochPlan: everything about an epoch that does not depend on learning. A fresh random order of the examples, and for
// each the other class that is pushed away. From it follows, for every class, the sequence of its *uses*: the
// examples it is updated with, in order. A class's update reads nothing but its own clauses, so classes can run
// one after the other, or on different threads, and engines can look ahead at the uses to come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "literals/use_rows.h"

namespace falsum {

class EpochPlan {
 public:
  EpochPlan(std::uint64_t seed, std::uint64_t epoch, std::span<const std::uint32_t> labels, std::size_t classes);

  /// The uses of every class among the samples at positions first .. last-1 of the order, instead of what `out` held.
  void uses(std::size_t first, std::size_t last, std::vector<std::vector<Use>>& out) const;

 private:
  std::size_t classes_;
  std::span<const std::uint32_t> labels_;
  std::vector<std::uint32_t> order_;     // sample at each position
  std::vector<std::uint32_t> negative_;  // the other class, by position
};

}  // namespace falsum
