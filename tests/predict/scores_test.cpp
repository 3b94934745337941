// Scores against numbers worked out by hand.
#include "falsum/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/data_files.h"
#include "falsum/error.h"
#include "falsum/machine.h"

namespace falsum::scores_test {
namespace {

using testing_data::expect_error;

double score(const std::vector<Score>& scores, std::string_view name) {
  for (const Score& each : scores) {
    if (each.name == name) return each.value;
  }
  return std::nan("");
}

BitMatrix bits(const std::vector<std::vector<int>>& rows) {
  BitMatrix matrix(rows.size(), rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t o = 0; o < rows[r].size(); ++o) {
      if (rows[r][o] != 0) matrix.set(r, o);
    }
  }
  return matrix;
}

TEST(Scores, ClassesHaveTheirAccuracy) {
  const std::vector<std::uint32_t> answers = {0, 1, 2, 2}, truth = {0, 1, 1, 2};
  EXPECT_EQ(score(scores(answers, truth), "accuracy"), 0.75);
}

TEST(Scores, LabelsAreCountedByRowAndOneByOne) {
  const BitMatrix answers = bits({{1, 0, 1}, {0, 0, 0}, {1, 1, 0}, {0, 0, 1}});
  const BitMatrix truth = bits({{1, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const std::vector<Score> found = scores(answers, truth);
  EXPECT_EQ(score(found, "accuracy"), 0.5);
  EXPECT_DOUBLE_EQ(score(found, "label_accuracy"), 9.0 / 12);
  EXPECT_DOUBLE_EQ(score(found, "f1"), 2.0 * 3 / (5 + 4));  // three right, of five answered and four that apply
  const SparseBits sparse(truth);
  EXPECT_EQ(score(scores(answers, Rows(sparse)), "f1"), score(found, "f1"));
}

TEST(Scores, NumbersHaveTheirErrors) {
  const std::vector<double> answers = {1, 2, 3, 6}, truth = {1, 3, 3, 5};
  const std::vector<Score> found = scores(answers, truth);
  EXPECT_DOUBLE_EQ(score(found, "rmse"), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(score(found, "mae"), 0.5);
  EXPECT_DOUBLE_EQ(score(found, "r2"), 1 - 2.0 / 8);
}

TEST(Scores, AnswersAndTargetsMustFit) {
  const std::vector<std::uint32_t> three = {0, 1, 2}, two = {0, 1};
  expect_error<DataError>([&] { scores(three, two); }, {"3 answers but 2 targets"});
  expect_error<DataError>(
      [&] {
        scores(three, std::vector<double>{1, 2, 3});
      },
      {"for classification", "for regression"});
  expect_error<DataError>([&] { scores(bits({{1, 0}}), bits({{1}})); }, {"2 labels but the targets 1"});
}

TEST(Scores, AMachineAndItsPredictorRefuseAnotherTask) {
  Options options;
  options.clauses = 10;
  options.task = Task::kMultilabel;
  Machine machine(options, 3, 2);
  const BitMatrix rows = bits({{1, 0, 1}, {0, 1, 0}});
  expect_error<DataError>(
      [&] {
        machine.learn_epoch(rows, std::vector<double>{1, 2});
      },
      {"the task of the machine is multilabel but the targets are for regression"});
  expect_error<DataError>([&] { machine.learn_epoch(rows, rows); }, {"3 labels but the machine was made for 2"});
  expect_error<ConfigError>([&] { machine.set_range({0, 1}); }, {"only a regression machine"});
  machine.learn_epoch(rows, bits({{1, 0}, {0, 1}}));
  const Predictor predictor(machine.model());
  EXPECT_EQ(predictor.labels(rows).columns(), 2u);
  expect_error<ConfigError>([&] { predictor.predict(rows); }, {"the model's task is multilabel"});
  expect_error<ConfigError>([&] { predictor.numbers(rows); }, {"the model's task is multilabel"});
  options.task = Task::kRegression;
  expect_error<ConfigError>([&] { Machine(options, 3, 2); }, {"a regression machine has 1 output, got 2"});
  Machine numbers(options, 3, 1);
  expect_error<DataError>(
      [&] {
        numbers.learn_epoch(rows, std::vector<double>{1, std::nan("")});
      },
      {"the number of row 1 is nan"});
  expect_error<ConfigError>([&] { numbers.set_range({2, 1}); }, {"got 2 to 1"});
}

}  // namespace
}  // namespace falsum::scores_test
