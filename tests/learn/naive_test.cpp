// The library's machine against the naive one, automaton by automaton.
#include <gtest/gtest.h>

#include "falsum/predictor.h"
#include "kernels/dispatch.h"
#include "learn/naive_case.h"
#include "state_digest.h"

namespace falsum::naive_test {
namespace {

using Case = NaiveCase;

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
        Case{"weighted", 20, 60, 3.9, 256, true, 12, 2, 400, 3, [](Options& o) { o.max_weight = 255; }},
        Case{"weighted_to_the_cap", 150, 40, 5, 256, false, 33, 3, 200, 3, [](Options& o) { o.max_weight = 3; }},
        Case{"slowly_weighted", 20, 6, 3.9, 256, true, 12, 2, 400, 3, [](Options& o) { o.weight_growth = 0.03; }},
        Case{"slowly_weighted_to_both_ends", 130, 9, 3, 256, false, 12, 2, 200, 2,
             [](Options& o) {
               o.weight_growth = 1;
               o.max_weight = 20;
             }},
        Case{"slowly_weighted_numbers", 33, 30, 3, 256, true, 12, 1, 300, 3,
             [](Options& o) {
               o.task = Task::kRegression;
               o.weight_growth = 0.01;
               o.drop_clauses = 0.2;
             }},
        Case{"range_of_s", 90, 12, 2, 256, true, 33, 3, 200, 2, [](Options& o) { o.specificity_to = 20; }},
        Case{"range_of_s_downwards", 10, 8, 12, 256, false, 12, 2, 300, 2, [](Options& o) { o.specificity_to = 1; }},
        Case{"budget", 20, 8, 5, 256, true, 33, 3, 200, 3, [](Options& o) { o.max_literals = 4; }},
        Case{"budget_of_one", 10, 8, 3, 256, false, 12, 2, 300, 3, [](Options& o) { o.max_literals = 1; }},
        Case{"dropped_clauses", 70, 8, 5, 256, true, 33, 3, 200, 4, [](Options& o) { o.drop_clauses = 0.5; }},
        Case{"dropped_literals", 20, 8, 5, 256, true, 33, 3, 200, 4, [](Options& o) { o.drop_literals = 0.4; }},
        Case{"most_literals_dropped", 10, 8, 5, 16, false, 12, 2, 300, 4, [](Options& o) { o.drop_literals = 0.9; }},
        Case{"shared", 70, 30, 5, 256, true, 33, 4, 200, 3, [](Options& o) { o.shared = true; }},
        Case{"shared_by_two", 1, 3, 4, 256, false, 9, 2, 200, 3, [](Options& o) { o.shared = true; }},
        Case{"shared_to_the_cap", 64, 12, 5, 256, true, 12, 3, 300, 3,
             [](Options& o) {
               o.shared = true;
               o.max_weight = 2;
             }},
        Case{"shared_focused", 65, 20, 5, 256, true, 33, 5, 200, 3,
             [](Options& o) {
               o.shared = true;
               o.negatives = Negatives::kFocused;
             }},
        Case{"shared_with_everything", 63, 20, 3, 256, false, 33, 5, 200, 3,
             [](Options& o) {
               o.shared = true;
               o.negatives = Negatives::kFocused;
               o.specificity_to = 9;
               o.max_literals = 5;
               o.drop_clauses = 0.3;
               o.drop_literals = 0.3;
             }},
        Case{"labels", 20, 8, 5, 256, true, 12, 4, 200, 3, [](Options& o) { o.task = Task::kMultilabel; }},
        Case{"some_labels", 20, 8, 5, 256, true, 12, 4, 200, 3,
             [](Options& o) {
               o.task = Task::kMultilabel;
               o.negative_share = 0.4;
             }},
        Case{"one_label", 20, 8, 5, 256, true, 12, 1, 200, 3, [](Options& o) { o.task = Task::kMultilabel; }},
        Case{"shared_labels", 40, 20, 5, 256, true, 12, 20, 200, 3,
             [](Options& o) {
               o.task = Task::kMultilabel;
               o.shared = true;
               o.negative_share = 0.15;
             }},
        Case{"numbers", 33, 30, 3, 256, true, 12, 1, 300, 3, [](Options& o) { o.task = Task::kRegression; }},
        Case{"weighted_numbers", 20, 3000, 3, 256, true, 12, 1, 300, 3,
             [](Options& o) {
               o.task = Task::kRegression;
               o.weighted = true;
             }},
        Case{"linear_numbers", 66, 40, 3, 256, false, 12, 1, 300, 3,
             [](Options& o) {
               o.task = Task::kRegression;
               o.error = ErrorLaw::kLinear;
               o.weighted = true;
               o.max_weight = 5;
               o.max_literals = 3;
               o.specificity_to = 6;
               o.drop_clauses = 0.2;
               o.drop_literals = 0.2;
             }},
        Case{"row_weights", 20, 8, 4, 256, true, 12, 3, 300, 4, [](Options&) {}, true},
        Case{"row_weights_shared", 33, 20, 5, 256, false, 12, 4, 200, 3,
             [](Options& o) {
               o.shared = true;
               o.negatives = Negatives::kFocused;
               o.drop_clauses = 0.2;
             },
             true},
        Case{"row_weights_labels", 20, 8, 5, 256, true, 12, 4, 200, 3,
             [](Options& o) {
               o.task = Task::kMultilabel;
               o.negative_share = 0.4;
             },
             true},
        Case{"row_weights_numbers", 33, 300, 3, 256, true, 12, 1, 300, 3,
             [](Options& o) {
               o.task = Task::kRegression;
               o.weighted = true;
             },
             true},
        Case{"row_weights_of_patches", 20, 10, 4, 256, true, 45, 3, 150, 3,
             [](Options& o) { patches(o, "5x9", "2x3"); }, true},
        Case{"patches", 20, 10, 4, 256, true, 45, 2, 150, 3, [](Options& o) { patches(o, "5x9", "2x3"); }},
        // Dropped clauses do not change, so blocks begin four at a time.
        Case{"patches_of_few_clauses", 40, 10, 4, 256, true, 45, 2, 600, 3,
             [](Options& o) {
               patches(o, "5x9", "2x3");
               o.drop_clauses = 0.5;
             }},
        Case{"patches_unboosted", 66, 12, 5, 16, false, 45, 3, 130, 2, [](Options& o) { patches(o, "9x5", "3x3"); }},
        Case{"patches_with_strides", 20, 10, 4, 256, true, 77, 2, 130, 2,
             [](Options& o) { patches(o, "7x11", "2x3", "2x3"); }},
        Case{"patches_of_channels", 20, 80, 4, 256, true, 120, 3, 130, 2,
             [](Options& o) {
               patches(o, "4x10x3", "2x4", "1x2");
               o.weighted = true;
               o.max_literals = 6;
             }},
        Case{"patches_of_a_sequence", 10, 10, 4, 256, true, 150, 2, 66, 2,
             [](Options& o) { patches(o, "1x150", "1x70"); }},
        Case{"patches_of_a_pixel", 10, 10, 3, 256, true, 36, 2, 130, 2, [](Options& o) { patches(o, "12x3", "1x1"); }},
        Case{"patch_of_the_image", 10, 10, 4, 256, true, 24, 2, 100, 2, [](Options& o) { patches(o, "4x6", "4x6"); }},
        Case{"shared_patches", 65, 40, 4, 256, true, 45, 4, 150, 2,
             [](Options& o) {
               patches(o, "5x9", "2x3");
               o.shared = true;
               o.max_literals = 5;
               o.specificity_to = 9;
               o.drop_clauses = 0.2;
               o.drop_literals = 0.2;
             }},
        Case{"numbers_of_patches", 33, 300, 3, 256, true, 45, 1, 150, 2,
             [](Options& o) {
               patches(o, "5x9", "2x3");
               o.task = Task::kRegression;
               o.weighted = true;
             }}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(NaiveDeterminismTest, EveryAutomatonAgreesAfterEveryEpoch) {
  const Case& c = GetParam();
  const TaskData tasks(c, options_of(c));
  const RandomData& data = tasks.data;
  NaiveMachine naive(options_of(c), c.features, c.outputs);
  naive.set_weights(tasks.weights);
  struct Run {
    std::string name;
    Trainer trainer;
    std::uint64_t flips = 0;
  };
  std::vector<Run> runs;
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    for (const Kernels* kernels : supported_kernels()) {
      Options options = options_of(c);
      options.engine = engine_named(engine);
      options.kernels = kernels->name;
      runs.push_back({engine + " " + kernels->name, Trainer(options, c.features, c.outputs)});
    }
  }
  for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) {
    tasks.learn(naive, options_of(c).task);
    for (Run& run : runs) {
      run.flips += run.trainer.learn_epoch(data.rows, tasks.targets(options_of(c).task), {}).counters.flips;
      ASSERT_NO_FATAL_FAILURE(expect_equal(run.trainer, naive, run.name + " epoch " + std::to_string(epoch)));
    }
  }
  for (const Run& run : runs) {
    ASSERT_EQ(run.flips, naive.flips()) << run.name;
    const Predictor predictor(run.trainer.model());
    for (std::size_t r = 0; r < 20; ++r) {
      std::vector<std::int32_t> votes(c.outputs);
      predictor.votes(data.rows.row(r), votes);
      EXPECT_EQ(std::vector<int>(votes.begin(), votes.end()), naive.votes(data.naive_rows[r])) << run.name;
    }
    for (std::size_t i = 0; i < naive.banks(); ++i) {
      const auto* evaluator = dynamic_cast<const IndexEvaluator*>(&run.trainer.learner(i).evaluator());
      ASSERT_EQ(evaluator != nullptr, run.name.starts_with("index"));
      ASSERT_TRUE(evaluator == nullptr || evaluator->index().check(run.trainer.learner(i).bank()));
    }
  }
}

/// Stopped again and again, each time continued from a checkpoint: the same machine.
TEST_P(NaiveDeterminismTest, CheckpointsInTheMiddleOfEpochsChangeNothing) {
  const Case& c = GetParam();
  const Options options = options_of(c);
  const TaskData tasks(c, options);
  const Targets targets = tasks.targets(options.task);
  Trainer whole(options, c.features, c.outputs);
  for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) whole.learn_epoch(tasks.data.rows, targets, {});
  std::string checkpoint = Trainer(options, c.features, c.outputs).checkpoint();
  std::size_t stops = 0;
  while (true) {
    Trainer part = Trainer::from_checkpoint(checkpoint, options, "checkpoint");
    if (part.epoch() == c.epochs) break;
    part.tell_after_uses(std::max<std::size_t>(37, c.rows / 5));
    part.learn_epoch(tasks.data.rows, targets, [](double) { return false; });
    checkpoint = part.checkpoint();
    ASSERT_LT(++stops, 2000u);
  }
  EXPECT_GT(stops, c.epochs);
  EXPECT_EQ(state_digest(Trainer::from_checkpoint(checkpoint, options, "checkpoint")), state_digest(whole));
}

}  // namespace
}  // namespace falsum::naive_test
