// Why a row gets its answer, and what would change it.
#include "falsum/explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "falsum/error.h"
#include "learned.h"

namespace falsum::explanation_test {
namespace {

TEST_F(Learned, TheRulesOfARowSumToItsVotesAndASmallestChangeChangesTheAnswer) {
  const Model model = learned({.clauses = 40, .threshold = 10, .specificity = 3});
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
}  // namespace falsum::explanation_test
