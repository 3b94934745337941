// Compares the law of learning with the textbook machine: over seeds, the means of what is measured must agree. The two
// machines draw unrelated random numbers, so only statistics can be compared.
//
// Each mean must agree within 4.5 standard errors of the difference (Welch's test). By Student's t that is one false
// alarm in 62,000 comparisons of 60 seeds and in 22,000 of 24. The seeds are fixed: a build that passes goes on passing
// until its draws change. The power is printed: a difference of `detects` would be found in 19 of 20 runs (6.145
// standard errors). `make statistics` asks for more seeds, and so finds smaller differences.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <variant>
#include <vector>

#include "falsum/predictor.h"
#include "falsum/scores.h"
#include "learn/trainer.h"
#include "textbook_machine.h"

namespace falsum::textbook_statistics {

inline constexpr double kAllowed = 4.5, kDetected = kAllowed + 1.645;  // standard errors of the difference

struct Moments {
  double n = 0, sum = 0, squares = 0;
  void add(double x) {
    ++n;
    sum += x;
    squares += x * x;
  }
  double mean() const { return n == 0 ? 0 : sum / n; }
  double variance() const { return n < 2 ? 0 : std::max(0.0, (squares - sum * sum / n) / (n - 1)); }
};

struct Slice {
  BitMatrix rows;
  std::variant<std::vector<std::uint32_t>, BitMatrix, std::vector<double>> targets;
};

struct Data {
  Slice train, test;
  std::size_t outputs;
};

// What is measured of a machine: its clauses after the last epoch, events of all epochs. Untouched automata are in
// their first state: after many events only those are that were dropped. Without an option some of this is constant.
inline constexpr const char* kMeasures[] = {
    "clause length",   // mean of all clauses
    "length spread",   // its standard deviation
    "state",           // mean of all automata, where no forgetting waits: with dropped literals
    "state trend",     // of the later half of a polarity's clauses, less that of the first half
    "flips",           //
    "Type Ia",         //
    "Type Ib",         //
    "Type II",         //
    "score",           // on other rows: accuracy %, right decisions about labels %, or RMSE
    "weight",          // mean size
    "weight spread",   // its standard deviation
    "positive %",      // weights of 0 and above
    "one-sided %",     // clauses all of whose weights are positive, or none
    "idle clauses",    // without a touched automaton
    "idle literals",   // untouched in all clauses of a bank, over all banks
    "idle features",   // both of whose literals are idle
    "idle everywhere"  // literals that are idle in all banks
};
using Measures = std::array<double, std::size(kMeasures)>;

struct Events {
  double flips = 0, type_1a = 0, type_1b = 0, type_2 = 0;
};

/// `state(bank, clause, literal)` and `weight(bank, clause, output of the bank)` read a machine.
template <class State, class Weight>
Measures measure(const Options& options, std::size_t banks, std::size_t literals, std::size_t outputs,
                 const State& state, const Weight& weight, const Events& events, double score) {
  const auto n = static_cast<std::size_t>(options.clauses);
  const std::size_t ranks = options.shared || options.task == Task::kRegression ? n : n / 2;
  Moments lengths, early, late, sizes, positive, one_sided;  // early, late: states
  double idle_clauses = 0, idle_literals = 0, idle_features = 0, idle_everywhere = 0;
  std::vector<std::size_t> idle_banks(literals, 0);
  for (std::size_t b = 0; b < banks; ++b) {
    std::vector<bool> idle(literals, true);
    for (std::size_t j = 0; j < n; ++j) {
      double length = 0;
      bool is_idle = true;
      for (std::size_t l = 0; l < literals; ++l) {
        const int value = state(b, j, l);
        (2 * (j % ranks) < ranks ? early : late).add(value);
        if (value >= 128) ++length;
        if (value != 127) is_idle = idle[l] = false;
      }
      idle_clauses += is_idle;
      lengths.add(length);
      bool is_one_sided = true;
      for (std::size_t o = 0; o < (options.shared ? outputs : 1); ++o) {
        sizes.add(std::abs(weight(b, j, o)));
        positive.add(weight(b, j, o) >= 0 ? 100 : 0);
        is_one_sided &= (weight(b, j, o) >= 0) == (weight(b, j, 0) >= 0);
      }
      one_sided.add(is_one_sided ? 100 : 0);
    }
    for (std::size_t l = 0; l < literals; ++l) {
      idle_literals += idle[l];
      idle_banks[l] += idle[l];
      if (l < literals / 2) idle_features += idle[l] && idle[l + literals / 2];
    }
  }
  for (const std::size_t count : idle_banks) idle_everywhere += count == banks;
  return {lengths.mean(),
          std::sqrt(lengths.variance()),
          options.drop_literals > 0 ? (early.sum + late.sum) / (early.n + late.n) : 0,
          late.mean() - early.mean(),
          events.flips,
          events.type_1a,
          events.type_1b,
          events.type_2,
          score,
          sizes.mean(),
          std::sqrt(sizes.variance()),
          positive.mean(),
          one_sided.mean(),
          idle_clauses,
          idle_literals,
          idle_features,
          idle_everywhere};
}

inline double score_of(const Targets& answers, const Targets& truth) {
  const std::vector<Score> all = scores(answers, truth);
  return truth.task() == Task::kRegression ? all[0].value : 100 * all[truth.task() == Task::kMultilabel].value;
}

inline Measures measure_ours(const Options& options, const Data& data, int epochs) {
  return std::visit(
      [&](const auto& targets) {
        Trainer trainer(options, data.train.rows.columns(), data.outputs);
        Events events;
        for (int e = 0; e < epochs; ++e) {
          const LearnCounters counters = trainer.learn_epoch(data.train.rows, targets, {}).counters;
          events.flips += static_cast<double>(counters.flips);
          events.type_1a += static_cast<double>(counters.type_1a);
          events.type_1b += static_cast<double>(counters.type_1b);
          events.type_2 += static_cast<double>(counters.type_2);
        }
        const AnyTargets answers = Predictor(trainer.model()).answers(data.test.rows);
        const auto state = [&](std::size_t b, std::size_t j, std::size_t l) {
          return int{trainer.learner(b).bank().state(static_cast<ClauseId>(j), static_cast<LiteralId>(l))};
        };
        const auto weight = [&](std::size_t b, std::size_t j, std::size_t o) {
          return trainer.learner(b).weights().of(static_cast<ClauseId>(j), o) /
                 static_cast<double>(votes_of_one(options));
        };
        const auto& truth = std::get<std::decay_t<decltype(targets)>>(data.test.targets);
        return measure(options, trainer.learners(), 2 * data.train.rows.columns(), data.outputs, state, weight, events,
                       score_of(answers, truth));
      },
      data.train.targets);
}

inline AnyTargets answers_of(const TextbookMachine& machine, const Options& options, const BitMatrix& rows) {
  if (options.task == Task::kRegression) return machine.numbers(rows);
  if (options.task == Task::kMultilabel) return machine.labels(rows);
  return machine.classes(rows);
}

inline Measures measure_textbook(const Options& options, const Data& data, int epochs) {
  return std::visit(
      [&](const auto& targets) {
        TextbookMachine machine(options, data.train.rows.columns(), data.outputs);
        Events events;
        for (int e = 0; e < epochs; ++e) {
          const TextbookMachine::Counts counts = machine.learn_epoch(data.train.rows, targets);
          events.flips += counts.flips;
          events.type_1a += counts.type_1a;
          events.type_1b += counts.type_1b;
          events.type_2 += counts.type_2;
        }
        const AnyTargets answers = answers_of(machine, options, data.test.rows);
        const auto state = [&](std::size_t b, std::size_t j, std::size_t l) {
          return int{machine.clauses(b)[j].states[l]};
        };
        const auto weight = [&](std::size_t b, std::size_t j, std::size_t o) {
          return machine.clauses(b)[j].weights[o];
        };
        const auto& truth = std::get<std::decay_t<decltype(targets)>>(data.test.targets);
        return measure(options, machine.banks(), 2 * data.train.rows.columns(), data.outputs, state, weight, events,
                       score_of(answers, truth));
      },
      data.train.targets);
}

inline void compare_machines(Options options, const Data& data, int epochs, int seeds) {
  if (const char* const more = std::getenv("FALSUM_SEEDS")) seeds *= std::max(1, std::atoi(more));
  options.threads = 1;
  std::array<Moments, std::size(kMeasures)> ours, textbook;
  for (int seed = 0; seed < seeds; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    const Measures a = measure_ours(options, data, epochs), b = measure_textbook(options, data, epochs);
    for (std::size_t m = 0; m < a.size(); ++m) {
      ours[m].add(a[m]);
      textbook[m].add(b[m]);
    }
  }
  for (std::size_t m = 0; m < ours.size(); ++m) {
    const double error = std::sqrt((ours[m].variance() + textbook[m].variance()) / seeds);
    const double difference = ours[m].mean() - textbook[m].mean();
    EXPECT_LE(std::abs(difference), kAllowed * error)
        << kMeasures[m] << ": " << ours[m].mean() << " and " << textbook[m].mean();
    if (error == 0) continue;  // constant in both
    const double detects = kDetected * error;
    printf("  %-15s ours %10.3f  textbook %10.3f  difference %+5.2f standard errors, detects %9.3f (%.1f%%)\n",
           kMeasures[m], ours[m].mean(), textbook[m].mean(), difference / error, detects,
           100 * detects / std::abs(textbook[m].mean()));
  }
}

}  // namespace falsum::textbook_statistics
