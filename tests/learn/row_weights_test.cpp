// Row weights as rates of use: the law of the rates, the cases in which it must change nothing, and stops.
#include "falsum/row_weights.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "falsum/data_digest.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "learn/plan.h"
#include "learn/trainer.h"
#include "naive_machine.h"
#include "random_data.h"
#include "state_digest.h"

namespace falsum::row_weights_test {
namespace {

using Weights = std::vector<double>;

double rate_of(const Weights& weights, std::size_t row) {
  return static_cast<double>(RowRates(weights).of(row)) / 4294967296.0;
}

/// How often an epoch uses each row.
std::vector<std::size_t> uses_of(const Weights& weights, std::uint64_t seed, std::uint64_t epoch) {
  Options options;
  options.seed = seed;
  options.task = Task::kRegression;  // one use of one learner for each sample
  const Weights numbers(weights.size());
  const Plan plan(options, epoch, Targets(numbers).with_weights(weights), 1);
  std::vector<Uses> uses;
  plan.uses(0, plan.size(), uses);
  EXPECT_EQ(uses[0].size(), plan.size());
  std::vector<std::size_t> counts(weights.size());
  for (const std::uint32_t row : uses[0].rows) ++counts[row];
  return counts;
}

TEST(RowWeights, ARateIsTheWeightDividedByTheMeanOfThoseAboveZero) {
  const Weights weights = {3, 1, 1, 0};
  EXPECT_NEAR(rate_of(weights, 0), 1.8, 1e-9);
  EXPECT_NEAR(rate_of(weights, 1), 0.6, 1e-9);
  EXPECT_EQ(rate_of(weights, 3), 0);
  const Weights extreme = {1.7e308, 1.7e308, 5e-324, 0};  // no sum overflows
  EXPECT_EQ(rate_of(extreme, 0), 1.5);
  EXPECT_EQ(rate_of(extreme, 2), 0);
  const Weights tiny = {5e-324, 1.5e-323};
  EXPECT_EQ(rate_of(tiny, 0), 0.5);
  EXPECT_EQ(rate_of(tiny, 1), 1.5);
  const Weights same = {0.1, 0.1, 0, 0.1};
  EXPECT_EQ(rate_of(same, 0), 1) << "without the rounding of a sum";
}

TEST(RowWeights, InEveryEpochARowIsUsedAsOftenAsItsRateSaysUpToOne) {
  EXPECT_TRUE(rc::check("for any weights", [](std::uint64_t seed) {
    TestRandom random(seed);
    Weights weights(1 + random.below(60));
    for (double& weight : weights) weight = random.chance(0.2) ? 0 : static_cast<double>(1 + random.below(1000));
    weights[0] = 1;
    std::vector<std::size_t> all(weights.size());
    for (std::uint64_t epoch = 0; epoch < 12; ++epoch) {
      const std::vector<std::size_t> uses = uses_of(weights, seed, epoch);
      for (std::size_t r = 0; r < uses.size(); ++r) {
        const double rate = rate_of(weights, r);
        RC_ASSERT(std::abs(static_cast<double>(uses[r]) - rate) < 1);
        all[r] += uses[r];
        RC_ASSERT(std::abs(static_cast<double>(all[r]) - rate * static_cast<double>(epoch + 1)) < 1);
        RC_ASSERT(weights[r] > 0 || uses[r] == 0);
      }
    }
  }));
}

TEST(RowWeights, WholeWeightsAreRepeatedRowsOverTheEpochsThatTakeAsManyUses) {
  const Weights weights = {2, 1, 1, 0, 4};  // mean 2: 2 epochs use what 1 epoch of the repeated rows uses
  std::vector<std::size_t> all(weights.size());
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    const std::vector<std::size_t> uses = uses_of(weights, 5, epoch);
    for (std::size_t r = 0; r < all.size(); ++r) all[r] += uses[r];
  }
  EXPECT_EQ(all, (std::vector<std::size_t>{2, 1, 1, 0, 4}));
}

/// The sum over groups of rows of the squared deviation of their uses in an epoch from `expected` rates, in units of
/// its variance: about as large as there are groups, with a standard deviation of the root of twice their number.
double chi_square(const Weights& weights, const Weights& expected_weights, std::uint64_t epoch) {
  constexpr std::size_t kSeeds = 300;
  std::vector<double> counts(weights.size());
  for (std::size_t seed = 0; seed < kSeeds; ++seed) {
    const std::vector<std::size_t> uses = uses_of(weights, seed, epoch);
    for (std::size_t r = 0; r < counts.size(); ++r) counts[r] += static_cast<double>(uses[r]);
  }
  double sum = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const double rate = rate_of(expected_weights, r), fraction = rate - std::floor(rate);
    const double deviation = counts[r] - rate * kSeeds;
    sum += deviation * deviation / (fraction * (1 - fraction) * kSeeds);
  }
  return sum;
}

