// VoteSums: the votes of all shards of a machine, from those of one: a Collective, with counts of what went over it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "falsum/collective.h"

namespace falsum {

class VoteSums {
 public:
  explicit VoteSums(Collective& collective) : collective_(collective) {}

  std::uint64_t sums() const { return sums_; }
  std::uint64_t bytes() const { return bytes_; }

  /// Replaces the votes by the sums over all shards. Votes are 32-bit numbers (validate(Options)).
  void add(std::span<std::int64_t> votes) {
    numbers_.assign(votes.begin(), votes.end());
    collective_.sum(numbers_);
    std::copy(numbers_.begin(), numbers_.end(), votes.begin());
    ++sums_;
    bytes_ += 4 * votes.size();
  }

 private:
  Collective& collective_;
  std::vector<std::int32_t> numbers_;
  std::uint64_t sums_ = 0, bytes_ = 0;
};

}  // namespace falsum
