// Positions that change by flips, marks and undos against fresh predictions by every engine.
#include "falsum/incremental.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <thread>

#include "falsum/clause_outputs.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "random_data.h"

namespace falsum::incremental_test {
namespace {

enum class Kind { kPlain, kWeighted, kShared, kLabels, kRegression, kFuzzy, kPatches, kLong };
constexpr Kind kKinds[] = {Kind::kPlain,      Kind::kWeighted, Kind::kShared,  Kind::kLabels,
                           Kind::kRegression, Kind::kFuzzy,    Kind::kPatches, Kind::kLong};

Options options_of(Kind kind, TestRandom& random) {
  Options options;
  options.clauses = 40;
  options.max_weight = kind == Kind::kPlain || kind == Kind::kFuzzy ? 1 : 1000;
  options.weighted = kind == Kind::kWeighted;
  options.shared = kind == Kind::kShared;
  if (kind == Kind::kLabels) options.task = Task::kMultilabel;
  if (kind == Kind::kRegression) options.task = Task::kRegression;
  if (kind == Kind::kFuzzy) {
    options.fuzzy = 1 + static_cast<std::int64_t>(random.below(6));
    options.clamp = random.chance(0.5);
    options.include_limit = 0;
  }
  if (kind == Kind::kPatches) {
    constexpr const char* kShapes[][3] = {
        {"4x5", "2x3", "1x1"}, {"6x5x2", "2x2", "2x1"}, {"1x20", "1x4", "1x3"}, {"3x3", "3x3", "1x1"}};
    const auto& shape = kShapes[random.below(4)];
    options.image = shape[0];
    options.patch = shape[1];
    options.stride = shape[2];
  }
  return options;
}

/// Some clauses are empty, some contradict themselves, some vote on no output or on several.
Model random_model(std::uint64_t seed, Kind kind) {
  TestRandom random(seed);
  ModelParts parts;
  parts.options = options_of(kind, random);
  const auto patches = patch_shape(parts.options);
  parts.features = patches               ? patches->image_features()
                   : kind == Kind::kLong ? 300 + random.below(60)
                                         : 1 + random.below(90);
  parts.outputs = kind == Kind::kRegression ? 1 : 2 + random.below(3);
  if (kind == Kind::kRegression) parts.range = {-1, 3};
  const std::size_t seen = clause_features(parts.options, parts.features), clauses = 10 + random.below(60);
  for (std::size_t c = 0; c < clauses; ++c) {
    const double density = random.chance(0.1)     ? 0
                           : kind == Kind::kLong  ? 0.9
                           : kind == Kind::kFuzzy ? 6.0 / static_cast<double>(seen)
                                                  : 2.0 / static_cast<double>(seen);
    for (std::uint32_t l = 0; l < 2 * seen; ++l) {
      const bool wanted = kind == Kind::kLong && c % 2 == 0 ? l < seen : true;  // long, and without contradiction
      if (wanted && random.chance(density)) parts.literals.push_back(l);
    }
    parts.clause_starts.push_back(parts.literals.size());
  }
  for (std::size_t o = 0; o < parts.outputs; ++o) {
    for (std::uint32_t c = 0; c < clauses; ++c) {
      const bool mine = kind == Kind::kShared || kind == Kind::kPatches ? random.chance(0.7) : c % parts.outputs == o;
      if (!mine) continue;
      const auto size =
          kind == Kind::kPlain || kind == Kind::kFuzzy ? 1 : static_cast<std::int32_t>(1 + random.below(9));
      parts.weights.push_back({c, random.chance(0.5) ? size : -size});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  return Model(std::move(parts));
}

/// Crisp clauses as lists or as bitmaps; other models have lists alone.
IncrementalPredictor position_of(const Model& model, bool bitmaps) {
  const bool crisp = !is_fuzzy(model.options()) && !model.patches();
  const IncrementalForm form = crisp && bitmaps ? IncrementalForm::kBitmaps : IncrementalForm::kLists;
  const auto index = std::make_shared<const IncrementalIndex>(model, form);
  EXPECT_EQ(index->form(), form);
  return IncrementalPredictor(index);
}

std::vector<Predictor> every_engine(const Model& model) {
  std::vector<Predictor> all;
  for (const EngineInfo& info : engine_table()) {
    const bool fuzzy = is_fuzzy(model.options());
    if (!info.predicts || (info.engine == Engine::kTables) > fuzzy) continue;
    if (fuzzy && (info.engine == Engine::kIndex || info.engine == Engine::kBitmap)) continue;
    all.emplace_back(model, info.engine);
  }
  return all;
}

std::vector<std::int32_t> fresh_votes(const Predictor& predictor, std::span<const std::uint64_t> row) {
  std::vector<std::int32_t> votes(predictor.outputs());
  predictor.votes(row, votes);
  return votes;
}

std::vector<std::int32_t> now(const IncrementalPredictor& position) {
  return {position.votes().begin(), position.votes().end()};
}

std::vector<std::uint64_t> random_row(TestRandom& random, std::size_t features, double share) {
  std::vector<std::uint64_t> row((features + 63) / 64);
  for (std::size_t k = 0; k < features; ++k) row[k / 64] |= std::uint64_t{random.chance(share)} << (k % 64);
  return row;
}

TEST(Incremental, AfterAnyFlipsMarksAndUndosTheVotesAreThoseOfEveryEngine) {
  EXPECT_TRUE(rc::check("for any model and moves", [](std::uint64_t seed, const std::vector<std::uint16_t>& moves) {
    const Model model =
        random_model(seed, *rc::gen::elementOf(std::vector<Kind>(std::begin(kKinds), std::end(kKinds))));
    const std::vector<Predictor> engines = every_engine(model);
    TestRandom random(seed + 1);
    IncrementalPredictor position = position_of(model, random.chance(0.5));
    std::vector<std::pair<IncrementalPredictor::Mark, std::vector<std::uint64_t>>> marks;
    for (const std::uint16_t move : moves) {
      const std::uint64_t action = move % 16;
      if (action == 0) {
        position.set(random_row(random, model.features(), random.chance(0.5) ? 0.1 : 0.6));
        marks.clear();
      } else if (action < 3) {
        marks.emplace_back(position.mark(), std::vector(position.row().begin(), position.row().end()));
      } else if (action < 5 && !marks.empty()) {
        while (marks.size() > 1 && random.chance(0.3)) marks.pop_back();
        position.undo(marks.back().first);
        RC_ASSERT(std::ranges::equal(position.row(), marks.back().second));
      } else {
        const bool before = position.feature(move % model.features());
        position.flip(move % model.features());
        RC_ASSERT(position.feature(move % model.features()) != before);
      }
      RC_ASSERT(now(position) == fresh_votes(engines[move % engines.size()], position.row()));
    }
    for (const Predictor& engine : engines) RC_ASSERT(now(position) == fresh_votes(engine, position.row()));
  }));
}

TEST(Incremental, SuccessorsAreTheVotesAfterEachFlip) {
  for (const Kind kind : kKinds) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const Model model = random_model(seed, kind);
      TestRandom random(seed + 7);
      IncrementalPredictor position = position_of(model, seed % 2 == 0);
      position.set(random_row(random, model.features(), seed % 3 == 0 ? 0.95 : 0.4));
      std::vector<std::int32_t> all(model.features() * model.outputs());
      for (int step = 0; step < 5; ++step) {
        const std::vector<std::int32_t> here = now(position);
        position.successors(all);
        ASSERT_EQ(now(position), here);
        for (std::size_t k = 0; k < model.features(); ++k) {
          position.flip(k);
          const auto part = std::span(all).subspan(k * model.outputs(), model.outputs());
          ASSERT_EQ(now(position), std::vector(part.begin(), part.end())) << "kind " << int(kind) << " feature " << k;
          position.flip(k);
        }
        ASSERT_EQ(now(position), here);
        position.flip(random.below(model.features()));
      }
    }
  }
}

TEST(Incremental, TheTrueClausesAreThoseOfTheModelAndTheirVotesSumUp) {
  for (const Kind kind : kKinds) {
    const Model model = random_model(5, kind);
    for (const bool bitmaps : {false, true}) {
      TestRandom random(3);
      BitMatrix rows(1, model.features());
      std::ranges::copy(random_row(random, model.features(), kind == Kind::kLong ? 1.0 : 0.5), rows.row(0).begin());
      IncrementalPredictor position = position_of(model, bitmaps);
      position.set(rows.row(0));
      const BitMatrix outputs = clause_outputs(model, rows);
      for (std::size_t o = 0; o < model.outputs(); ++o) {
        std::vector<std::uint32_t> expected, visited;
        for (const Weight& weight : model.weights(o)) {
          if (outputs.get(0, weight.clause)) expected.push_back(weight.clause);
        }
        std::int32_t sum = 0;
        position.for_each_true(o, [&](std::uint32_t clause, std::int32_t votes) {
          visited.push_back(clause);
          sum += votes;
        });
        EXPECT_EQ(visited, expected);
        EXPECT_EQ(sum, position.votes(o));
      }
    }
  }
}

TEST(Incremental, MoreClausesThanShortIdsCanNumberGiveTheSameVotes) {
  TestRandom random(17);
  ModelParts parts;
  parts.options.clauses = 70'000;
  parts.features = 30;
  parts.outputs = 1;
  parts.options.task = Task::kMultilabel;
  for (std::uint32_t c = 0; c < 70'000; ++c) {
    parts.literals.push_back(static_cast<std::uint32_t>(random.below(30)));
    parts.literals.push_back(static_cast<std::uint32_t>(30 + random.below(30)));
    parts.clause_starts.push_back(parts.literals.size());
    parts.weights.push_back({c, c % 2 == 0 ? 1 : -1});
  }
  parts.weight_starts.push_back(parts.weights.size());
  const Model model(std::move(parts));
  const Predictor predictor(model, Engine::kIndex);
  IncrementalPredictor position(model);
  for (int step = 0; step < 50; ++step) {
    position.flip(random.below(30));
    ASSERT_EQ(now(position), fresh_votes(predictor, position.row()));
  }
}

TEST(Incremental, AFlipVisitsTheListsOfItsTwoLiteralsAlone) {
  ModelParts parts;
  parts.options.clauses = 4;
  parts.features = 3;
  parts.outputs = 2;
  parts.literals = {0, 1, 0, 4, 2, 1, 4};  // (0, 1), (0, not 1), (2), and one that contradicts itself
  parts.clause_starts = {0, 2, 4, 5, 7};
  parts.weights = {{0, 1}, {1, -1}, {2, 1}, {3, -1}};
  parts.weight_starts = {0, 2, 4};
  IncrementalPredictor position{Model(std::move(parts))};
  EXPECT_EQ(position.index()->clauses(), 3U);
  position.flip(0);
  EXPECT_EQ(position.counters().entries_visited, 2U);
  EXPECT_EQ(now(position), (std::vector<std::int32_t>{-1, 0}));
  position.flip(1);
  EXPECT_EQ(position.counters().entries_visited, 4U);
  EXPECT_EQ(now(position), (std::vector<std::int32_t>{1, 0}));
  std::vector<std::int32_t> all(6);
  position.successors(all);
  EXPECT_EQ(all, (std::vector<std::int32_t>{0, 0, -1, 0, 1, 1}));
  EXPECT_EQ(position.counters().near_clauses, 3U);
  EXPECT_EQ(position.counters().literals_walked, 2U);
}

/// Clauses of 6 literals on a board of 40 features (dense), or of as many on 4,000 features.
Model board_model(std::size_t features) {
  TestRandom random(23);
  ModelParts parts;
  parts.options.clauses = 800;
  parts.features = features;
  parts.outputs = 2;
  for (std::uint32_t c = 0; c < 1600; ++c) {
    for (std::size_t i = 0; i < 6; ++i) {  // ascending, no feature twice
      const std::size_t feature = i * (features / 6) + random.below(features / 6);
      if (i < 3) parts.literals.push_back(static_cast<std::uint32_t>(feature));
      if (i >= 3) parts.literals.push_back(static_cast<std::uint32_t>(feature + features));
    }
    parts.clause_starts.push_back(parts.literals.size());
    parts.weights.push_back({c, c % 2 == 0 ? 1 : -1});
    if (c % 800 == 799) parts.weight_starts.push_back(c + 1);
  }
  return Model(std::move(parts));
}

TEST(Incremental, DenseClausesBecomeBitmapsAndEveryKernelSetCountsTheSameKernels) {
  EXPECT_EQ(IncrementalIndex(board_model(4000)).form(), IncrementalForm::kLists);
  const Model model = board_model(40);
  const Predictor predictor(model, Engine::kScan);
  for (const KernelSetInfo& set : list_kernel_sets()) {
    if (!set.supported) continue;
    const auto index = std::make_shared<const IncrementalIndex>(model, IncrementalForm::kAuto, set.name);
    ASSERT_EQ(index->form(), IncrementalForm::kBitmaps);
    IncrementalPredictor position(index);
    TestRandom random(2);
    for (int step = 0; step < 300; ++step) {
      position.flip(random.below(40));
      ASSERT_EQ(now(position), fresh_votes(predictor, position.row())) << set.name;
    }
    EXPECT_EQ(position.counters().lines_joined, 4U * 300);
    EXPECT_EQ(position.counters().entries_visited, 0U);
  }
}

TEST(Incremental, BitmapsAreForCrispClausesOfWholeRows) {
  for (const Kind kind : {Kind::kFuzzy, Kind::kPatches}) {
    const Model model = random_model(1, kind);
    EXPECT_THROW(IncrementalIndex(model, IncrementalForm::kBitmaps), ConfigError);
  }
}

TEST(Incremental, EightThreadsShareOneIndexThreads) {
  const Model model = random_model(11, Kind::kShared);
  const auto index = std::make_shared<const IncrementalIndex>(model, IncrementalForm::kBitmaps);
  const Predictor predictor(model, Engine::kScan);
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> wrong(8);
  for (std::size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      TestRandom random(t);
      IncrementalPredictor position(index);
      std::vector<std::int32_t> all(index->features() * index->outputs());
      for (int step = 0; step < 300; ++step) {
        const std::size_t k = random.below(index->features());
        position.successors(all);
        position.flip(k);
        const std::vector<std::int32_t> fresh = fresh_votes(predictor, position.row());
        const auto part = std::span(all).subspan(k * index->outputs(), index->outputs());
        wrong[t] += now(position) != fresh || !std::ranges::equal(part, fresh);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<std::uint64_t>(8));
}

template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Incremental, WrongCallsGetASentenceAndLeaveThePositionAlone) {
  const Model model = random_model(2, Kind::kPlain);
  IncrementalPredictor position(model);
  position.flip(0);
  const std::vector<std::int32_t> before = now(position);
  const std::size_t features = model.features();
  EXPECT_EQ(error_of([&] { position.flip(features); }),
            "feature must be from 0 to " + std::to_string(features - 1) + ", got " + std::to_string(features));
  EXPECT_NE(error_of([&] { position.set(std::vector<std::uint64_t>(9)); }).find("words, got 9"), std::string::npos);
  std::vector<std::int32_t> few(1);
  EXPECT_NE(error_of([&] { position.successors(few); }).find("got room for 1"), std::string::npos);
  EXPECT_NE(error_of([&] { position.undo({}); }).find("mark"), std::string::npos);
  const auto mark = position.mark();
  EXPECT_EQ(now(position), before);
  const std::vector<std::uint64_t> row(position.row().begin(), position.row().end());
  position.set(row);
  EXPECT_NE(error_of([&] { position.undo(mark); }).find("another position was set"), std::string::npos);
  EXPECT_EQ(now(position), before);
}

TEST(Incremental, BitsBeyondTheLastFeatureAreIgnored) {
  const Model model = random_model(4, Kind::kWeighted);
  ASSERT_NE(model.features() % 64, 0U);
  IncrementalPredictor position(model);
  std::vector<std::uint64_t> row((model.features() + 63) / 64, ~std::uint64_t{0});
  position.set(row);
  row.back() = (std::uint64_t{1} << (model.features() % 64)) - 1;
  EXPECT_EQ(now(position), fresh_votes(Predictor(model), row));
}

}  // namespace
}  // namespace falsum::incremental_test