TEST(RowWeights, OverSeedsTheUsesOfARowHaveItsRateAsTheirMean) {
  TestRandom random(3);
  Weights weights(200), other(200);
  for (double& weight : weights) weight = 0.3 + static_cast<double>(random.below(1000)) / 400;
  for (std::size_t r = 0; r < weights.size(); ++r) other[r] = weights[r] * (r % 2 == 0 ? 1.1 : 1);
  for (const std::uint64_t epoch : {0, 1, 50}) {
    const double found = chi_square(weights, weights, epoch);
    EXPECT_GT(found, 200 - 5 * 20);
    EXPECT_LT(found, 200 + 5 * 20);
    EXPECT_GT(chi_square(weights, other, epoch), 200 + 10 * 20) << "a tenth more for half of the rows is seen";
  }
}

TEST(RowWeights, TheUsesOfDifferentRowsAreIndependent) {
  const Weights weights = {3, 1, 1, 1};  // rates 2 and 2/3
  double both = 0, one = 0, other = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::vector<std::size_t> uses = uses_of(weights, seed, 0);
    one += static_cast<double>(uses[1]);
    other += static_cast<double>(uses[2]);
    both += static_cast<double>(uses[1] * uses[2]);
  }
  EXPECT_NEAR(one / 4000, 2.0 / 3, 0.03);
  EXPECT_NEAR(other / 4000, 2.0 / 3, 0.03);
  EXPECT_NEAR(both / 4000, 4.0 / 9, 0.035);
}

Options small_options() {
  Options options;
  options.clauses = 20;
  options.threshold = 8;
  options.specificity = 4;
  options.seed = 9;
  options.threads = 1;
  return options;
}

std::uint64_t learn(const Options& options, const Rows& rows, const Targets& targets, std::size_t outputs,
                    int epochs = 2) {
  Trainer trainer(options, rows.columns(), outputs);
  for (int epoch = 0; epoch < epochs; ++epoch) trainer.learn_epoch(rows, targets, {});
  return state_digest(trainer);
}

Weights uneven_weights(std::size_t rows) {
  Weights weights;
  for (std::size_t r = 0; r < rows; ++r) weights.push_back(static_cast<double>(r % 4) * 0.7 + (r % 9 == 0 ? 5 : 0));
  return weights;
}

TEST(RowWeights, WeightsThatAreAllTheSameChangeNothingDeterminism) {
  const RandomData data(1, 300, 20, 3);
  const std::uint64_t plain = learn(small_options(), data.rows, data.labels, 3);
  for (const double weight : {1.0, 0.1, 5e-324, 1e300}) {
    EXPECT_EQ(learn(small_options(), data.rows, Targets(data.labels).with_weights(Weights(300, weight)), 3), plain);
  }
  EXPECT_NE(learn(small_options(), data.rows, Targets(data.labels).with_weights(uneven_weights(300)), 3), plain);
}

