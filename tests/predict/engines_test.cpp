// Engines against each other and against the naive machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bank/bank.h"
#include "evaluate/evaluator.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "kernels/dispatch.h"
#include "plain_model.h"
#include "predict/vote_engine.h"
#include "random_data.h"

namespace falsum::engines_test {
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
  return Model(plain_parts(options, features, classes, std::move(starts), std::move(literals), weights));
}

std::int32_t naive_votes(const Model& model, std::size_t output, const std::vector<bool>& x) {
  std::int32_t sum = 0;
  for (const Weight& weight : model.weights(output)) {
    bool truth = !model.clause(weight.clause).empty();
    for (const std::uint32_t l : model.clause(weight.clause)) {
      truth = truth && (l < x.size() ? x[l] : !x[l - x.size()]);
    }
    if (truth) sum += weight.votes;
  }
  return sum;
}

/// By row, then by output.
std::vector<std::int32_t> naive_votes(const Model& model, const RandomData& data) {
  std::vector<std::int32_t> votes;
  for (const auto& row : data.naive_rows) {
    for (std::size_t c = 0; c < model.outputs(); ++c) votes.push_back(naive_votes(model, c, row));
  }
  return votes;
}

const std::vector<std::string> kEngines = {"scan", "index", "bitmap", "sliced", "auto"};

/// Every engine and kernel set, packed and sparse, all rows at once and one by one, against the naive votes.
void expect_naive_votes(const Model& model, const RandomData& data) {
  const std::size_t classes = model.outputs(), count = data.rows.rows();
  const SparseBits sparse(data.rows);
  const std::vector<std::int32_t> expected = naive_votes(model, data);
  for (const std::string& engine : kEngines) {
    for (const Kernels* kernels : supported_kernels()) {
      SCOPED_TRACE(engine + " " + kernels->name);
      const Predictor predictor(model, engine_named(engine), kernels->name);
      PredictCounters counters;
      ASSERT_EQ(predictor.votes(data.rows, 1, &counters), expected);
      EXPECT_EQ(counters.samples, count);
      ASSERT_EQ(predictor.votes(sparse, 1, &counters), expected);
      EXPECT_EQ(counters.samples, 2 * count);
      ASSERT_EQ(predictor.predict(data.rows), winners(expected, classes));
      ASSERT_EQ(predictor.predict(sparse), winners(expected, classes));
      std::vector<std::int32_t> packed(classes * count), listed(classes * count);
      for (std::size_t r = 0; r < count; ++r) {
        predictor.votes(data.rows.row(r), std::span(packed).subspan(r * classes, classes));
        predictor.votes(sparse.row(r), std::span(listed).subspan(r * classes, classes));
      }
      ASSERT_EQ(packed, expected);
      ASSERT_EQ(listed, expected);
    }
  }
}

/// The engine that bitmap is where kernels look up bytes fast, with every kernel set.
void expect_naive_votes_of_bytes(const Model& model, const RandomData& data) {
  const std::size_t classes = model.outputs(), count = data.rows.rows();
  const SparseBits sparse(data.rows);
  const std::vector<std::int32_t> expected = naive_votes(model, data);
  for (const Kernels* kernels : supported_kernels()) {
    SCOPED_TRACE(kernels->name);
    const auto engine = make_byte_engine(model, *kernels);
    std::vector<std::int32_t> packed(classes * count), listed(classes * count);
    PredictCounters counters;
    engine->votes(RowBlock{data.rows.row(0).data(), data.rows.row(0).size(), count}, packed.data(), counters);
    engine->votes(SparseBlock{sparse.starts.data(), sparse.features.data(), count}, listed.data(), counters);
    EXPECT_EQ(counters.samples, 2 * count);
    ASSERT_EQ(packed, expected);
    ASSERT_EQ(listed, expected);
  }
}

/// What a machine would have counted; or nonsense, which must not change a vote.
std::vector<std::uint16_t> shares_of(TestRandom& random, const RandomData& data, bool nonsense) {
  std::vector<std::uint16_t> shares(data.rows.columns());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    std::size_t on = 0;
    for (const auto& row : data.naive_rows) on += row[k];
    shares[k] = static_cast<std::uint16_t>(nonsense ? random.below(3) * 32767 : 65535 * on / data.naive_rows.size());
  }
  return shares;
}

