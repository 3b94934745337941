// Engines against each other and against the naive machine.
#include <gtest/gtest.h>

#include "bank/bank.h"
#include "engine/evaluator.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "random_data.h"

namespace falsum {
namespace {

Model random_model(TestRandom& random, std::size_t features, std::size_t classes, std::int64_t clauses, bool weighted) {
  Options options;
  options.clauses = clauses;
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  std::vector<std::int32_t> weights;
  for (std::size_t c = 0; c < classes * static_cast<std::size_t>(clauses); ++c) {
    const double density = random.chance(0.2) ? 0 : 3.0 / static_cast<double>(features);
    for (std::uint32_t l = 0; l < 2 * features; ++l) {
      if (random.chance(density)) literals.push_back(l);
    }
    starts.push_back(literals.size());
    const std::int32_t size = weighted ? 1 + static_cast<std::int32_t>(random.below(50)) : 1;
    weights.push_back(static_cast<std::int64_t>(c) % clauses < clauses / 2 ? size : -size);
  }
  return Model(options, features, classes, std::move(starts), std::move(literals), std::move(weights));
}

std::int32_t naive_votes(const Model& model, std::size_t class_id, const std::vector<bool>& x) {
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < model.clauses(); ++j) {
    bool truth = !model.clause(class_id, j).empty();
    for (const std::uint32_t l : model.clause(class_id, j)) {
      truth = truth && (l < x.size() ? x[l] : !x[l - x.size()]);
    }
    if (truth) sum += model.weight(class_id, j);
  }
  return sum;
}

TEST(Engines, EveryEngineAndKernelSetGivesTheNaiveVotesOnEveryExample) {
  TestRandom random(99);
  for (int trial = 0; trial < 25; ++trial) {
    const std::size_t features = 1 + random.below(150), classes = 1 + random.below(4);
    const Model model =
        random_model(random, features, classes, 2 * static_cast<std::int64_t>(1 + random.below(80)), trial % 3 == 0);
    const std::size_t count = trial % 5 == 0 ? 1100 : 1 + random.below(300);  // some fill several blocks
    const RandomData data(static_cast<std::uint64_t>(trial), count, features, 2);
    for (const std::string engine : {"scan", "index", "sliced", "auto"}) {
      for (const Kernels* kernels : supported_kernels()) {
        const Predictor predictor(model, engine, kernels->name);
        PredictCounters counters;
        const std::vector<std::int32_t> votes = predictor.votes(data.rows, 1, &counters);
        EXPECT_EQ(counters.samples, count);
        for (std::size_t r = 0; r < count; ++r) {
          std::vector<std::int32_t> single(classes);
          predictor.votes(data.rows.row(r), single);
          for (std::size_t c = 0; c < classes; ++c) {
            ASSERT_EQ(votes[r * classes + c], naive_votes(model, c, data.naive_rows[r]))
                << engine << " " << kernels->name;
            ASSERT_EQ(single[c], votes[r * classes + c]);
          }
        }
      }
    }
  }
}

TEST(EnginesThreads, GiveTheSameVotesOnAnyNumberOfThreads) {
  TestRandom random(5);
  const Model model = random_model(random, 90, 3, 40, false);
  const RandomData data(6, 2000, 90, 3);
  for (const std::string engine : {"scan", "index", "sliced"}) {
    const Predictor predictor(model, engine);
    PredictCounters one, many;
    const auto votes = predictor.votes(data.rows, 1, &one);
    for (const unsigned threads : {2u, 3u, 0u}) {
      many = {};
      EXPECT_EQ(predictor.votes(data.rows, threads, &many), votes);
      EXPECT_EQ(many.entries_visited, one.entries_visited);
      EXPECT_EQ(many.words_compared, one.words_compared);
    }
  }
}

TEST(Engines, TheIndexWalksExactlyTheListsOfTheFalseLiterals) {
  TestRandom random(17);
  const Model model = random_model(random, 50, 2, 30, false);
  const RandomData data(3, 40, 50, 2);
  std::uint64_t expected = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t j = 0; j < model.clauses(); ++j) {
      for (const std::uint32_t l : model.clause(c, j)) {
        for (const auto& x : data.naive_rows) expected += l < 50 ? !x[l] : x[l - 50];
      }
    }
  }
  PredictCounters counters;
  Predictor(model, "index").votes(data.rows, 1, &counters);
  EXPECT_EQ(counters.entries_visited, expected);
}

TEST(Engines, EmptyClausesAreTrueWhenLearningAndSilentWhenPredicting) {
  Options options;
  options.clauses = 4;
  const Model empty(options, 3, 2, std::vector<std::uint64_t>(9), {}, {1, 1, -1, -1, 1, 1, -1, -1});
  const RandomData data(1, 5, 3, 2);
  const Bank bank(4, 3, 256);
  const std::vector<Use> uses = {{0, Target::kPositive}};
  UseRows rows(uses, data.rows);
  for (const std::string engine : {"scan", "index", "sliced"}) {
    for (const std::int32_t v : Predictor(empty, engine).votes(data.rows)) EXPECT_EQ(v, 0);
  }
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    std::vector<std::uint64_t> out(bank.slots() / 64);
    LearnCounters counters;
    make_evaluator(engine, bank, find_kernels("auto"))->outputs(0, rows, out.data(), counters);
    EXPECT_EQ(out, (std::vector<std::uint64_t>{3, 3})) << engine << ": two true clauses of each polarity, nothing else";
  }
}

TEST(Engines, AutoTakesWhatSuitsTheNumberOfRowsAndClauses) {
  TestRandom random(5);
  const Predictor few(random_model(random, 10, 2, 20, false)), many(random_model(random, 10, 2, 1000, false));
  EXPECT_EQ(few.engine(1), "scan");
  EXPECT_EQ(many.engine(1), "index");
  EXPECT_EQ(many.engine(10000), "sliced");
}

TEST(Engines, TiesGoToTheLowestClass) {
  const std::vector<std::int32_t> votes = {1, 5, 5, /**/ -3, -3, -3, /**/ 0, -1, 2};
  EXPECT_EQ(winners(votes, 3), (std::vector<std::uint32_t>{1, 0, 2}));
}

TEST(Engines, WrongShapesAndNamesAreRefused) {
  TestRandom random(5);
  const Model model = random_model(random, 10, 2, 4, false);
  const Predictor predictor(model);
  EXPECT_THROW(predictor.votes(BitMatrix(3, 11)), DataError);
  EXPECT_THROW(predictor.votes(BitMatrix(3, 9)), DataError);
  std::vector<std::int32_t> two(2), three(3);
  const BitMatrix wide(1, 100);
  EXPECT_THROW(predictor.votes(wide.row(0), two), DataError);
  EXPECT_THROW(predictor.votes(BitMatrix(1, 10).row(0), three), DataError);
  EXPECT_THROW(Predictor(model, "fastest"), ConfigError);
  EXPECT_THROW(Predictor(model, "index", "mmx"), ConfigError);
  EXPECT_TRUE(predictor.votes(BitMatrix(0, 10)).empty());
}

}  // namespace
}  // namespace falsum
