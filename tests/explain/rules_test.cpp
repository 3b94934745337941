// Equal clauses together, in their order, as sentences; and numbers about clauses.
#include "falsum/rules.h"

#include <gtest/gtest.h>

#include "falsum/error.h"
#include "falsum/machine.h"
#include "plain_model.h"
#include "random_data.h"

namespace falsum::rules_test {
namespace {

using Texts = std::vector<std::string>;

constexpr std::uint32_t kFeatures = 4;  // age >= 30, age >= 41.5, age is missing, smoker

/// Two outputs of eight clauses each, four for and four against; the second output's are all empty.
Model small_model() {
  const Booleanizer::ColumnMapping age{"age", false, false, {30, 41.5}, {}, true},
      smoker{"smoker", false, true, {}, {}};
  const std::vector<std::vector<std::uint32_t>> clauses = {
      {1},                 // for: age >= 41.5
      {0, 1},              // for: the same, as 30 is less
      {3},                 // for: smoker
      {},                  // for: silent
      {kFeatures + 0},     // against: age < 30 or missing
      {3, kFeatures + 3},  // against: never true
      {1, kFeatures + 0},  // against: never true, as 41.5 is more
      {3, kFeatures + 0},  // against: smoker, age < 30 or missing
  };
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  for (const auto& clause : clauses) {
    literals.insert(literals.end(), clause.begin(), clause.end());
    starts.push_back(literals.size());
  }
  starts.resize(17, literals.size());
  std::vector<std::int32_t> weights;
  for (int c = 0; c < 16; ++c) weights.push_back(c % 8 < 4 ? 1 : -1);
  Options options;
  options.clauses = 8;
  ModelParts parts = plain_parts(options, kFeatures, 2, starts, literals, weights);
  parts.labels = {"ill", "well"};
  parts.booleanizer = Booleanizer::from_mapping(Booleanizer::ByColumn{{age, smoker}});
  return Model(std::move(parts));
}

Texts texts_of(const Model& model, const std::vector<Rule>& rules) {
  Texts texts;
  const Texts labels = output_labels(model);
  for (const Rule& rule : rules) texts.push_back(rule_text(rule.votes, rule.conditions, labels[rule.output]));
  return texts;
}

TEST(Rules, EqualClausesAreOneRuleAndThoseThatAreNeverTrueAreLeftOut) {
  const Model model = small_model();
  const Conditions conditions(model);
  const std::vector<Rule> rules = rules_of(conditions, 0);
  EXPECT_EQ(texts_of(model, rules),
            (Texts{"+2 IF age >= 41.5 THEN ill", "+1 IF smoker THEN ill", "-1 IF (age < 30 or missing) THEN NOT ill",
                   "-1 IF smoker AND (age < 30 or missing) THEN NOT ill"}));
  EXPECT_EQ(rules[0].clauses, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(rules[0].votes, 2);
  EXPECT_EQ(rules[3].clauses, std::vector<std::size_t>{7});
  EXPECT_TRUE(rules_of(conditions, 1).empty());
}

TEST(Rules, OfSomeClausesOnly) {
  const Model model = small_model();
  const Conditions conditions(model);
  bool only[16] = {};
  only[1] = only[5] = only[7] = true;
  EXPECT_EQ(texts_of(model, rules_of(conditions, 0, only)),
            (Texts{"+1 IF age >= 41.5 THEN ill", "-1 IF smoker AND (age < 30 or missing) THEN NOT ill"}));
  EXPECT_THROW(rules_of(conditions, 0, std::span(only).first(3)), ConfigError);
  EXPECT_THROW(rules_of(conditions, 2), ConfigError);
}

/// One bank for two outputs: a clause votes for one of them and against the other, by different weights.
TEST(Rules, AClauseMayVoteOnSeveralOutputs) {
  ModelParts parts = small_model().parts();
  parts.weights = {{0, 5}, {1, -2}, {2, 3}, {0, -4}, {1, -3}};
  parts.weight_starts = {0, 3, 5};
  const Model model{std::move(parts)};
  const Conditions conditions(model);
  EXPECT_EQ(texts_of(model, rules_of(conditions, 0)),
            (Texts{"+5 IF age >= 41.5 THEN ill", "+3 IF smoker THEN ill", "-2 IF age >= 41.5 THEN NOT ill"}));
  EXPECT_EQ(texts_of(model, rules_of(conditions, 1)), Texts{"-7 IF age >= 41.5 THEN NOT well"});
  EXPECT_EQ(clause_statistics(model).included, 11u);
}

TEST(Rules, ASentenceComesInPiecesThatBelongTogether) {
  EXPECT_EQ(rule_pieces(3, Texts{"a", "b < 2 or missing"}, "rose"),
            (Texts{"+3 IF a", "AND (b < 2 or missing)", "THEN rose"}));
  EXPECT_EQ(rule_text(-12, Texts{"not a"}, "rose"), "-12 IF not a THEN NOT rose");
  EXPECT_EQ(rule_text(1, {}, "rose"), "+1 THEN rose");
}

TEST(Rules, OutputsWithoutLabelsAreCounted) {
  ModelParts parts = small_model().parts();
  parts.labels.clear();
  EXPECT_EQ(output_labels(Model(parts)), (Texts{"0", "1"}));
  EXPECT_EQ(output_labels(small_model()), (Texts{"ill", "well"}));
}

TEST(Rules, StatisticsCountClausesOnce) {
  const ClauseStatistics statistics = clause_statistics(small_model());
  EXPECT_EQ(statistics.clauses, 16u);
  EXPECT_EQ(statistics.empty, 9u);
  EXPECT_EQ(statistics.contradictory, 2u);
  EXPECT_EQ(statistics.included, 11u);
  EXPECT_EQ(statistics.longest, 2u);
  EXPECT_DOUBLE_EQ(statistics.mean_length, 11.0 / 16);
  EXPECT_DOUBLE_EQ(statistics.median_length, 0);
  EXPECT_DOUBLE_EQ(statistics.mean_list_length, 11.0 / (2 * 8));
}

/// What was learned, put together again: the votes of the rules are those of the clauses that can be true.
TEST(Rules, HoldEveryVoteOfALearnedMachine) {
  const RandomData data(5, 400, 12, 3);
  Options options;
  options.clauses = 30;
  options.threshold = 10;
  Machine machine(options, 12, 3);
  for (int epoch = 0; epoch < 5; ++epoch) machine.learn_epoch(data.rows, data.labels);
  const Model model = machine.model();
  const Conditions conditions(model);
  for (std::size_t output = 0; output < 3; ++output) {
    std::int64_t expected = 0, found = 0;
    std::size_t clauses = 0, in_rules = 0;
    for (const auto& [clause, votes] : model.weights(output)) {
      if (model.clause(clause).empty() || conditions.never_true(model.clause(clause))) continue;
      expected += votes;
      ++clauses;
    }
    std::int64_t most = INT64_MAX;
    for (const Rule& rule : rules_of(conditions, output)) {
      EXPECT_LE(std::abs(rule.votes), most);
      most = std::abs(rule.votes);
      found += rule.votes;
      in_rules += rule.clauses.size();
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(in_rules, clauses);
    EXPECT_GT(clauses, 5u);
  }
}

}  // namespace
}  // namespace falsum::rules_test
