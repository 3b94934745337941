// The library's machine against the naive one, automaton by automaton.
#include <gtest/gtest.h>

#include "falsum/predictor.h"
#include "kernels/dispatch.h"
#include "learn/trainer.h"
#include "naive_machine.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum::naive_test {
namespace {

struct Case {
  const char* name;
  std::int64_t clauses, threshold;
  double specificity;
  std::int64_t states;
  bool boost;
  std::size_t features, classes, rows, epochs;
  std::int64_t max_weight = 1;
};

Options options_of(const Case& c) {
  Options options;
  options.clauses = c.clauses;
  options.threshold = c.threshold;
  options.specificity = c.specificity;
  options.states = c.states;
  options.boost = c.boost;
  options.max_weight = c.max_weight;
  options.seed = 11;
  options.threads = 1;
  return options;
}

class NaiveDeterminismTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, NaiveDeterminismTest,
    testing::Values(
        Case{"small", 10, 5, 3.9, 256, true, 12, 2, 400, 3}, Case{"unboosted", 20, 8, 5, 256, false, 33, 3, 200, 3},
        Case{"few_states", 14, 4, 2.5, 8, true, 20, 3, 200, 3}, Case{"two_states", 6, 3, 4, 2, true, 9, 2, 200, 2},
        Case{"wide", 6, 10, 10, 256, true, 300, 4, 100, 2}, Case{"many_clauses", 150, 12, 7, 256, true, 40, 3, 60, 2},
        Case{"always_forgets", 10, 5, 1, 256, true, 16, 2, 100, 2},
        Case{"hardly_forgets", 10, 5, 1000, 256, true, 16, 2, 200, 2},
        // One clause a polarity and a threshold out of reach: feedback never stops, so clauses owe often and long.
        Case{"settles", 2, 1000, 30, 64, true, 70, 2, 3000, 2},
        Case{"weighted", 20, 60, 3.9, 256, true, 12, 2, 400, 3, 255},
        Case{"weighted_to_the_cap", 150, 40, 5, 256, false, 33, 3, 200, 3, 3}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(NaiveDeterminismTest, EveryAutomatonAgreesAfterEveryEpoch) {
  const Case& c = GetParam();
  const RandomData data(3, c.rows, c.features, c.classes);
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    for (const Kernels* kernels : supported_kernels()) {
      NaiveMachine naive(options_of(c), c.features, c.classes);
      Options options = options_of(c);
      options.engine = engine_named(engine);
      options.kernels = kernels->name;
      Trainer trainer(options, c.features, c.classes);
      std::uint64_t flips = 0;
      for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) {
        naive.learn_epoch(data.naive_rows, data.labels);
        flips += trainer.learn_epoch(data.rows, data.labels, {}).counters.flips;
        for (std::size_t i = 0; i < c.classes; ++i) {
          for (std::uint32_t j = 0; j < c.clauses; ++j) {
            const std::int32_t weight = naive.clause(i, j).weight;
            ASSERT_EQ(trainer.learner(i).weights().of(ClauseId{j}), j < c.clauses / 2 ? weight : -weight) << j;
            for (std::uint32_t l = 0; l < 2 * c.features; ++l) {
              ASSERT_EQ(trainer.learner(i).bank().state(ClauseId{j}, LiteralId{l}), naive.clause(i, j).state[l])
                  << engine << " " << kernels->name << " epoch " << epoch << " class " << i << " clause " << j
                  << " literal " << l;
            }
          }
        }
      }
      ASSERT_EQ(flips, naive.flips());
      const Predictor predictor(trainer.model());
      for (std::size_t r = 0; r < 20; ++r) {
        std::vector<std::int32_t> votes(c.classes);
        predictor.votes(data.rows.row(r), votes);
        EXPECT_EQ(std::vector<int>(votes.begin(), votes.end()), naive.votes(data.naive_rows[r]));
      }
      if (engine == "index") {
        for (std::size_t i = 0; i < c.classes; ++i) {
          const auto& evaluator = dynamic_cast<const IndexEvaluator&>(trainer.learner(i).evaluator());
          ASSERT_TRUE(evaluator.index().check(trainer.learner(i).bank()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace falsum::naive_test
