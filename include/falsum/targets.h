// Targets: what a machine should answer for each row, in the form of its task.
//
//   classification  a class for each row: 0 .. classes - 1
//   multilabel      rows of bits, a column for each label: on where the label applies
//   regression      a number for each row
//
// Rows may have weights, which say how often each is used in learning (row_weights.h).
//
// A view: it points to the caller's data and must not outlive them. AnyTargets owns targets.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "falsum/choices.h"
#include "falsum/rows.h"

namespace falsum {

/// The numbers that a regression machine can answer, from no votes to T votes.
struct NumberRange {
  double least = 0, most = 0;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};

class Targets {
 public:
  Targets(std::span<const std::uint32_t> classes) : task_(Task::kClassification), classes_(classes) {}
  Targets(const std::vector<std::uint32_t>& classes) : Targets(std::span(classes)) {}
  Targets(const Rows& labels) : task_(Task::kMultilabel), labels_(labels) {}
  Targets(const BitMatrix& labels) : Targets(Rows(labels)) {}
  Targets(std::span<const double> numbers) : task_(Task::kRegression), numbers_(numbers) {}
  Targets(const std::vector<double>& numbers) : Targets(std::span(numbers)) {}

  Task task() const { return task_; }
  std::size_t size() const {
    return task_ == Task::kClassification ? classes_.size()
           : task_ == Task::kRegression   ? numbers_.size()
                                          : labels_.rows();
  }
  // Each for its own task.
  std::span<const std::uint32_t> classes() const { return classes_; }
  std::span<const double> numbers() const { return numbers_; }
  const Rows& labels() const { return labels_; }

  /// The same targets; learning uses rows at rates by these weights, one for each row. Empty: all the same.
  Targets with_weights(std::span<const double> weights) const {
    Targets weighted = *this;
    weighted.weights_ = weights;
    return weighted;
  }
  std::span<const double> weights() const { return weights_; }

 private:
  Task task_;
  std::span<const double> weights_;
  std::span<const std::uint32_t> classes_;
  std::span<const double> numbers_;
  Rows labels_{SparseBitsView{}};
};

class AnyTargets {
 public:
  AnyTargets() = default;
  AnyTargets(std::vector<std::uint32_t> classes) : targets_(std::move(classes)) {}
  AnyTargets(BitMatrix labels) : targets_(std::move(labels)) {}
  AnyTargets(std::vector<double> numbers) : targets_(std::move(numbers)) {}

  void set_weights(std::vector<double> weights) { weights_ = std::move(weights); }

  operator Targets() const& {
    return std::visit([](const auto& some) { return Targets(some); }, targets_).with_weights(weights_);
  }
  Targets view() const& { return *this; }
  /// The same targets of some rows only: those for which `wanted` is on.
  AnyTargets part(const std::vector<bool>& wanted) const;

 private:
  std::variant<std::vector<std::uint32_t>, BitMatrix, std::vector<double>> targets_;
  std::vector<double> weights_;
};

}  // namespace falsum
