// Plan: everything about an epoch that does not depend on learning. A fresh random order of the examples, and for each
// example a negative class. These determine the sequence of every learner's *uses*: the examples that update it, in
// order, each with a target. A learner's update reads only its own clauses, so learners can run one after the other, or
// on different threads, and engines can look ahead at the coming uses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace falsum {

/// The uses of one learner, in order: use i is an update with row rows[i] and target targets[i] (vote/objective.h).
/// The rows are a separate array, since evaluators look ahead at rows only.
struct Uses {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> targets;

  std::size_t size() const { return rows.size(); }
  void clear() {
    rows.clear();
    targets.clear();
  }
  void add(std::uint32_t row, std::int32_t target) {
    rows.push_back(row);
    targets.push_back(target);
  }
  void drop_first(std::size_t count) {
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    targets.erase(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(count));
  }
};

/// A view of consecutive uses.
struct UsesView {
  std::span<const std::uint32_t> rows;
  std::span<const std::int32_t> targets;

  UsesView() = default;
  UsesView(const Uses& uses) : rows(uses.rows), targets(uses.targets) {}
  UsesView(std::span<const std::uint32_t> some_rows, std::span<const std::int32_t> their_targets)
      : rows(some_rows), targets(their_targets) {}
  std::size_t size() const { return rows.size(); }
  bool empty() const { return rows.empty(); }
  UsesView part(std::size_t first, std::size_t count) const {
    return {rows.subspan(first, count), targets.subspan(first, count)};
  }
};

class Plan {
 public:
  Plan(std::uint64_t seed, std::uint64_t epoch, std::span<const std::uint32_t> labels, std::size_t classes);

  /// Replaces `out` by the uses of every class among the samples at positions first .. last-1 of the order.
  void uses(std::size_t first, std::size_t last, std::vector<Uses>& out) const;

 private:
  std::size_t classes_;
  std::span<const std::uint32_t> labels_;
  std::vector<std::uint32_t> order_;     // sample at each position
  std::vector<std::uint32_t> negative_;  // the other class, by position
};

}  // namespace falsum