TEST(Engines, EveryEngineAndKernelSetGivesTheNaiveVotesOnEveryExample) {
  TestRandom random(99);
  for (int trial = 0; trial < 40; ++trial) {
    const std::size_t features = 1 + random.below(trial < 5 ? 3 : 150), classes = 1 + random.below(4);
    Model model =
        random_model(random, features, classes, 2 * static_cast<std::int64_t>(1 + random.below(80)), trial % 3 == 0);
    const std::size_t count = trial % 10 == 0 ? 1100 : 1 + random.below(100);  // some fill several blocks
    const RandomData data(static_cast<std::uint64_t>(trial), count, features, 2);
    if (trial % 4 != 0) model = with_shares(model, shares_of(random, data, trial % 4 == 1));
    SCOPED_TRACE(trial);
    expect_naive_votes(model, data);
    if (HasFatalFailure()) return;
  }
}

/// Clauses that vote on no output, on one, or on several, with weights of any size.
Model shared_model(TestRandom& random, std::size_t features, std::size_t outputs, std::size_t clauses) {
  ModelParts parts;
  parts.options.clauses = 2 * static_cast<std::int64_t>(clauses);
  parts.features = features;
  parts.outputs = outputs;
  parts.clause_starts = {0};
  for (std::size_t c = 0; c < clauses; ++c) {
    for (std::uint32_t l = 0; l < 2 * features; ++l) {
      if (random.chance(2.0 / static_cast<double>(features))) parts.literals.push_back(l);
    }
    parts.clause_starts.push_back(parts.literals.size());
  }
  parts.weight_starts = {0};
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::uint32_t c = 0; c < clauses; ++c) {
      if (random.chance(0.5)) continue;
      const auto size = static_cast<std::int32_t>(1 + random.below(random.chance(0.3)   ? 1
                                                                   : random.chance(0.9) ? 20
                                                                                        : 2'000'000));
      parts.weights.push_back({c, random.chance(0.5) ? size : -size});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  return Model(std::move(parts));
}

TEST(Engines, ClausesOfOneVoteEachInAnyOrderOfTheirSignsGiveTheNaiveVotes) {
  TestRandom random(32);
  ModelParts parts = shared_model(random, 20, 3, 80).parts();
  for (Weight& weight : parts.weights) weight.votes = random.chance(0.5) ? 1 : -1;
  expect_naive_votes(Model(std::move(parts)), RandomData(32, 60, 20, 2));
}

TEST(Engines, SharedClausesOfAnyWeightGiveTheNaiveVotes) {
  TestRandom random(31);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t features = 2 + random.below(40), outputs = trial == 0 ? 70 : 1 + random.below(6);
    const Model model =
        shared_model(random, features, outputs, trial % 3 == 0 ? 300 + random.below(300) : 1 + random.below(60));
    SCOPED_TRACE(trial);
    expect_naive_votes(model, RandomData(static_cast<std::uint64_t>(trial), trial % 4 == 3 ? 600 : 40, features, 2));
    if (HasFatalFailure()) return;
  }
}

TEST(Engines, ManyClausesOfOneLiteralGiveTheNaiveVotes) {
  TestRandom random(31);
  for (const std::size_t outputs : {1, 2, 5, 17, 40}) {
    const std::size_t features = 1 + random.below(700), clauses = 3200 / outputs + 100 + random.below(100);
    ModelParts parts;
    parts.options.clauses = 2 * static_cast<std::int64_t>(clauses);
    parts.features = features;
    parts.outputs = outputs;
    parts.weight_starts = {0};
    const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(2 * features, 30));  // so that some are equal
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t c = 0; c < clauses; ++c) {
        std::set<std::uint32_t> literals = {static_cast<std::uint32_t>(2 * features - 1 - random.below(most))};
        if (random.chance(0.3)) literals.insert(static_cast<std::uint32_t>(random.below(2 * features)));
        parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
        parts.clause_starts.push_back(parts.literals.size());
        const auto votes = 1 + static_cast<std::int32_t>(outputs == 5 ? random.below(1u << 20) : 0);
        parts.weights.push_back({static_cast<std::uint32_t>(o * clauses + c), random.chance(0.5) ? votes : -votes});
      }
      parts.weight_starts.push_back(parts.weights.size());
    }
    const Model model(std::move(parts));
    SCOPED_TRACE(outputs);
    expect_naive_votes(model, RandomData(outputs, 30 + random.below(600), features, 2));
    if (HasFatalFailure()) return;
  }
}

