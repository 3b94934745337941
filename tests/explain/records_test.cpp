// What rules did on given rows.
#include <gtest/gtest.h>

#include <algorithm>

#include "falsum/rule_records.h"
#include "plain_model.h"

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

}  // namespace
}  // namespace falsum::records_test
