// Class sums on the data sets themselves: every engine, every example of the test split. A data set that is not on the
// machine is skipped and says so.
#include <gtest/gtest.h>

#include "falsum/falsum.h"

namespace falsum::real_data_test {
namespace {

class RealData : public testing::TestWithParam<std::string> {};

TEST_P(RealData, EveryEngineGivesTheSameVotesOnEveryTestExampleSlow) {
  const std::string name = GetParam();
  for (const DatasetInfo& info : list_datasets()) {
    if (info.name == name && !info.available) GTEST_SKIP() << name << " is not here. " << info.how_to_get;
  }
  const Source train = load_source(name + ":train"), test = load_source(name + ":test");
  const Booleanizer booleanizer = Booleanizer::fit(train);
  const std::vector<std::string> labels = distinct_labels(train.labels);
  Options options;
  options.clauses = 60;
  options.threshold = 15;
  Machine machine(options, booleanizer.features(), labels.size());
  machine.learn_epoch(booleanizer.transform(train), encode_labels(train, labels));
  const Model model = machine.model();
  const BitMatrix rows = booleanizer.transform(test);
  const SparseBits sparse = booleanizer.transform_sparse(test);
  ASSERT_EQ(sparse, SparseBits(rows));
  const std::vector<std::int32_t> expected = Predictor(model, Engine::kScan).votes(rows, 0);
  for (const std::string engine : {"index", "bitmap", "sliced", "auto"}) {
    const Predictor predictor(model, engine_named(engine));
    EXPECT_TRUE(predictor.votes(rows, 0) == expected) << engine;
    EXPECT_TRUE(predictor.votes(sparse, 0) == expected) << engine << ", sparse";
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, RealData, testing::Values("mnist", "fashion-mnist", "imdb", "noisy-xor"),
                         [](const testing::TestParamInfo<std::string>& set) {
                           std::string name = set.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace falsum::real_data_test
