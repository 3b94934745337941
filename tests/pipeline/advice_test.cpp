#include "falsum/advice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_data.h"

namespace falsum::advice_test {

struct Data {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;
};

/// Random bits; a row is of class 1 if its first bit is on, but for `noise` of them.
Data data_of(std::size_t rows, std::size_t features, double noise) {
  Data data{BitMatrix(rows, features), {}};
  TestRandom random(7);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < features; ++f) {
      if (random.chance(0.5)) data.rows.set(r, f);
    }
    data.labels.push_back(data.rows.get(r, 0) != random.chance(noise) ? 1 : 0);
  }
  return data;
}

/// The sentences, a line for each.
std::string advice_for(const Data& data, const Options& given, std::uint64_t epochs = 0) {
  const DataFacts facts = {DataKind::kBits, data.labels.size(), 2};
  const Options options = chosen_options(given, facts);
  Machine machine(options, data.rows.columns(), 2);
  const EpochReport last =
      machine.learn(data.rows, data.labels, epochs > 0 ? epochs : static_cast<std::uint64_t>(options.epochs));
  const std::vector<std::string> names = {"no", "yes"};
  std::string text;
  for (const std::string& sentence : advice(machine, facts, data.labels, last, names)) text += sentence + "\n";
  return text;
}

/// One sentence alone, which has these words.
void expect_one(const std::string& advised, const std::string& words) {
  EXPECT_EQ(std::ranges::count(advised, '\n'), 1) << advised;
  EXPECT_NE(advised.find(words), std::string::npos) << advised;
}

TEST(Advice, TheLawOfDefaultsGetsNone) {
  EXPECT_EQ(advice_for(data_of(300, 40, 0.2), {}), "");
  EXPECT_EQ(advice_for(data_of(300, 40, 0), {}), "");
}

TEST(Advice, AThresholdFarFromTheLawIsNamedWithTheUsualOne) {
  Options options;
  options.clauses = 100;
  options.threshold = 200;
  expect_one(advice_for(data_of(300, 40, 0.2), options), "T 200 may be out of reach of the votes");
  options.threshold = 100;  // ten times the law's
  EXPECT_EQ(advice_for(data_of(300, 40, 0.2), options), "");
  options.clauses = 400;
  options.threshold = 1;
  expect_one(advice_for(data_of(300, 40, 0.3), options), "T 20 is usual for 400 clauses");
}

TEST(Advice, VotesThatAllReachedASmallThresholdTeachNothing) {
  Options options;
  options.threshold = 5;
  expect_one(advice_for(data_of(300, 10, 0), options), "nearly all votes had reached T 5 in epoch 60");
  EXPECT_EQ(advice_for(data_of(300, 10, 0.3), options), "");
}

TEST(Advice, ClausesOfSingleRowsAreTooLong) {
  Options options;
  options.specificity = 1000;
  expect_one(advice_for(data_of(40, 90, 0.5), options), "of 90 features, so they describe");
}

TEST(Advice, FewEpochsOfFewRowsAreTooFew) {
  expect_one(advice_for(data_of(300, 40, 0.2), {}, 1), "learned for only 1 epoch of 300 rows: 60 epochs are usual");
  EXPECT_EQ(advice_for(data_of(300, 40, 0.2), {}, 4), "");
}

TEST(Advice, AClassOfHardlyAnyRowsIsStarvedUnlessRowsHaveWeights) {
  Data data = data_of(500, 40, 0);
  data.labels.assign(500, 1);
  for (std::size_t r = 0; r < 12; ++r) data.labels[r] = 0;
  expect_one(advice_for(data, {}), "class \"no\" has 12 of 500 rows");
  data.labels[12] = 0;
  EXPECT_EQ(advice_for(data, {}), "");

  data.labels[12] = 1;
  const DataFacts facts = {DataKind::kBits, 500, 2};
  Machine machine(chosen_options({}, facts), 40, 2);
  const std::vector<double> weights(500, 1);
  const Targets targets = Targets(data.labels).with_weights(weights);
  EXPECT_TRUE(advice(machine, facts, targets, machine.learn(data.rows, targets, 20)).empty());
}

}  // namespace falsum::advice_test
