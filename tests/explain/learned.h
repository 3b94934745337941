// Machines of 12 random bits that learned how many of the first two are on.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "falsum/machine.h"
#include "support/random.h"

namespace falsum {

class Learned : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t r = 0; r < 300; ++r) {
      for (std::size_t k = 0; k < 12; ++k) {
        if (mix64(r * 100 + k) % 2 == 1) rows_.set(r, k);
      }
      classes_.push_back(static_cast<std::uint32_t>(rows_.get(r, 0) + rows_.get(r, 1)));
      numbers_.push_back(classes_.back() + (rows_.get(r, 2) ? 0.25 : 0));
      for (std::size_t label = 0; label < 3; ++label) {
        if (rows_.get(r, label) != rows_.get(r, label + 1)) labels_.set(r, label);
      }
    }
  }

  /// The answers of a task.
  Targets truth(Task task) const {
    if (task == Task::kRegression) return numbers_;
    return task == Task::kMultilabel ? Targets(labels_) : Targets(classes_);
  }

  Model learned(const Options& options) const {
    Machine machine(options, rows_.columns(), options.task == Task::kRegression ? 1 : 3);
    machine.learn(rows_, truth(options.task), 4);
    return machine.model();
  }

  BitMatrix rows_{300, 12}, labels_{300, 3};
  std::vector<std::uint32_t> classes_;
  std::vector<double> numbers_;
};

}  // namespace falsum