TEST(Engines, TestsOfBytesGiveTheNaiveVotes) {
  TestRandom random(57);
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t features = trial == 0 ? 8 * (kRowBytes - 1) : 1 + random.below(8 * (kRowBytes - 1));
    const RandomData data(static_cast<std::uint64_t>(trial), 1 + random.below(40), features, 2);
    Model model = random_model(random, features, 1 + random.below(4),
                               2 * static_cast<std::int64_t>(1 + random.below(80)), trial % 3 == 0);
    ModelParts parts = model.parts();  // half of the clauses are true on some row, with any number of literals
    parts.literals.clear();
    parts.clause_starts = {0};
    for (std::uint32_t c = 0; c < model.clauses(); ++c) {
      std::set<std::uint32_t> literals;
      if (random.chance(0.5)) {
        literals.insert(model.clause(c).begin(), model.clause(c).end());
      } else {
        const std::vector<bool>& row = data.naive_rows[random.below(data.rows.rows())];
        const double density = random.chance(0.5) ? 1 : 8.0 / static_cast<double>(features);
        for (std::size_t k = 0; k < features; ++k) {
          if (random.chance(density)) literals.insert(static_cast<std::uint32_t>(row[k] ? k : features + k));
        }
      }
      parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
      parts.clause_starts.push_back(parts.literals.size());
    }
    model = Model(std::move(parts));
    if (trial % 4 != 0) model = with_shares(model, shares_of(random, data, trial % 4 == 1));
    SCOPED_TRACE(trial);
    ASSERT_TRUE(can_test_bytes(model));
    expect_naive_votes_of_bytes(model, data);
    if (HasFatalFailure()) return;
  }
  EXPECT_FALSE(can_test_bytes(random_model(random, 8 * (kRowBytes - 1) + 1, 2, 2, false)));
}

TEST(Engines, AClauseMayWaitForHundredsOfFeaturesThatAreUsuallyFalse) {
  constexpr std::size_t kFeatures = 700;
  Options options;
  options.clauses = 4;
  // Class 0 has one clause of 600 features, one of 127 and one of 128; class 1 wants all 700.
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  const auto clause = [&](std::uint32_t size) {
    for (std::uint32_t l = 0; l < size; ++l) literals.push_back(l);
    starts.push_back(literals.size());
  };
  for (const std::uint32_t size : {600u, 127u, 128u, 0u, 700u, 0u, 255u, 254u}) clause(size);
  ModelParts parts = plain_parts(options, kFeatures, 2, starts, literals, {5, 1, -1, -1, 3, 1, -1, -2});
  parts.truth_shares.assign(kFeatures, 1);
  const Model model(std::move(parts));
  RandomData data(4, 300, kFeatures, 2);
  for (std::size_t r = 0; r < 300; ++r) {  // the first so many are true, and perhaps a hole
    TestRandom random(r);
    const std::size_t ends[] = {126, 127, 128, 253, 254, 255, 599, 600, 699, 700};
    const std::size_t end = ends[r % 10], hole = random.chance(0.5) ? random.below(700) : 700;
    for (std::size_t k = 0; k < kFeatures; ++k) {
      const bool on = k < end && k != hole;
      data.naive_rows[r][k] = on;
      std::uint64_t& word = data.rows.row(r)[k / 64];
      word = (word & ~(std::uint64_t{1} << (k % 64))) | (std::uint64_t{on} << (k % 64));
    }
  }
  expect_naive_votes(model, data);
}

TEST(Engines, ModelsAgreeThatAreTooLargeForOnePartOrFor16BitIds) {
  TestRandom random(7);
  const RandomData data(3, 20, 9, 2);
  const std::pair<std::size_t, std::int64_t> shapes[] = {{3, 14000}, {2, 33000}, {1, 66000}};
  for (const auto& [classes, clauses] : shapes) {
    SCOPED_TRACE(clauses);
    const Model model = random_model(random, 9, classes, clauses, classes == 3);
    expect_naive_votes(with_shares(model, shares_of(random, data, clauses == 33000)), data);
  }
}

