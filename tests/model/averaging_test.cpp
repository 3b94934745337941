#include "falsum/averaging.h"

#include <gtest/gtest.h>

#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "random_data.h"

namespace falsum::averaging_test {

struct Data {
  BitMatrix rows{300, 12};
  std::vector<std::uint32_t> labels;
};

Data some_data() {
  Data data;
  TestRandom random(3);
  for (std::size_t r = 0; r < data.rows.rows(); ++r) {
    for (std::size_t c = 0; c < data.rows.columns(); ++c) {
      if (random.chance(0.5)) data.rows.set(r, c);
    }
    data.labels.push_back(random.chance(0.1) ? 2 : data.rows.get(r, 0) != data.rows.get(r, 1) ? 1 : 0);
  }
  return data;
}

Options options_of(std::int64_t snapshots, bool shared = false) {
  Options options;
  options.clauses = 20;
  options.threshold = 8;
  options.specificity = 3;
  options.shared = shared;
  options.snapshots = snapshots;
  return options;
}

TEST(Averaging, VotesAreTheSumOfThoseOfTheLastEpochs) {
  const Data data = some_data();
  for (const bool shared : {false, true}) {
    Machine plain(options_of(1, shared), 12, 3), averaged(options_of(3, shared), 12, 3);
    std::vector<std::vector<std::int32_t>> votes;
    for (int epoch = 0; epoch < 6; ++epoch) {
      plain.learn_epoch(data.rows, data.labels);
      averaged.learn_epoch(data.rows, data.labels);
      votes.push_back(Predictor(plain.model()).votes(data.rows));
      std::vector<std::int32_t> sum(votes[0].size());
      for (std::size_t e = votes.size() < 3 ? 0 : votes.size() - 3; e < votes.size(); ++e) {
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += votes[e][i];
      }
      const Model model = averaged.model();
      EXPECT_EQ(Predictor(model).votes(data.rows), sum) << epoch;
      EXPECT_EQ(model.options().snapshots, std::min(epoch + 1, 3));
      EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
    }
  }
}

TEST(Averaging, EqualClausesBecomeOneAndOppositeOnesVanish) {
  ModelParts parts;
  parts.options = options_of(1);
  parts.features = 4;
  parts.outputs = 2;
  parts.clause_starts = {0, 2, 4, 5, 5};
  parts.literals = {0, 5, 0, 5, 3};
  parts.weights = {{0, 1}, {1, 1}, {2, 1}, {3, -1}};
  parts.weight_starts = {0, 2, 4};
  const Model one(parts);
  parts.weights[2].votes = -1;
  const std::vector<Model> both = {one, Model(parts)};
  const Model sum = sum_of(both);
  ASSERT_EQ(sum.weights(0).size(), 1u);
  EXPECT_EQ(sum.weights(0)[0].votes, 4);
  EXPECT_TRUE(sum.weights(1).empty());  // 1 and -1; the empty clause is silent
  EXPECT_EQ(vote_scale(sum.options()), 16);
}

TEST(Averaging, OtherModelsAreRefused) {
  const Data data = some_data();
  const std::vector<Model> others = {Machine(options_of(1), 12, 3).model(), Machine(options_of(1), 12, 2).model()};
  EXPECT_THROW(sum_of(others), ConfigError);
  EXPECT_THROW(sum_of({}), ConfigError);
}

TEST(Averaging, ACheckpointKeepsTheSnapshots) {
  const Data data = some_data();
  Machine whole(options_of(3), 12, 3), first(options_of(3), 12, 3);
  whole.learn(data.rows, data.labels, 6);
  first.learn(data.rows, data.labels, 4);
  Machine second = Machine::from_checkpoint(first.checkpoint(), {});
  second.learn(data.rows, data.labels, 2);
  EXPECT_EQ(second.model().to_bytes(), whole.model().to_bytes());
  EXPECT_EQ(second.checkpoint(), whole.checkpoint());
}

}  // namespace falsum::averaging_test
