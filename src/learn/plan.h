// Plan: everything about an epoch that does not depend on learning. A fresh random order of the examples, in which
// those with a weight occur as often as it says (falsum/row_weights.h), and what each is learned for and against. These
// determine the sequence of every learner's *uses*: the examples that update it, in order, each with one or more
// *steps*, an output and its target. A learner's update reads only its own clauses, so learners can run one after the
// other, or on different threads, and engines can look ahead at the coming uses.
//
//   classification  for its class, against one other class: uniform, or chosen when its turn comes (kLate)
//   multilabel      for every label that applies; against each other label with probability negative_share
//   regression      its number, rounded to votes: 0 .. T
//
//   fuzzy           for its class or its labels, and against all others
//
// Where outputs share a bank there is one learner, and a use has a step for each output; else every output has its own
// learner, and a use has one step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "falsum/options.h"
#include "falsum/targets.h"

namespace falsum {

/// The output of a step that is chosen by the votes of all outputs, when the use is learned.
inline constexpr std::uint32_t kLate = 0xffffffff;

/// A view of consecutive uses of a learner.
struct UsesView {
  std::span<const std::uint32_t> rows;     // by use
  std::span<const std::int32_t> targets;   // by step (vote/objective.h)
  std::span<const std::uint32_t> outputs;  // by step; empty if the learner has one output
  std::span<const std::uint32_t> ends;     // by use: the end of its steps; empty if each use has one step
  std::uint32_t first_step = 0;

  std::size_t size() const { return rows.size(); }
  bool empty() const { return rows.empty(); }
  bool has_one_step() const { return ends.empty(); }
  std::uint32_t step_begin(std::size_t use) const {
    return use == 0 ? first_step : has_one_step() ? static_cast<std::uint32_t>(use) : ends[use - 1];
  }
  std::uint32_t step_end(std::size_t use) const {
    return has_one_step() ? static_cast<std::uint32_t>(use + 1) : ends[use];
  }
  /// Whether the votes of all outputs are taken at once: then sums of votes go by output, else by step.
  bool needs_all_votes(std::size_t use, std::size_t all_outputs) const {
    if (has_one_step()) return false;
    const std::uint32_t first = step_begin(use), count = step_end(use) - first;
    const auto these = outputs.subspan(first, count);
    return 4 * count > all_outputs || std::find(these.begin(), these.end(), kLate) != these.end();
  }
  /// Of uses with one step.
  UsesView part(std::size_t first, std::size_t count) const {
    return {rows.subspan(first, count), targets.subspan(first, count), {}, {}};
  }
};

/// The uses of one learner, in order. The rows are a separate array, since evaluators look ahead at rows only.
struct Uses {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> targets;
  std::vector<std::uint32_t> outputs, ends;

  std::size_t size() const { return rows.size(); }
  operator UsesView() const { return {rows, targets, outputs, ends}; }
  UsesView without_first(std::size_t count) const {
    if (ends.empty()) return {std::span(rows).subspan(count), std::span(targets).subspan(count), {}, {}};
    return {std::span(rows).subspan(count), targets, outputs, std::span(ends).subspan(count),
            count == 0 ? 0 : ends[count - 1]};
  }
  void clear() {
    rows.clear();
    targets.clear();
    outputs.clear();
    ends.clear();
  }
  /// A use with one step.
  void add(std::uint32_t row, std::int32_t target) {
    rows.push_back(row);
    targets.push_back(target);
  }
  /// A step of the use that add_row ends.
  void add_step(std::uint32_t output, std::int32_t target) {
    outputs.push_back(output);
    targets.push_back(target);
  }
  void add_row(std::uint32_t row) {
    rows.push_back(row);
    ends.push_back(static_cast<std::uint32_t>(targets.size()));
  }
};

class Plan {
 public:
  /// `range`: of a regression machine.
  Plan(const Options& options, std::uint64_t epoch, const Targets& targets, std::size_t outputs,
       const NumberRange& range = {});

  /// Positions of the order: a sample each.
  std::size_t size() const { return order_.size(); }
  /// The row at each position of the order.
  std::span<const std::uint32_t> order() const { return order_; }
  /// Of a fuzzy machine, where every row is a use of every learner: for up to 512 rows bits that are on where the votes
  /// of a learner should go up, 8 words for each learner.
  void targets(std::span<const std::uint32_t> rows, std::vector<std::uint64_t>& bits) const;

  /// Replaces `out` by the uses of every learner among the samples at positions first .. last-1 of the order.
  void uses(std::size_t first, std::size_t last, std::vector<Uses>& out) const;

 private:
  void add_labels(std::size_t position, std::vector<Uses>& out) const;

  Options options_;
  Targets targets_;
  NumberRange range_;
  std::size_t outputs_;
  std::uint64_t negative_key_;
  std::vector<std::uint32_t> order_;     // sample at each position
  std::vector<std::uint32_t> negative_;  // the other class, by position
};

}  // namespace falsum