TEST(RowWeights, ARowOfWeightZeroIsAsIfItWereNotThereDeterminism) {
  const RandomData data(1, 400, 20, 3);
  for (const bool others_are_the_same : {true, false}) {
    Weights weights = others_are_the_same ? Weights(400, 0.1) : uneven_weights(400);
    for (std::size_t r = 0; r < 400; r += 7) weights[r] = 0;
    std::vector<bool> kept;
    for (const double weight : weights) kept.push_back(weight > 0);
    AnyTargets targets(data.labels);
    targets.set_weights(weights);
    EXPECT_EQ(learn(small_options(), data.rows, targets, 3),
              learn(small_options(), some_rows(data.rows, kept), targets.part(kept).view(), 3));
  }
  const Weights numbers = {1, 2, 3, 900};
  Options options = small_options();
  options.task = Task::kRegression;
  Trainer trainer(options, 20, 1);
  trainer.learn_epoch(Rows(data.rows).part(0, 4), Targets(numbers).with_weights(Weights{1, 2, 1, 0}), {});
  EXPECT_EQ(trainer.model().range(), (NumberRange{1, 3}));
}

/// Promised as the other golden machines are (determinism_test.cpp).
TEST(RowWeights, GoldenMachinesForAllEnginesAndThreadsDeterminism) {
  const RandomData data(1, 500, 20, 3);
  const Weights weights = uneven_weights(500);
  const Targets targets = Targets(data.labels).with_weights(weights);
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    for (const std::int64_t threads : {1, 3}) {
      Options options = small_options();
      options.engine = engine_named(engine);
      options.threads = threads;
      EXPECT_EQ(learn(options, data.rows, targets, 3), 7364380818957654362u) << engine;
    }
  }
  Options options = small_options();
  options.sharded = true;
  for (const std::int64_t threads : {1, 3}) {
    options.threads = threads;
    EXPECT_EQ(learn(options, data.rows, targets, 3), 13408913028846095635u) << "sharded";
  }
}

TEST(RowWeights, ShardedMachinesAreTheNaiveOne) {
  const RandomData data(5, 700, 20, 2);
  const Weights weights = uneven_weights(700);
  Options options = small_options();
  options.sharded = true;
  Trainer trainer(options, 20, 2);
  NaiveMachine naive(options, 20, 2);
  naive.set_weights(weights);
  for (int epoch = 0; epoch < 2; ++epoch) {
    naive.learn_epoch(data.naive_rows, data.labels);
    trainer.learn_epoch(data.rows, Targets(data.labels).with_weights(weights), {});
  }
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::uint32_t j = 0; j < 20; ++j) {
      for (std::uint32_t l = 0; l < 40; ++l) {
        ASSERT_EQ(trainer.learner(c).bank().state(ClauseId{j}, LiteralId{l}), naive.clause(c, j).state[l]);
      }
    }
  }
}

