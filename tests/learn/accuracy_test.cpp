// What a user gets: accuracy on the data sets of the paper and on noisy XOR.
#include <gtest/gtest.h>

#include <cstdlib>

#include "falsum/error.h"
#include "falsum/falsum.h"

namespace falsum::accuracy_test {
namespace {

struct Data {
  BitMatrix train, test;
  std::vector<std::uint32_t> train_labels, test_labels;
  std::size_t classes;
};

Data load(const std::string& name, std::uint64_t seed = 42) {
  LoadOptions options;
  options.seed = seed;
  const Source train = load_source(name + ":train", options), test = load_source(name + ":test", options);
  const Booleanizer booleanizer = Booleanizer::fit(train);
  const std::vector<std::string> labels = distinct_labels(train.labels);
  return {booleanizer.transform(train), booleanizer.transform(test), encode_labels(train, labels),
          encode_labels(test, labels), labels.size()};
}

double accuracy(const Machine& machine, const Data& data) {
  const std::vector<std::uint32_t> predicted = Predictor(machine.model()).predict(data.test, 0);
  std::size_t right = 0;
  for (std::size_t r = 0; r < predicted.size(); ++r) right += predicted[r] == data.test_labels[r];
  return static_cast<double>(right) / static_cast<double>(predicted.size());
}

// `make statistics` has 20 times as many seeds; at least 19 of 20 are right.
TEST(AccuracySlow, NoisyXorIsLearnedFromFortyPercentWrongLabels) {
  const char* const more = std::getenv("FALSUM_SEEDS");
  const std::uint64_t seeds = 3 * (more ? std::strtoull(more, nullptr, 10) : 1);
  std::uint64_t good = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Data data = load("noisy-xor", seed + 1);
    Options options;
    options.clauses = 200;
    options.threshold = 200;
    options.specificity = 3.9;
    options.boost = false;  // boosting trusts every label, and here 40% are wrong
    options.seed = seed;
    Machine machine(options, data.train.columns(), data.classes);
    for (int e = 0; e < 100; ++e) machine.learn_epoch(data.train, data.train_labels);
    good += accuracy(machine, data) >= 0.99;
  }
  EXPECT_GE(20 * good, 19 * seeds);
}

// After one epoch seeds have 94.5% in the mean with a standard deviation of 0.28 (twelve seeds; 0.1 had 94.5 and 0.25
// with other draws). The mean of three is asserted, three standard errors below.
TEST(AccuracySlow, MnistReachesWhatTheAuthorsCodeReaches) {
  const Data data = load("mnist");
  double first = 0;
  constexpr std::uint64_t kSeeds = 3;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Options options;
    options.seed = seed;  // 2000 clauses, T 50, s 10 are the defaults
    Machine machine(options, data.train.columns(), data.classes);
    machine.learn_epoch(data.train, data.train_labels);
    first += accuracy(machine, data) / static_cast<double>(kSeeds);
    if (seed > 1) continue;
    for (int e = 2; e <= 5; ++e) machine.learn_epoch(data.train, data.train_labels);
    const double fifth = accuracy(machine, data);
    printf("mnist 2000/50/10, epoch 5: %.2f%%\n", 100 * fifth);
    EXPECT_GE(fifth, 0.962);
  }
  printf("mnist 2000/50/10, epoch 1, mean of %d seeds: %.2f%%\n", static_cast<int>(kSeeds), 100 * first);
  EXPECT_GE(first, 0.940);
}

TEST(AccuracySlow, FashionMnistReachesWhatTheAuthorsCodeReaches) {
  Data data;
  try {
    data = load("fashion-mnist");
  } catch (const FileError& error) {
    GTEST_SKIP() << error.what();
  }
  Options options;
  options.seed = 1;
  Machine machine(options, data.train.columns(), data.classes);
  for (int e = 0; e < 2; ++e) machine.learn_epoch(data.train, data.train_labels);
  const double found = accuracy(machine, data);
  printf("fashion-mnist 2000/50/10, epoch 2: %.2f%%\n", 100 * found);
  EXPECT_GE(found, 0.830);
}

}  // namespace
}  // namespace falsum::accuracy_test
