#include "falsum/tune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "falsum/folds.h"
#include "falsum/predictor.h"
#include "random_data.h"

namespace falsum::tune_test {

struct Data {
  BitMatrix rows{240, 10};
  std::vector<std::uint32_t> labels;
};

Data noisy_data() {
  Data data;
  TestRandom random(5);
  for (std::size_t r = 0; r < data.rows.rows(); ++r) {
    for (std::size_t c = 0; c < data.rows.columns(); ++c) {
      if (random.chance(0.5)) data.rows.set(r, c);
    }
    const bool truth = data.rows.get(r, 0) != data.rows.get(r, 1);
    data.labels.push_back(truth != random.chance(0.2) ? 1 : 0);
  }
  return data;
}

Options small() {
  Options options;
  options.clauses = 20;
  options.epochs = 6;
  return options;
}

TEST(Folds, EveryRowIsHeldOutOnceAndNeverLearnedThen) {
  const Data data = noisy_data();
  const std::vector<Fold> folds = folds_of(data.labels, {}, 0.2, 1);
  ASSERT_EQ(folds.size(), 3u);
  for (std::size_t r = 0; r < data.labels.size(); ++r) {
    std::size_t held = 0;
    for (const Fold& fold : folds) {
      held += fold.held[r];
      EXPECT_EQ(fold.weight[r], fold.held[r] ? 0 : 1);
    }
    EXPECT_EQ(held, 1u);
  }
  std::vector<std::uint32_t> many(30000);
  for (std::size_t r = 0; r < many.size(); ++r) many[r] = r % 3 == 0;
  const std::vector<Fold> one = folds_of(many, {}, 0.2, 1);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(std::count(one[0].held.begin(), one[0].held.end(), true), 2000);
  EXPECT_EQ(std::count(one[0].weight.begin(), one[0].weight.end(), 1.0), 10000);
}

TEST(Folds, ProbabilitiesComeNearTheNoise) {
  const Data data = noisy_data();
  const Options options = chosen_options({}, {DataKind::kBits, data.labels.size(), 2});
  Machine machine(options, 10, 2);
  machine.learn(data.rows, data.labels, static_cast<std::uint64_t>(options.epochs));
  const Calibration fitted = calibrate_on_folds(data.rows, data.labels, options, 2);
  EXPECT_EQ(fitted.rows, 240u);
  BitMatrix fresh(500, 10);
  TestRandom random(9);
  for (std::size_t r = 0; r < fresh.rows(); ++r) {
    for (std::size_t c = 0; c < 10; ++c) {
      if (random.chance(0.5)) fresh.set(r, c);
    }
  }
  const std::vector<double> p = Predictor(machine.model().calibrated(fitted)).probabilities(fresh);
  double sum = 0;
  for (std::size_t r = 0; r < fresh.rows(); ++r) sum += std::max(p[2 * r], p[2 * r + 1]);
  EXPECT_NEAR(sum / 500, 0.78, 0.12);
}

TEST(Tune, ThreadsDoNotChangeTheTableAndKnownScoresAreNotSoughtAgain) {
  const Data data = noisy_data();
  const DataFacts facts = {DataKind::kBits, data.labels.size(), 2};
  const std::vector<TuneSetting> settings = settings_to_try(small(), facts, {}, 0);
  ASSERT_GT(settings.size(), 5u);
  const std::vector<std::uint64_t> rungs = {1, 3, 6};
  const std::vector<Rows> rows = {Rows(data.rows)};
  std::map<std::pair<std::size_t, std::size_t>, TuneScore> scores;
  TuneCallbacks keep;
  keep.found = [&](std::size_t trial, std::size_t rung, const TuneScore& score) { scores[{trial, rung}] = score; };
  const TuneResult one = tune(rows, data.labels, 2, settings, rungs, 1, keep);
  TuneCallbacks resumed;
  std::size_t asked = 0;
  resumed.known = [&](std::size_t trial, std::size_t rung) -> std::optional<TuneScore> {
    ++asked;
    return scores.at({trial, rung});
  };
  const TuneResult two = tune(rows, data.labels, 2, settings, rungs, 2),
                   again = tune(rows, data.labels, 2, settings, rungs, 1, resumed);
  EXPECT_EQ(asked, settings.size() + 4);
  for (const TuneResult& other : {two, again}) {
    EXPECT_EQ(one.order, other.order);
    EXPECT_EQ(one.factors, other.factors);
    for (std::size_t t = 0; t < settings.size(); ++t) EXPECT_EQ(one.trials[t].scores, other.trials[t].scores) << t;
  }
  EXPECT_EQ(one.trials[one.order[0]].scores.size(), 3u);
  EXPECT_EQ(one.trials[one.order[1]].scores.size(), 3u);
  EXPECT_EQ(refit(one, rows, data.labels, 2).to_bytes(), refit(two, rows, data.labels, 2).to_bytes());
}

}  // namespace falsum::tune_test
