#include "learn/plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "falsum/row_weights.h"
#include "literals/row_features.h"
#include "support/random.h"
#include "vote/numbers.h"

namespace falsum {
namespace {

/// The rows of an epoch, ascending, each as often as it is used.
std::vector<std::uint32_t> rows_of_epoch(const Targets& targets, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::uint32_t> rows(targets.size());
  std::iota(rows.begin(), rows.end(), 0u);
  const std::span<const double> weights = targets.weights();
  if (!weights_differ(weights)) return rows;
  rows.clear();
  const RowRates rates(weights);
  const std::uint64_t key = purpose_key(seed, Purpose::kUsesOfRows);
  std::uint64_t number = 0;  // of rows with a weight: the others are as if they were not there
  for (std::uint32_t row = 0; row < weights.size(); ++row) {
    if (weights[row] == 0) continue;
    const std::uint64_t rate = rates.of(row), began_with = child(key, number++) >> 32;
    const std::uint64_t saved = (began_with + epoch * rate) & 0xffffffffu;  // overflow changes no bit that stays
    rows.insert(rows.end(), (rate >> 32) + ((saved + (rate & 0xffffffffu)) >> 32), row);
  }
  return rows;
}

}  // namespace

Plan::Plan(const Options& options, std::uint64_t epoch, const Targets& targets, std::size_t outputs,
           const NumberRange& range)
    : options_(options),
      targets_(targets),
      range_(range),
      outputs_(outputs),
      negative_key_(child(purpose_key(options.seed, Purpose::kNegatives), epoch)),
      order_(rows_of_epoch(targets, options.seed, epoch)) {
  const std::uint64_t order_key = child(purpose_key(options.seed, Purpose::kOrder), epoch);
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[bounded(child(order_key, i), i)]);
  if (options.task != Task::kClassification || options.negatives == Negatives::kFocused || is_fuzzy(options)) return;
  negative_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t other = static_cast<std::uint32_t>(bounded(child(negative_key_, i), outputs - 1));
    negative_[i] = other + (other >= targets.classes()[order_[i]]);
  }
}

void Plan::targets(std::span<const std::uint32_t> rows, std::vector<std::uint64_t>& bits) const {
  bits.assign(8 * count_banks(options_, outputs_), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto set = [&](std::size_t learner) { bits[8 * learner + i / 64] |= std::uint64_t{1} << (i % 64); };
    if (options_.task == Task::kMultilabel) {
      for_each_feature(targets_.labels(), rows[i], set);
    } else if (const std::uint32_t label = targets_.classes()[rows[i]]; !options_.shared) {
      set(label);
    } else if (label == 1) {
      set(0);
    }
  }
}

void Plan::uses(std::size_t first, std::size_t last, std::vector<Uses>& out) const {
  out.resize(count_banks(options_, outputs_));
  for (Uses& uses : out) uses.clear();
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t row = order_[i];
    switch (options_.task) {
      case Task::kRegression:
        out[0].add(row, votes_for(targets_.numbers()[row], range_, vote_target(options_)));
        break;
      case Task::kMultilabel:
        add_labels(i, out);
        break;
      case Task::kClassification:
        const std::uint32_t label = targets_.classes()[row];
        if (options_.shared) {
          out[0].add_step(label, 1);
          out[0].add_step(negative_.empty() ? kLate : negative_[i], 0);
          out[0].add_row(row);
        } else {
          out[label].add(row, 1);
          out[negative_[i]].add(row, 0);
        }
        break;
    }
  }
}

/// For all labels that apply, ascending, then against some of the others, ascending.
void Plan::add_labels(std::size_t position, std::vector<Uses>& out) const {
  const std::uint32_t row = order_[position];
  const std::size_t steps = out[0].targets.size();
  const auto add = [&](std::size_t output, std::int32_t target) {
    if (options_.shared) {
      out[0].add_step(static_cast<std::uint32_t>(output), target);
    } else {
      out[output].add(row, target);
    }
  };
  for_each_feature(targets_.labels(), row, [&](std::size_t output) { add(output, 1); });
  const std::uint64_t key = child(negative_key_, position);
  std::size_t next = 0;
  const auto add_others = [&](std::size_t end) {
    for (; next < end; ++next) {
      if (happens(child(key, next), options_.negative_share)) add(next, 0);
    }
    ++next;
  };
  for_each_feature(targets_.labels(), row, add_others);
  add_others(outputs_);
  if (options_.shared && out[0].targets.size() > steps) out[0].add_row(row);  // else there is nothing to learn from it
}

}  // namespace falsum
