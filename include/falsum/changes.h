// Which change of a row would change its answer: "what would have to be different". The counting form of the paper's
// index (falsum/incremental.h) gives the votes after every single flip at once, so a change of one feature is found in
// one pass, one of two features in a pass for each feature, and so on.
//
// Features are Boolean. Flipping one bit of a number that became several features (age >= 30, age >= 41) may describe
// no number at all: name the features that may change, or read the result as a hint.
//
//   IncrementalPredictor position(model);
//   position.set(rows.row(0));
//   const Change change = smallest_change(position, {.output = 2});
//   if (change.found()) ...  // change.features, change.votes
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "falsum/incremental.h"

namespace falsum {

struct ChangeOptions {
  /// The class that should be predicted, or the label whose decision should change; by default any other answer.
  std::optional<std::size_t> output = std::nullopt;
  std::vector<std::uint32_t> features = {};  // that may change, ascending; none: all
  std::size_t most_features = 3;             // that may change together
  std::uint64_t most_passes = 20'000;        // before the search turns greedy
};

struct Change {
  std::vector<std::uint32_t> features;  // to flip, ascending; empty: no change was found
  std::vector<std::int32_t> votes;      // after it
  /// Nothing smaller would do. Off if the search turned greedy; then without any one of the features the answer stays.
  bool smallest = true;
  std::uint64_t passes = 0;  // calls of successors()
  bool found() const { return !features.empty(); }
};

/// The smallest change that gives another answer; of those of the same size the one whose new answer leads by most,
/// then the first. Throws ConfigError for options out of range and for a regression model, which has no other answer
/// but other numbers.
Change smallest_change(const IncrementalPredictor& position, const ChangeOptions& options = {});

}  // namespace falsum
