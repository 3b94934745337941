// What rules did on given rows, smaller models, and what would change an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "falsum/error.h"
#include "falsum/explanation.h"
#include "falsum/machine.h"
#include "falsum/prune.h"
#include "falsum/rule_records.h"
#include "falsum/scores.h"
#include "plain_model.h"
#include "support/random.h"

namespace falsum::records_test {
namespace {

constexpr std::uint32_t kFeatures = 3;  // x >= 1, x >= 2, y

Model model_of(const std::vector<std::vector<std::uint32_t>>& clauses, const std::vector<std::int32_t>& weights) {
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  for (const auto& clause : clauses) {
    literals.insert(literals.end(), clause.begin(), clause.end());
    starts.push_back(literals.size());
  }
  ModelParts parts = plain_parts({}, kFeatures, 2, starts, literals, weights);
  parts.labels = {"no", "yes"};
  const Booleanizer::ColumnMapping x{"x", false, false, {1, 2}, {}, false}, y{"y", false, true, {}, {}};
  parts.booleanizer = Booleanizer::from_mapping(Booleanizer::ByColumn{{x, y}});
  return Model(std::move(parts));
}

/// x = 0, 1, 2 with y, then without.
BitMatrix six_rows() {
  BitMatrix rows(6, kFeatures);
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t k = 0; k < r % 3; ++k) rows.set(r, k);
    if (r < 3) rows.set(r, 2);
  }
  return rows;
}

TEST(RuleRecords, CoveragePrecisionLiftAndVotesCastAreCounted) {
  const Model small = model_of({{0}, {0, 1}, {2}, {2}}, {1, -1, 1, 1});
  const Conditions conditions(small);
  const std::vector<std::uint32_t> truth = {1, 1, 1, 0, 0, 1};
  const RuleRecords records = record_rules(conditions, six_rows(), Targets(truth));
  ASSERT_EQ(records.rules.size(), 3U);
  EXPECT_EQ(records.equal, 1U);
  const RuleRecord& first = records.rules[0];
  EXPECT_EQ(first.rule.conditions, std::vector<std::string>{"y"});
  EXPECT_EQ(first.votes_cast, 6U);  // two votes on three rows
  EXPECT_DOUBLE_EQ(first.coverage, 0.5);
  EXPECT_DOUBLE_EQ(first.precision.value(), 1.0);
  EXPECT_DOUBLE_EQ(first.lift.value(), 6.0 / 4);
  const RuleRecord& against = records.rules[2];  // x >= 2: rows 2 and 5, both "yes", so not "no"
  EXPECT_EQ(against.rule.votes, -1);
  EXPECT_DOUBLE_EQ(against.precision.value(), 1.0);
  EXPECT_DOUBLE_EQ(against.lift.value(), 6.0 / 4);
  EXPECT_EQ(records.votes_cast, 6U + 4U + 2U);
  EXPECT_EQ(rules_that_carry(records.rules, 0.5), 1U);
  EXPECT_EQ(rules_that_carry(records.rules, 0.9), 3U);
  EXPECT_EQ(rules_that_carry(records.rules, 0.9, 1), 1U);
}

TEST(RuleRecords, ASpecialCaseJoinsWhereItSaysNothingMore) {
  const Model model = model_of({{0}, {0, 1}, {0, 2}, {2}}, {1, 1, 1, 1});  // x >= 1; x >= 2; ... all for their class
  const Conditions conditions(model);
  BitMatrix high(2, kFeatures);  // x is 2, without y
  for (std::size_t r = 0; r < 2; ++r) {
    high.set(r, 0);
    high.set(r, 1);
  }
  const RuleRecords joined = record_rules(conditions, high);
  ASSERT_GE(joined.rules.size(), 1U);
  EXPECT_EQ(joined.rules[0].rule.conditions, std::vector<std::string>{"x >= 1"});
  EXPECT_EQ(joined.rules[0].rule.votes, 2);
  EXPECT_EQ(joined.rules[0].special_cases, 1U);
  EXPECT_EQ(joined.subsumed, 1U);
  const RuleRecords apart = record_rules(conditions, six_rows());
  const auto special = std::ranges::find_if(
      apart.rules, [](const RuleRecord& r) { return r.rule.conditions == std::vector<std::string>{"x >= 2"}; });
  ASSERT_NE(special, apart.rules.end());
  ASSERT_TRUE(special->special_case_of.has_value());
  EXPECT_EQ(apart.rules[*special->special_case_of].rule.conditions, std::vector<std::string>{"x >= 1"});
}

