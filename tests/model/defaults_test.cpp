#include "falsum/defaults.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace falsum::defaults_test {

TEST(Defaults, TheLawOfTables) {
  const Options chosen = chosen_options({}, {DataKind::kTables, 500, 3});
  EXPECT_EQ(chosen.clauses, 400);
  EXPECT_EQ(chosen.threshold, 40);
  EXPECT_EQ(chosen.specificity, 1.5);
  EXPECT_EQ(chosen.specificity_to, 5);
  EXPECT_EQ(chosen.epochs, 60);
  EXPECT_EQ(chosen.snapshots, 5);
  EXPECT_EQ(chosen.fuzzy, 0);
  EXPECT_EQ(chosen_options({}, {DataKind::kTables, 50000, 3}).epochs, 20);
  EXPECT_EQ(chosen_options({}, {DataKind::kTables, 0, 3}).epochs, 60);
}

TEST(Defaults, ATableOfMoreClassesGetsMoreClauses) {
  const auto of_classes = [](std::size_t classes) { return chosen_options({}, {DataKind::kTables, 500, classes}); };
  const auto clauses = [&](std::size_t classes) { return of_classes(classes).clauses; };
  EXPECT_EQ(std::tuple(clauses(3), clauses(4), clauses(6), clauses(7)), std::tuple(400, 800, 800, 1600));
  const auto epochs = [&](std::size_t classes) { return of_classes(classes).snapshots; };
  EXPECT_EQ(std::tuple(epochs(3), epochs(4), epochs(7)), std::tuple(5, 10, 10));
  EXPECT_EQ(of_classes(4).threshold, 56);
  EXPECT_EQ(of_classes(7).threshold, 80);
  std::vector<Options> given(4);  // only where T and s are open, and the clauses are plain
  given[0].threshold = 20;
  given[1].specificity = 5;
  given[2].weight_growth = 0.01;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Options other = chosen_options(given[i], {i < 3 ? DataKind::kTables : DataKind::kBits, 500, 7});
    EXPECT_EQ(other.clauses, 400) << i;
    EXPECT_EQ(other.snapshots, 5) << i;
  }
}

TEST(Defaults, LabelsHaveWeightsUnlessSomethingIsGiven) {
  Options given;
  given.task = Task::kMultilabel;
  const Options chosen = chosen_options(given, {DataKind::kTables, 500, 3});
  EXPECT_TRUE(chosen.weighted);
  EXPECT_EQ(chosen.clauses, 200);
  EXPECT_EQ(chosen.threshold, 200);
  EXPECT_EQ(chosen.specificity, 5);
  EXPECT_EQ(chosen.snapshots, 5);
  given.clauses = 200;
  EXPECT_FALSE(chosen_options(given, {DataKind::kTables, 500, 3}).weighted);
}

TEST(Defaults, GivenNumbersStayAsTheyAre) {
  Options given;
  given.clauses = 100;
  given.threshold = 7;
  given.specificity = 4;
  Options chosen = chosen_options(given, {DataKind::kImages, 500, 3});
  EXPECT_EQ(chosen.snapshots, 1);  // nothing is averaged where all numbers are given
  EXPECT_EQ(chosen.specificity_to, 0);
  EXPECT_EQ(chosen.fuzzy, 0);
  chosen.epochs = given.epochs;
  chosen.snapshots = given.snapshots;
  for (const OptionInfo& option : option_table()) {
    EXPECT_TRUE(std::visit([&](auto field) { return chosen.*field == given.*field; }, option.field)) << option.name;
  }
}

TEST(Defaults, ThresholdFollowsTheClauses) {
  for (const std::int64_t clauses : {2, 100, 800, 20000}) {
    Options given;
    given.clauses = clauses;
    const auto times_root = [&](const Options& options, DataKind kind) {
      return static_cast<double>(chosen_options(options, {kind, 500, 2}).threshold) /
             std::sqrt(static_cast<double>(clauses));
    };
    EXPECT_NEAR(times_root(given, DataKind::kBits), 1, 0.3);
    EXPECT_NEAR(times_root(given, DataKind::kTables), 2, 0.6);
    given.specificity = 5;
    EXPECT_NEAR(times_root(given, DataKind::kTables), 1, 0.3);
  }
}

TEST(Defaults, ManyClassesOfATableGetMoreEpochs) {
  EXPECT_EQ(chosen_options({}, {DataKind::kTables, 500, 6}).epochs, 60);
  EXPECT_EQ(chosen_options({}, {DataKind::kTables, 500, 15}).epochs, 150);
  EXPECT_EQ(chosen_options({}, {DataKind::kTables, 20000, 26}).epochs, 86);
  EXPECT_EQ(chosen_options({}, {DataKind::kBits, 500, 15}).epochs, 60);
}

TEST(Defaults, EveryKindOfDataAndMachineGetsOptionsThatAreAllowed) {
  for (const DataKind kind : {DataKind::kBits, DataKind::kImages, DataKind::kTables, DataKind::kText}) {
    for (const std::size_t outputs : {std::size_t{2}, std::size_t{5}}) {
      std::vector<Options> given(7);
      given[1].weighted = true;
      given[2].shared = true;
      given[3].weight_growth = 0.01;
      given[4].fuzzy = 8;
      given[5].task = Task::kRegression;
      given[6].task = Task::kMultilabel;
      for (const Options& some : given) {
        const Options chosen = chosen_options(some, {kind, 3000, outputs});
        EXPECT_NO_THROW(validate(chosen));
        EXPECT_FALSE(is_auto(chosen.clauses) || is_auto(chosen.threshold) || is_auto(chosen.specificity) ||
                     is_auto(chosen.epochs) || is_auto(chosen.snapshots));
      }
    }
  }
  EXPECT_GT(chosen_options({}, {DataKind::kImages, 60000, 10}).fuzzy, 0);
  EXPECT_TRUE(chosen_options({}, {DataKind::kText, 25000, 2}).shared);
  EXPECT_FALSE(chosen_options({}, {DataKind::kText, 25000, 3}).shared);
}

}  // namespace falsum::defaults_test