TEST(Engines, SparseRowsThatCannotBeAreRefused) {
  TestRandom random(5);
  const Predictor predictor(random_model(random, 10, 2, 4, false));
  const auto message = [&](SparseBits rows) -> std::string {
    try {
      predictor.votes(rows);
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto rows = [](std::vector<std::uint64_t> starts, std::vector<std::uint32_t> features, std::size_t columns) {
    SparseBits bits(columns);
    bits.starts = std::move(starts);
    bits.features = std::move(features);
    return bits;
  };
  EXPECT_EQ(message(rows({0, 2, 4}, {1, 9, 0, 10}, 10)), "row 1 has feature 10, and the features are 0 to 9");
  EXPECT_EQ(message(rows({0, 2}, {3, 3}, 10)), "row 0 has feature 3 after 3: the features of a sparse row must ascend");
  EXPECT_EQ(message(rows({0, 2}, {4, 3}, 10)), "row 0 has feature 3 after 4: the features of a sparse row must ascend");
  EXPECT_EQ(message(rows({0, 3, 1, 4}, {1, 2, 3, 4}, 10)),
            "the starts of sparse rows must not descend, and row 1 ends before it begins");
  EXPECT_EQ(message(rows({0, 9}, {1, 2}, 10)),
            "the starts of sparse rows must go from 0 to the number of their features");
  EXPECT_EQ(message(rows({1, 2}, {1, 2}, 10)),
            "the starts of sparse rows must go from 0 to the number of their features");
  EXPECT_EQ(message(rows({0, 1}, {1}, 11)), "the data have 11 features but the model was made for 10");
  EXPECT_EQ(message(rows({0, 0}, {}, 10)), "accepted");
  std::vector<std::int32_t> two(2), three(3);
  const std::vector<std::uint32_t> good = {1, 4}, unsorted = {4, 1}, outside = {10};
  EXPECT_NO_THROW(predictor.votes(good, two));
  EXPECT_THROW(predictor.votes(good, three), DataError);
  EXPECT_THROW(predictor.votes(unsorted, two), DataError);
  EXPECT_THROW(predictor.votes(outside, two), DataError);
}

TEST(EnginesThreads, GiveTheSameVotesOnAnyNumberOfThreads) {
  TestRandom random(5);
  const Model model = random_model(random, 90, 3, 40, false);
  const RandomData data(6, 2000, 90, 3);
  for (const std::string& engine : kEngines) {
    const Predictor predictor(model, engine_named(engine));
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
  for (const std::uint32_t l : model.parts().literals) {
    for (const auto& x : data.naive_rows) expected += l < 50 ? !x[l] : x[l - 50];
  }
  PredictCounters counters;
  Predictor(model, Engine::kIndex).votes(data.rows, 1, &counters);
  EXPECT_EQ(counters.entries_visited, expected);
}

TEST(Engines, EmptyClausesAreTrueWhenLearningAndSilentWhenPredicting) {
  Options options;
  options.clauses = 4;
  const Model empty(plain_parts(options, 3, 2, std::vector<std::uint64_t>(9), {}, {1, 1, -1, -1, 1, 1, -1, -1}));
  const RandomData data(1, 5, 3, 2);
  const Bank bank(4, 3, 256);
  const ClauseSlots slots(4, 2);
  const std::uint64_t active[] = {slots.used(0), slots.used(1)};
  const std::uint32_t order[] = {0};
  Examples examples(order, data.rows);
  for (const std::string& engine : kEngines) {
    for (const std::int32_t v : Predictor(empty, engine_named(engine)).votes(data.rows)) EXPECT_EQ(v, 0);
  }
  for (const std::string engine : {"scan", "index", "lookahead"}) {
    std::vector<std::uint64_t> out(slots.words());
    LearnCounters counters;
    const auto evaluator = make_evaluator(engine_named(engine), bank, slots, active, find_kernels("auto"));
    evaluator->begin(examples);
    evaluator->outputs(0, out.data(), counters);
    EXPECT_EQ(out, (std::vector<std::uint64_t>{3, 3})) << engine << ": two true clauses of each polarity, nothing else";
  }
}

TEST(Engines, AutoSlicesFromTheNumberOfRowsThatItNames) {
  TestRandom random(5);
  const Predictor predictor(random_model(random, 100, 2, 1000, false));
  EXPECT_EQ(predictor.engine(1), "bitmap");
  EXPECT_EQ(predictor.engine(10000), "sliced");
  std::size_t rows = 1;
  while (predictor.engine(rows) == "bitmap") ++rows;
  for (const std::size_t some : {std::size_t{1}, rows - 1, rows, std::size_t{512}, std::size_t{10000}}) {
    const EngineChoice choice = predictor.choice(some);
    EXPECT_EQ(choice.name, some < rows ? "bitmap" : "sliced");
    EXPECT_NE(choice.reason.find(", so sliced pays from " + std::to_string(rows) + " rows on"), std::string::npos)
        << choice.reason;
  }
  EXPECT_TRUE(predictor.choice(1).reason.ends_with("; there is 1")) << predictor.choice(1).reason;
  EXPECT_EQ(Predictor(random_model(random, 100, 2, 4, false), Engine::kIndex).choice(7).reason, "it was asked for");
}

TEST(Engines, AutoGoesThroughTheIndexWhereBitmapsWouldTakeTooMuchMemory) {
  TestRandom random(6);
  const Model model = random_model(random, 100, 2, 1000, false);
  const Kernels& kernels = find_kernels("auto");
  const std::uint64_t most = most_bitmap_bytes(model);
  EXPECT_GE(most, make_bitmap_engine(model, kernels)->bytes() / 2) << "the bound is no bound";
  EXPECT_EQ(make_auto_engine(model, kernels, most)->choice(1, false).name, "bitmap");
  const auto small = make_auto_engine(model, kernels, most - 1);
  EXPECT_EQ(small->choice(1, false).name, "index");
  EXPECT_NE(small->choice(1, false).reason.find("so index took its place"), std::string::npos)
      << small->choice(1, false).reason;
  EXPECT_EQ(small->choice(512, false).name, "sliced");
}

TEST(Engines, PredictionIsTheWinnerOfTheVotesForRowsOfBitsSparseBitsAndBytes) {
  TestRandom random(7);
  const std::size_t features = 70, rows = 1100;  // three blocks, the last one not full
  const Model model = random_model(random, features, 3, 20, true);
  BitMatrix bits(rows, features);
  std::vector<std::uint8_t> bytes(rows * features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < features; ++k) {
      if (!random.chance(0.4)) continue;
      bits.set(r, k);
      bytes[r * features + k] = static_cast<std::uint8_t>(1 + random.below(255));
    }
  }
  BitMatrix reversed(rows, features);
  for (std::size_t r = 0; r < rows; ++r) std::ranges::copy(bits.row(rows - 1 - r), reversed.row(r).begin());
  const auto stride = static_cast<std::ptrdiff_t>(features);
  for (const Kernels* kernels : supported_kernels()) {
    for (const char* engine : {"auto", "scan", "index", "bitmap", "sliced"}) {
      const Predictor predictor(model, engine_named(engine), kernels->name);
      const std::vector<std::uint32_t> expected = winners(predictor.votes(bits), 3);
      for (const unsigned threads : {1u, 3u}) {
        PredictCounters counters;
        EXPECT_EQ(predictor.predict(bits, threads), expected);
        EXPECT_EQ(predictor.predict(SparseBits(bits), threads), expected);
        EXPECT_EQ(predictor.predict(ByteRowsView{bytes.data(), rows, features, stride}, threads, &counters), expected);
        EXPECT_EQ(counters.samples, rows);
        const ByteRowsView backwards{bytes.data() + (rows - 1) * features, rows, features, -stride};
        EXPECT_EQ(predictor.predict(backwards, threads), winners(predictor.votes(reversed), 3));
      }
    }
  }
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
  EXPECT_THROW(Predictor(model, Engine::kIndex, "mmx"), ConfigError);
  EXPECT_TRUE(predictor.votes(BitMatrix(0, 10)).empty());
  const std::vector<std::uint8_t> bytes(33);
  EXPECT_THROW(predictor.predict(ByteRowsView{bytes.data(), 3, 11, 11}), DataError);
  EXPECT_TRUE(predictor.predict(ByteRowsView{nullptr, 0, 10, 10}).empty());
}

}  // namespace
}  // namespace falsum::engines_test
