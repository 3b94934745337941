#include "falsum/changes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

/// How far votes are from another answer: at least 0 once they give it.
class Goal {
 public:
  Goal(std::span<const std::int32_t> votes, Task task, std::optional<std::size_t> output)
      : labels_(task == Task::kMultilabel), output_(output) {
    present_ = static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
    if (labels_) {
      for (const std::int32_t v : votes) applies_.push_back(v > 0);
    }
  }

  bool reached_already() const { return !labels_ && output_ == present_; }

  std::int64_t lead(std::span<const std::int32_t> votes) const {
    if (output_) return lead_of(votes, *output_);
    std::int64_t best = kNever;
    for (std::size_t o = 0; o < votes.size(); ++o) {
      if (labels_ || o != present_) best = std::max(best, lead_of(votes, o));
    }
    return best;
  }

 private:
  std::int64_t lead_of(std::span<const std::int32_t> votes, std::size_t output) const {
    const std::int64_t mine = votes[output];
    if (labels_) return applies_[output] ? -mine : mine - 1;
    std::int64_t lead = std::numeric_limits<std::int64_t>::max();
    for (std::size_t o = 0; o < votes.size(); ++o) {  // the lowest class wins ties
      if (o != output) lead = std::min(lead, mine - votes[o] - (o < output ? 1 : 0));
    }
    return lead;
  }

  bool labels_;
  std::optional<std::size_t> output_;
  std::size_t present_ = 0;
  std::vector<bool> applies_;
};

class ChangeSearch {
 public:
  ChangeSearch(const IncrementalPredictor& position, const ChangeOptions& options, std::vector<std::uint32_t> features)
      : position_(position.index()),
        options_(options),
        features_(std::move(features)),
        goal_(position.votes(), position.task(), options.output),
        successors_(position.features() * position.outputs()) {
    position_.set(position.row());
  }

  Change run() {
    if (goal_.reached_already()) return {};
    for (std::size_t size = 1; size <= std::min(options_.most_features, features_.size()); ++size) {
      if (passes_for(size) > options_.most_passes - std::min(options_.most_passes, change_.passes)) return greedy();
      best_ = -1;
      try_sets(0, size);
      if (best_ >= 0) return finished();
    }
    return finished();
  }

 private:
  std::span<const std::int32_t> after(std::size_t feature) const {
    return std::span(successors_).subspan(feature * position_.outputs(), position_.outputs());
  }
  void look() {
    position_.successors(successors_);
    ++change_.passes;
  }
  /// The sets of size - 1 features, each of which takes a pass.
  std::uint64_t passes_for(std::size_t size) const {
    double passes = 1;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      passes *= static_cast<double>(features_.size() - i) / static_cast<double>(i + 1);
    }
    return passes > 1e18 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(passes + 0.5);
  }

  /// All sets that add `size` features, from the `first` on, to those chosen.
  void try_sets(std::size_t first, std::size_t size) {
    if (size == 1) {
      look();
      for (std::size_t i = first; i < features_.size(); ++i) {
        const std::int64_t lead = goal_.lead(after(features_[i]));
        if (lead < 0 || lead <= best_) continue;
        best_ = lead;
        change_.features = chosen_;
        change_.features.push_back(features_[i]);
        change_.votes.assign(after(features_[i]).begin(), after(features_[i]).end());
      }
      return;
    }
    for (std::size_t i = first; i + size <= features_.size(); ++i) {
      position_.flip(features_[i]);
      chosen_.push_back(features_[i]);
      try_sets(i + 1, size - 1);
      chosen_.pop_back();
      position_.flip(features_[i]);
    }
  }

  /// The best single flip, again and again; then those that turn out not to be needed are taken back.
  Change greedy() {
    change_.smallest = false;
    std::vector<std::uint32_t> left = features_;
    while (goal_.lead(position_.votes()) < 0 && chosen_.size() < options_.most_features && !left.empty()) {
      look();
      const auto best = std::max_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
        return goal_.lead(after(a)) < goal_.lead(after(b));
      });
      position_.flip(*best);
      chosen_.push_back(*best);
      left.erase(best);
    }
    if (goal_.lead(position_.votes()) >= 0) {
      drop_what_is_not_needed();
      change_.features = chosen_;
      change_.votes.assign(position_.votes().begin(), position_.votes().end());
      std::ranges::sort(change_.features);
    }
    return finished();
  }
  void drop_what_is_not_needed() {
    for (bool dropped = true; dropped;) {  // again: one that was needed may not be after another has gone
      dropped = false;
      for (std::size_t i = 0; i < chosen_.size() && chosen_.size() > 1; ++i) {
        position_.flip(chosen_[i]);
        if (goal_.lead(position_.votes()) >= 0) {
          chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(i--));
          dropped = true;
        } else {
          position_.flip(chosen_[i]);
        }
      }
    }
  }
  Change finished() { return std::move(change_); }

  IncrementalPredictor position_;  // its own, so that the caller's stays as it is
  const ChangeOptions& options_;
  std::vector<std::uint32_t> features_;
  Goal goal_;
  std::vector<std::int32_t> successors_;
  std::vector<std::uint32_t> chosen_;
  std::int64_t best_ = -1;
  Change change_;
};

void check(const IncrementalPredictor& position, const ChangeOptions& options) {
  if (position.task() == Task::kRegression) {
    throw ConfigError("the model's task is regression, whose answers are numbers, so no change gives another class");
  }
  if (options.output && *options.output >= position.outputs()) {
    throw ConfigError(fmt::format("output must be from 0 to {}, got {}", position.outputs() - 1, *options.output));
  }
  if (options.most_features == 0) throw ConfigError("most_features must be at least 1, got 0");
  if (options.most_passes == 0) throw ConfigError("most_passes must be at least 1, got 0");
  for (std::size_t i = 0; i < options.features.size(); ++i) {
    const std::uint32_t feature = options.features[i];
    if (feature >= position.features()) {
      throw ConfigError(fmt::format("features must be from 0 to {}, got {}", position.features() - 1, feature));
    }
    if (i > 0 && feature <= options.features[i - 1]) {
      throw ConfigError(fmt::format("features must ascend, got {} after {}", feature, options.features[i - 1]));
    }
  }
}

}  // namespace

Change smallest_change(const IncrementalPredictor& position, const ChangeOptions& options) {
  check(position, options);
  std::vector<std::uint32_t> features = options.features;
  if (features.empty()) {
    features.resize(position.features());
    std::iota(features.begin(), features.end(), 0);
  }
  return ChangeSearch(position, options, std::move(features)).run();
}

}  // namespace falsum