TEST(RowWeightsThreads, AMachineStoppedAnywhereGoesOnToTheSameBitsDeterminism) {
  const RandomData data(4, 500, 25, 3);
  const Weights weights = uneven_weights(500);
  const Targets targets = Targets(data.labels).with_weights(weights);
  for (const bool sharded : {false, true}) {
    Options options = small_options();
    options.sharded = sharded;
    options.threads = 2;
    Trainer whole(options, 25, 3);
    for (int epoch = 0; epoch < 3; ++epoch) whole.learn_epoch(data.rows, targets, {});
    std::string checkpoint = Trainer(options, 25, 3).checkpoint();
    int stops = 0;
    for (std::uint64_t epoch = 0; epoch < 3;) {
      Trainer part = Trainer::from_checkpoint(checkpoint, options, "test");
      part.tell_after_uses(61);
      double last = 0;
      part.learn_epoch(data.rows, targets, [&](double done) { return last = done, false; });
      EXPECT_LE(last, 1);
      epoch = part.epoch();
      checkpoint = part.checkpoint();
      ++stops;
    }
    EXPECT_GT(stops, 6);
    EXPECT_EQ(checkpoint, whole.checkpoint());
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RowWeights, AStoppedEpochGoesOnWithItsOwnWeightsOnly) {
  const RandomData data(4, 500, 25, 3);
  const Weights weights = uneven_weights(500), others(weights.rbegin(), weights.rend());
  const Targets plain = data.labels;
  const std::string sentence = "the stopped epoch was learning with other row weights and can only continue with them";
  const auto stopped = [&](const Weights& with) {
    Trainer trainer(small_options(), 25, 3);
    trainer.tell_after_uses(50);
    trainer.learn_epoch(data.rows, plain.with_weights(with), [](double) { return false; });
    return Trainer::from_checkpoint(trainer.checkpoint(), small_options(), "test");
  };
  Trainer with = stopped(weights), without = stopped({});
  EXPECT_EQ(refusal([&] { with.learn_epoch(data.rows, plain, {}); }), sentence);
  EXPECT_EQ(refusal([&] { with.learn_epoch(data.rows, plain.with_weights(others), {}); }), sentence);
  EXPECT_EQ(refusal([&] { without.learn_epoch(data.rows, plain.with_weights(weights), {}); }), sentence);
  EXPECT_EQ(refusal([&] { with.learn_epoch(data.rows, plain.with_weights(weights), {}); }), "");
  EXPECT_EQ(refusal([&] { without.learn_epoch(data.rows, plain.with_weights(Weights(500, 3)), {}); }), "");
  EXPECT_EQ(refusal([&] { with.learn_epoch(data.rows, plain, {}); }), "") << "a new epoch may have other weights";
}

TEST(RowWeights, TheDigestOfTheDataSaysThatWeightsDiffer) {
  const RandomData data(1, 10, 70, 2);
  const Targets plain = data.labels;
  const Weights weights = uneven_weights(10), others(weights.rbegin(), weights.rend());
  const DataDigest without = digest(data.rows, plain), with = digest(data.rows, plain.with_weights(weights));
  EXPECT_EQ(digest(data.rows, plain.with_weights(Weights(10, 0.1))), without);
  EXPECT_EQ(difference(without, with), "row weights, which it had not");
  EXPECT_EQ(difference(with, without), "no row weights");
  EXPECT_EQ(difference(with, digest(data.rows, plain.with_weights(others))), "other row weights");
  Trainer trainer(small_options(), 70, 2);
  for (const DataDigest& kept : {with, without}) {
    trainer.set_data(kept);
    EXPECT_EQ(Trainer::from_checkpoint(trainer.checkpoint(), small_options(), "test").data(), kept);
  }
}

TEST(RowWeights, WrongWeightsAreRefusedNamingTheRow) {
  const RandomData data(1, 3, 5, 2);
  Trainer trainer(small_options(), 5, 2);
  const auto said = [&](const Weights& weights) {
    return refusal([&] { trainer.learn_epoch(data.rows, Targets(data.labels).with_weights(weights), {}); });
  };
  EXPECT_EQ(said({1, -0.5, 1}), "the weight of row 1 must be finite and at least 0, got -0.5");
  EXPECT_EQ(said({1, 1, std::nan("")}), "the weight of row 2 must be finite and at least 0, got nan");
  EXPECT_EQ(said({std::numeric_limits<double>::infinity(), 1, 1}),
            "the weight of row 0 must be finite and at least 0, got inf");
  EXPECT_EQ(said({0, 0, 0}), "the weights of all rows, 0 to 2, are zero, and at least one must be above 0");
  EXPECT_EQ(said({1, 1}), "there are 3 rows but 2 row weights");
  EXPECT_EQ(trainer.epoch(), 0u);
}

TEST(RowWeights, BalancedClassWeightsGiveEveryClassTheSameTotal) {
  const std::vector<std::uint32_t> classes = {0, 0, 0, 2, 2, 3};
  EXPECT_EQ(balanced_class_weights(classes, 5), (Weights{6.0 / 9, 1, 6.0 / 6, 6.0 / 3, 1}));
  const Weights rows = {1e308, 1e308, 0, 5e307, 5e307, 5e307};
  const Targets targets = Targets(classes).with_weights(rows);
  const Weights product = times_class_weights(targets, balanced_class_weights(targets, 4));
  EXPECT_DOUBLE_EQ(product[0] + product[1], product[3] + product[4]);
  EXPECT_DOUBLE_EQ(product[0] + product[1], product[5]);
  EXPECT_EQ(product[2], 0);
}

TEST(RowWeights, ClassWeightsMultiplyTheWeightsOfRows) {
  const std::vector<std::uint32_t> classes = {0, 1, 1};
  const Weights rows = {1, 2, 3};
  EXPECT_EQ(times_class_weights(classes, Weights{5, 0.5}), (Weights{5, 0.5, 0.5}));
  EXPECT_EQ(times_class_weights(Targets(classes).with_weights(rows), Weights{5, 0.5}), (Weights{5, 1, 1.5}));
  EXPECT_EQ(refusal([&] {
              times_class_weights(classes, Weights{1, -1});
            }),
            "the weight of class 1 must be finite and at least 0, got -1");
  EXPECT_EQ(refusal([&] { times_class_weights(classes, Weights{1}); }),
            "there are weights for 1 classes, but row 1 has class 1");
  EXPECT_EQ(refusal([&] { times_class_weights(rows, Weights{1}); }),
            "class weights are for classes, and the task is regression");
}

/// Weight 2 and doubled rows learn machines of the same distribution: after as many uses, the mean length of clauses
/// and the votes on fresh rows agree over seeds. Weight 1 for all must be told apart, so that the test can fail.
TEST(RowWeights, WeightTwoIsADoubledRowInDistribution) {
  constexpr int kSeeds = 40;
  const RandomData data(7, 120, 10, 2), fresh(8, 40, 10, 2);
  std::vector<std::uint32_t> labels = data.labels;
  for (std::size_t r = 0; r < labels.size(); ++r) labels[r] = r % 3 == 0 ? 1 - labels[r] : labels[r];  // contradictions
  std::vector<std::uint32_t> doubled_labels;
  Weights weights;
  BitMatrix doubled(160, 10);  // every third row twice: those that contradict
  for (std::size_t r = 0, to = 0; r < 120; ++r) {
    weights.push_back(r % 3 == 0 ? 2 : 1);
    for (int copy = 0; copy < (r % 3 == 0 ? 2 : 1); ++copy, ++to) {
      std::ranges::copy(data.rows.row(r), doubled.row(to).begin());
      doubled_labels.push_back(labels[r]);
    }
  }
  struct Sample {
    double sum = 0, squares = 0;
    void add(double value) {
      sum += value;
      squares += value * value;
    }
    double mean() const { return sum / kSeeds; }
    double error() const { return (squares / kSeeds - mean() * mean()) / kSeeds; }  // squared, of the mean
  };
  const auto votes_for_1 = [&](const Rows& rows, const Targets& targets, int epochs, std::uint64_t seed) {
    Options options = small_options();
    options.seed = seed;
    Trainer trainer(options, 10, 2);
    for (int epoch = 0; epoch < epochs; ++epoch) trainer.learn_epoch(rows, targets, {});
    const std::vector<std::int32_t> votes = Predictor(trainer.model(), Engine::kScan).votes(fresh.rows, 1);
    double lead = 0;
    for (std::size_t r = 0; r < 40; ++r) {
      const double sign = fresh.labels[r] == 1 ? 1 : -1;
      lead += sign * (votes[2 * r + 1] - votes[2 * r]);
    }
    return lead / 40;
  };
  Sample weighted, repeated, plain;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    weighted.add(votes_for_1(data.rows, Targets(labels).with_weights(weights), 8, seed));
    repeated.add(votes_for_1(doubled, doubled_labels, 6, seed + 1000));  // 8 x 120 = 6 x 160 uses
    plain.add(votes_for_1(data.rows, labels, 8, seed));
  }
  const auto deviations = [](const Sample& a, const Sample& b) {
    return std::abs(a.mean() - b.mean()) / std::sqrt(a.error() + b.error());
  };
  EXPECT_LT(deviations(weighted, repeated), 3) << weighted.mean() << " and " << repeated.mean();
  EXPECT_GT(deviations(weighted, plain), 6) << weighted.mean() << " and " << plain.mean();
}

}  // namespace
}  // namespace falsum::row_weights_test