TEST(RuleRecords, ImpliedLiteralsHoldWhereverTheClauseDoes) {
  const Model model = model_of({{1}, {}, {}, {}}, {1, -1, 1, -1});
  const Conditions conditions(model);
  EXPECT_EQ(conditions.implied(std::vector<std::uint32_t>{1}), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(conditions.implied(std::vector<std::uint32_t>{kFeatures}),
            (std::vector<std::uint32_t>{kFeatures, kFeatures + 1}));
}

Model learned(const BitMatrix& rows, const std::vector<std::uint32_t>& labels, const Options& options) {
  Machine machine(options, rows.columns(), 3);
  for (int epoch = 0; epoch < 4; ++epoch) machine.learn_epoch(rows, labels);
  return machine.model();
}

class Learned : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t r = 0; r < 300; ++r) {
      for (std::size_t k = 0; k < 12; ++k) {
        if (mix64(r * 100 + k) % 2 == 1) rows_.set(r, k);
      }
      labels_.push_back(static_cast<std::uint32_t>(rows_.get(r, 0) + rows_.get(r, 1)));
    }
  }
  BitMatrix rows_{300, 12};
  std::vector<std::uint32_t> labels_;
};

TEST_F(Learned, MergingChangesNoVote) {
  for (const bool shared : {false, true}) {
    Options options{.clauses = 40, .threshold = 10, .specificity = 3};
    options.shared = shared;
    const Model model = learned(rows_, labels_, options);
    const Merged merged = merge_clauses(model);
    EXPECT_LT(merged.after.clauses, merged.before.clauses);
    EXPECT_EQ(Predictor(model).votes(rows_), Predictor(merged.model).votes(rows_));
    EXPECT_EQ(Predictor(model).votes(rows_), Predictor(Model::from_bytes(merged.model.to_bytes())).votes(rows_));
    for (const Engine engine : {Engine::kScan, Engine::kIndex, Engine::kBitmap, Engine::kSliced}) {
      EXPECT_EQ(Predictor(model).votes(rows_), Predictor(merged.model, engine).votes(rows_));
    }
  }
}

TEST_F(Learned, APrunedModelIsSmallerAndItsScoreIsWhatItSays) {
  const Model model = learned(rows_, labels_, {.clauses = 40, .threshold = 10, .specificity = 3});
  const Pruned pruned = prune(model, rows_, labels_, "the rows", {.within = 2});
  EXPECT_LT(pruned.after.clauses, pruned.merged.after.clauses);
  const auto score = [&](const Model& by) { return scores(Predictor(by), rows_, labels_).front().value; };
  EXPECT_DOUBLE_EQ(score(model), pruned.score_before);
  EXPECT_DOUBLE_EQ(score(pruned.model), pruned.score_after);
  EXPECT_GE(pruned.score_after, pruned.score_before - 0.02 - 1e-9);
  EXPECT_NE(pruned.model.provenance().data.find("on the rows"), std::string::npos);
  EXPECT_LT(pruned.model.provenance().test_accuracy, 0);
  EXPECT_THROW(prune(model, rows_, labels_, "", {.within = -1}), ConfigError);
  EXPECT_THROW(prune(model, BitMatrix(0, 12), std::vector<std::uint32_t>{}, ""), DataError);
}

TEST_F(Learned, TheRulesOfARowSumToItsVotesAndASmallestChangeChangesTheAnswer) {
  const Model model = learned(rows_, labels_, {.clauses = 40, .threshold = 10, .specificity = 3});
  const Explainer explainer(model);
  for (std::size_t r = 0; r < 20; ++r) {
    BitMatrix row(1, 12);
    std::ranges::copy(std::as_const(rows_).row(r), row.row(0).begin());
    const Explanation why = explainer.explain(row);
    std::vector<std::int32_t> sums(3);
    for (const RuleRecord& record : why.rules) {
      const auto cast = static_cast<std::int32_t>(record.votes_cast);
      sums[record.rule.output] += record.rule.votes < 0 ? -cast : cast;
    }
    EXPECT_EQ(sums, why.votes);
    const auto change = explainer.smallest_change(row);
    ASSERT_TRUE(change.has_value());
    // The plain way: all sets of columns, by size, until one changes the answer.
    const std::uint32_t answer = winners(why.votes, 3).front();
    std::size_t fewest = 13;
    for (std::uint32_t set = 1; set < 4096; ++set) {
      BitMatrix other = row;
      other.row(0)[0] ^= set;
      const std::vector<std::int32_t> votes = explainer.predictor().votes(other);
      if (winners(votes, 3).front() != answer) fewest = std::min<std::size_t>(fewest, std::popcount(set));
    }
    EXPECT_EQ(change->changes.size(), fewest);
    EXPECT_TRUE(change->proven || fewest > 3);
    EXPECT_NE(winners(change->votes, 3).front(), answer);
    EXPECT_THROW(explainer.smallest_change(row, answer), ConfigError);
  }
}

}  // namespace
}  // namespace falsum::records_test
