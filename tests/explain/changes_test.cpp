// Changes that change an answer, against trying every set of features.
#include "falsum/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "falsum/error.h"
#include "falsum/predictor.h"
#include "plain_model.h"
#include "random_data.h"

namespace falsum::changes_test {
namespace {

Model random_model(TestRandom& random, std::size_t features, std::size_t classes, Task task) {
  Options options;
  options.clauses = 20;
  options.task = task;
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  std::vector<std::int32_t> weights;
  for (std::size_t c = 0; c < classes * 20; ++c) {
    for (std::uint32_t l = 0; l < 2 * features; ++l) {
      if (random.chance(2.5 / static_cast<double>(features) / 2)) literals.push_back(l);
    }
    starts.push_back(literals.size());
    weights.push_back(c % 20 < 12 ? 1 : -1);
  }
  return Model(plain_parts(options, features, classes, std::move(starts), std::move(literals), weights));
}

bool answers(std::span<const std::int32_t> votes, std::span<const std::int32_t> before, Task task,
             std::optional<std::size_t> output) {
  if (task == Task::kMultilabel) {
    for (std::size_t o = 0; o < votes.size(); ++o) {
      if ((!output || *output == o) && (votes[o] > 0) != (before[o] > 0)) return true;
    }
    return false;
  }
  const std::uint32_t now = winners(votes, votes.size())[0], then = winners(before, before.size())[0];
  return output ? now == *output : now != then;
}

/// The size of the smallest set of features that gives the answer; 0 if none has at most `most`.
std::size_t smallest_by_trying(const Model& model, std::uint64_t row, std::size_t most,
                               std::optional<std::size_t> output) {
  const Predictor predictor(model, Engine::kScan);
  std::vector<std::int32_t> before(model.outputs()), votes(model.outputs());
  predictor.votes(std::span<const std::uint64_t>(&row, 1), before);
  std::size_t best = 0;
  for (std::uint64_t set = 1; set < std::uint64_t{1} << model.features(); ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    if (size > most || (best != 0 && size >= best)) continue;
    const std::uint64_t changed = row ^ set;
    predictor.votes(std::span<const std::uint64_t>(&changed, 1), votes);
    if (answers(votes, before, model.task(), output)) best = size;
  }
  return best;
}

TEST(Changes, TheSmallestIsFoundAndGivesTheAnswer) {
  TestRandom random(8);
  std::vector<std::size_t> sizes(4);
  for (int trial = 0; trial < 40; ++trial) {
    const Task task = trial % 4 == 3 ? Task::kMultilabel : Task::kClassification;
    const Model model = random_model(random, 4 + random.below(6), 3, task);
    IncrementalPredictor position(model);
    const std::vector<std::uint64_t> row = {random.below(std::uint64_t{1} << model.features())};
    position.set(row);
    ChangeOptions options;
    if (trial % 2 == 0) options.output = (winners(position.votes(), 3)[0] + 1) % 3;
    const Change change = smallest_change(position, options);
    EXPECT_EQ(change.features.size(), smallest_by_trying(model, row[0], 3, options.output)) << trial;
    EXPECT_TRUE(change.smallest);
    EXPECT_EQ(position.row()[0], row[0]);
    ++sizes[change.features.size()];
    if (!change.found()) continue;
    const std::vector<std::int32_t> before(position.votes().begin(), position.votes().end());
    for (const std::uint32_t k : change.features) position.flip(k);
    EXPECT_TRUE(std::ranges::equal(position.votes(), change.votes));
    EXPECT_TRUE(answers(position.votes(), before, task, options.output));
  }
  EXPECT_GT(sizes[1], 5U);
  EXPECT_GT(sizes[2] + sizes[3], 2U);
}

TEST(Changes, AGreedyChangeNeedsEachOfItsFeatures) {
  TestRandom random(4);
  std::size_t found = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Model model = random_model(random, 30, 3, Task::kClassification);
    IncrementalPredictor position(model);
    const std::vector<std::uint64_t> row = {random.below(std::uint64_t{1} << 30)};
    position.set(row);
    const std::size_t wanted = (winners(position.votes(), 3)[0] + 1) % 3;
    const Change change =
        smallest_change(position, {.output = wanted, .features = {}, .most_features = 30, .most_passes = 1});
    if (!change.found() || change.smallest) continue;
    ++found;
    for (const std::uint32_t k : change.features) position.flip(k);
    EXPECT_EQ(winners(position.votes(), 3)[0], wanted);
    if (change.features.size() == 1) continue;
    for (const std::uint32_t k : change.features) {
      position.flip(k);
      EXPECT_NE(winners(position.votes(), 3)[0], wanted);
      position.flip(k);
    }
  }
  EXPECT_GT(found, 3U);
}

TEST(Changes, OnlyTheFeaturesNamedMayChange) {
  TestRandom random(21);
  const Model model = random_model(random, 10, 2, Task::kClassification);
  const IncrementalPredictor position(model);
  const Change free = smallest_change(position);
  ASSERT_TRUE(free.found());
  ChangeOptions options;
  for (std::uint32_t k = 0; k < 10; ++k) {
    if (!std::ranges::count(free.features, k)) options.features.push_back(k);
  }
  for (const std::uint32_t k : smallest_change(position, options).features) {
    EXPECT_TRUE(std::ranges::count(options.features, k));
  }
}

TEST(Changes, OptionsOutOfRangeGetASentence) {
  TestRandom random(1);
  const Model model = random_model(random, 5, 2, Task::kClassification);
  const IncrementalPredictor position(model);
  const auto message = [&](const ChangeOptions& options) -> std::string {
    try {
      smallest_change(position, options);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({.output = 2}), "output must be from 0 to 1, got 2");
  EXPECT_EQ(message({.features = {5}}), "features must be from 0 to 4, got 5");
  EXPECT_EQ(message({.features = {3, 3}}), "features must ascend, got 3 after 3");
  EXPECT_EQ(message({.most_features = 0}), "most_features must be at least 1, got 0");
  EXPECT_EQ(message({.most_passes = 0}), "most_passes must be at least 1, got 0");
}

}  // namespace
}  // namespace falsum::changes_test
