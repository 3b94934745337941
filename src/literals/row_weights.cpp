#include "falsum/row_weights.h"

#include <algorithm>
#include <cmath>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// The class of a row, which must be one of so many.
std::uint32_t class_of(const Targets& targets, std::size_t row, std::size_t classes) {
  const std::uint32_t label = targets.classes()[row];
  if (label < classes) return label;
  throw ConfigError(fmt::format("there are weights for {} classes, but row {} has class {}", classes, row, label));
}

bool is_weight(double weight) { return std::isfinite(weight) && weight >= 0; }

int exponent_of_largest(std::span<const double> weights) {
  return weights.empty() ? 0 : std::ilogb(*std::ranges::max_element(weights)) + 1;
}

}  // namespace

void check_row_weights(std::span<const double> weights, std::size_t rows) {
  if (weights.empty()) return;
  if (weights.size() != rows) {
    throw DataError(fmt::format("there are {} rows but {} row weights", rows, weights.size()));
  }
  bool any = false;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (!is_weight(weights[r])) {
      throw DataError(fmt::format("the weight of row {} must be finite and at least 0, got {}", r, weights[r]));
    }
    any = any || weights[r] > 0;
  }
  if (!any) {
    throw DataError(
        fmt::format("the weights of all rows, 0 to {}, are zero, and at least one must be above 0", rows - 1));
  }
}

bool weights_differ(std::span<const double> weights) {
  return std::ranges::any_of(weights, [&](double weight) { return weight != weights[0]; });
}

std::vector<double> balanced_class_weights(const Targets& targets, std::size_t classes) {
  const std::span<const double> weights = targets.weights();
  const int exponent = exponent_of_largest(weights);
  std::vector<double> sums(classes);
  for (std::size_t r = 0; r < targets.classes().size(); ++r) {
    sums[class_of(targets, r, classes)] += weights.empty() ? 1 : std::ldexp(weights[r], -exponent);
  }
  double all = 0, present = 0;
  for (const double sum : sums) {
    all += sum;
    present += sum > 0 ? 1 : 0;
  }
  for (double& sum : sums) sum = sum > 0 ? all / (present * sum) : 1;
  return sums;
}

std::vector<double> times_class_weights(const Targets& targets, std::span<const double> class_weights) {
  if (targets.task() != Task::kClassification) {
    throw ConfigError(fmt::format("class weights are for classes, and the task is {}", name_of(targets.task())));
  }
  for (std::size_t c = 0; c < class_weights.size(); ++c) {
    if (is_weight(class_weights[c])) continue;
    throw ConfigError(fmt::format("the weight of class {} must be finite and at least 0, got {}", c, class_weights[c]));
  }
  std::vector<double> weights(targets.size());
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const double weight = targets.weights().empty() ? 1 : targets.weights()[r];
    weights[r] = weight * class_weights[class_of(targets, r, class_weights.size())];
  }
  return weights;
}

RowRates::RowRates(std::span<const double> weights) : weights_(weights), exponent_(exponent_of_largest(weights)) {
  const double largest = std::ldexp(*std::ranges::max_element(weights), -exponent_);
  bool same = true;  // those above 0
  for (const double weight : weights) {
    const double scaled = std::ldexp(weight, -exponent_);
    sum_ += scaled;
    count_ += weight > 0 ? 1 : 0;
    same = same && (weight == 0 || scaled == largest);
  }
  if (same) sum_ = largest * count_;  // then all rates are 1, not 1 with the rounding of a sum
}

std::uint64_t RowRates::of(std::size_t row) const {
  const double rate = std::ldexp(weights_[row], -exponent_) * count_ / sum_;  // at most the number of rows, below 2^32
  return static_cast<std::uint64_t>(std::round(std::ldexp(rate, 32)));
}

}  // namespace falsum
