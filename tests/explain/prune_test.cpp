// Smaller models.
#include "falsum/prune.h"

#include <gtest/gtest.h>

#include "falsum/error.h"
#include "falsum/predictor.h"
#include "falsum/scores.h"
#include "learned.h"

namespace falsum::prune_test {
namespace {

/// The model, but the last clause of the first output says what its first one says, and votes against it.
Model with_a_pair_that_cancels(const Model& model) {
  ModelParts parts = model.parts();
  const std::span<const Weight> weights = model.weights(0);
  EXPECT_EQ(weights.front().votes, -weights.back().votes);
  parts.clause_starts = {0};
  parts.literals.clear();
  for (std::uint32_t c = 0; c < model.clauses(); ++c) {
    const auto literals = model.clause(c == weights.back().clause ? weights.front().clause : c);
    parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
    parts.clause_starts.push_back(parts.literals.size());
  }
  return Model(std::move(parts));
}

TEST_F(Learned, MergingChangesNoVote) {
  std::vector<Options> kinds(3, {.clauses = 40, .threshold = 10, .specificity = 3});
  kinds[1].shared = true;
  kinds[2].fuzzy = kinds[2].max_literals = 3;
  for (const Options& options : kinds) {
    const Model model = options.fuzzy > 0 ? with_a_pair_that_cancels(learned(options)) : learned(options);
    const Merged merged = merge_clauses(model);
    EXPECT_LT(merged.after.clauses, merged.before.clauses);
    EXPECT_EQ(merged.cancelled, options.fuzzy > 0 ? 2U : merged.cancelled);
    EXPECT_EQ(Predictor(model).votes(rows_), Predictor(merged.model).votes(rows_));
    EXPECT_EQ(Predictor(model).votes(rows_), Predictor(Model::from_bytes(merged.model.to_bytes())).votes(rows_));
    const std::vector<Engine> engines =
        options.fuzzy > 0 ? std::vector{Engine::kScan, Engine::kSliced, Engine::kTables}
                          : std::vector{Engine::kScan, Engine::kIndex, Engine::kBitmap, Engine::kSliced};
    for (const Engine engine : engines) {
      EXPECT_EQ(Predictor(model).votes(rows_), Predictor(merged.model, engine).votes(rows_));
    }
  }
}

TEST_F(Learned, APrunedModelOfEveryTaskIsSmallerAndItsScoreIsWhatItSays) {
  std::vector<Options> kinds(5, {.clauses = 40, .threshold = 10, .specificity = 3});
  kinds[1].shared = true;
  kinds[2].task = Task::kMultilabel;
  kinds[3].task = Task::kRegression;
  kinds[4].fuzzy = kinds[4].max_literals = 5;
  for (const Options& options : kinds) {
    const Model model = learned(options);
    const Targets truth = this->truth(options.task);
    const Pruned pruned = prune(model, rows_, truth, "the rows", {.within = 2});
    EXPECT_LT(pruned.after.clauses, pruned.merged.after.clauses);
    const auto score = [&](const Model& by) { return scores(Predictor(by), rows_, truth).front().value; };
    EXPECT_DOUBLE_EQ(score(model), pruned.score_before);
    EXPECT_DOUBLE_EQ(score(pruned.model), pruned.score_after);
    if (options.task == Task::kRegression) {
      EXPECT_LE(pruned.score_after, pruned.score_before * 1.02 + 1e-9);
    } else {
      EXPECT_GE(pruned.score_after, pruned.score_before - 0.02 - 1e-9);
    }
    EXPECT_NE(pruned.model.provenance().data.find("on the rows"), std::string::npos);
    EXPECT_LT(pruned.model.provenance().test_accuracy, 0);
  }
}

TEST_F(Learned, WrongCallsOfPruneAreRefused) {
  const Model model = learned({.clauses = 40, .threshold = 10, .specificity = 3});
  EXPECT_THROW(prune(model, rows_, classes_, "", {.within = -1}), ConfigError);
  EXPECT_THROW(prune(model, BitMatrix(0, 12), std::vector<std::uint32_t>{}, ""), DataError);
  EXPECT_THROW(prune(model, rows_, std::vector<std::uint32_t>(300, 3), ""), DataError);
  EXPECT_THROW(prune(model, rows_, numbers_, ""), DataError);
}

}  // namespace
}  // namespace falsum::prune_test
