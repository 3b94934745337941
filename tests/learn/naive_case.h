// A machine and its data for the comparisons with the naive machine (naive_test.cpp, pairs_test.cpp).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "learn/trainer.h"
#include "naive_machine.h"
#include "random_data.h"
#include "vote/numbers.h"

namespace falsum {

struct NaiveCase {
  std::string name;
  std::int64_t clauses, threshold;
  double specificity;
  std::int64_t states;
  bool boost;
  std::size_t features, outputs, rows, epochs;
  std::function<void(Options&)> variant = [](Options&) {};
  bool row_weights = false;
};

inline void patches(Options& options, const char* image, const char* patch, const char* stride = "1x1") {
  options.image = image;
  options.patch = patch;
  options.stride = stride;
}

inline Options options_of(const NaiveCase& c) {
  Options options;
  options.clauses = c.clauses;
  options.threshold = c.threshold;
  options.specificity = c.specificity;
  options.states = c.states;
  options.boost = c.boost;
  options.seed = 11;
  options.threads = 1;
  c.variant(options);
  return options;
}

/// Targets of every task for the same rows.
struct TaskData {
  TaskData(const NaiveCase& c, const Options& options)
      : data(3, c.rows, c.features, std::max<std::size_t>(2, c.outputs)), labels(c.rows, c.outputs) {
    for (std::size_t r = 0; r < c.rows; ++r) {
      const std::vector<bool>& row = data.naive_rows[r];
      naive_labels.emplace_back(c.outputs);
      for (std::size_t o = 0; o < c.outputs; ++o) {
        naive_labels[r][o] = row[o % c.features] != row[(o + 1) % c.features];
        if (naive_labels[r][o]) labels.set(r, o);
      }
      numbers.push_back(2.0 * row[0] + row[1] + (r % 7 == 0 ? 0.3 : 0));
    }
    for (const double number : numbers) votes.push_back(votes_for(number, range(), vote_target(options)));
    for (std::size_t r = 0; c.row_weights && r < c.rows; ++r)
      weights.push_back(std::array{1.0, 0.0, 2.75, 0.01, 9.0}[r % 5]);
  }
  NumberRange range() const {
    return {*std::min_element(numbers.begin(), numbers.end()), *std::max_element(numbers.begin(), numbers.end())};
  }

  Targets targets(Task task) const {
    const Targets plain = task == Task::kClassification ? Targets(data.labels)
                          : task == Task::kMultilabel   ? Targets(labels)
                                                        : Targets(numbers);
    return plain.with_weights(weights);
  }
  void learn(NaiveMachine& naive, Task task) const {
    if (task == Task::kClassification) naive.learn_epoch(data.naive_rows, data.labels);
    if (task == Task::kMultilabel) naive.learn_epoch(data.naive_rows, naive_labels);
    if (task == Task::kRegression) naive.learn_epoch(data.naive_rows, votes);
  }

  RandomData data;
  BitMatrix labels;
  NaiveMachine::Rows naive_labels;
  std::vector<double> numbers;
  std::vector<std::int64_t> votes;
  std::vector<double> weights;  // of rows
};

/// Every weight and automaton.
inline void expect_equal(const Trainer& trainer, const NaiveMachine& naive, const std::string& where) {
  for (std::size_t i = 0; i < naive.banks(); ++i) {
    const Learner& learner = trainer.learner(i);
    for (std::uint32_t j = 0; j < learner.bank().clauses(); ++j) {
      const NaiveClause& clause = naive.clause(i, j);
      for (std::size_t o = 0; o < clause.weight.size(); ++o) {
        ASSERT_EQ(learner.weights().of(ClauseId{j}, o), clause.weight[o])
            << where << " clause " << j << " output " << o;
        ASSERT_EQ(((learner.weights().positive(o)[j / 64] >> (j % 64)) & 1) != 0 || clause.sign != 0,
                  clause.weight[o] >= 0 || clause.sign != 0)
            << where;
      }
      for (std::uint32_t l = 0; l < learner.bank().literals(); ++l) {
        if (learner.bank().state(ClauseId{j}, LiteralId{l}) == clause.state[l]) continue;  // ASSERT_EQ takes longer
        FAIL() << where << " bank " << i << " clause " << j << " literal " << l << ": "
               << learner.bank().state(ClauseId{j}, LiteralId{l}) << ", not " << clause.state[l];
      }
    }
  }
}

}  // namespace falsum
