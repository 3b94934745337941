#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "booleanize/mappings.h"

namespace falsum::quantiles_test {
namespace {

using Numbers = std::vector<double>;

TEST(Quantiles, FewDistinctValuesAreAllToldApart) {
  EXPECT_EQ(quantile_thresholds({1, 3, 3, 1, 2, 2, 2}, 8), (Numbers{1.5, 2.5}));
  EXPECT_EQ(quantile_thresholds({5, 5, 5}, 8), Numbers{});
  EXPECT_EQ(quantile_thresholds({}, 8), Numbers{});
}

TEST(Quantiles, PartsAreOfEqualSize) {
  Numbers values(900);
  std::iota(values.begin(), values.end(), 0);
  const Numbers thresholds = quantile_thresholds(values, 8);
  EXPECT_EQ(thresholds, (Numbers{99.5, 199.5, 299.5, 399.5, 499.5, 599.5, 699.5, 799.5}));
}

TEST(Quantiles, ThresholdsAreReadable) {
  EXPECT_EQ(quantile_thresholds({0.1, 0.2}, 8), Numbers{0.15});
  EXPECT_EQ(quantile_thresholds({41, 42}, 8), Numbers{41.5});
  EXPECT_EQ(quantile_thresholds({4.9, 5.0}, 8), Numbers{4.95});
  EXPECT_EQ(quantile_thresholds({-1, 1}, 8), Numbers{0});
  EXPECT_EQ(fmt::format("{}", quantile_thresholds({1000.123, 2000.456}, 1)[0]), "1500");
}

TEST(Quantiles, NeighbouringAndHugeNumbersAreStillToldApart) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_EQ(quantile_thresholds({1, next}, 1), Numbers{next});
  EXPECT_EQ(quantile_thresholds({-1.7e308, 1.7e308}, 1).size(), 1u);
  EXPECT_EQ(quantile_thresholds({0, 5e-324}, 1).size(), 1u);
}

TEST(Quantiles, ThresholdsAscendSeparateAndStayWithinTheirNumber) {
  EXPECT_TRUE(rc::check("for any values", [] {
    const auto values =
        *rc::gen::container<Numbers>(rc::gen::map(rc::gen::inRange(-50, 50), [](int v) { return v / 7.0; }));
    const auto count = *rc::gen::inRange<std::size_t>(1, 12);
    const Numbers thresholds = quantile_thresholds(values, count);
    const std::set<double> distinct(values.begin(), values.end());
    RC_ASSERT(thresholds.size() <= count);
    RC_ASSERT(thresholds.size() < std::max<std::size_t>(distinct.size(), 1));
    if (distinct.size() >= 2) RC_ASSERT(!thresholds.empty());
    double previous = -1e9;
    for (const double threshold : thresholds) {
      // Each threshold puts at least one more distinct value below it than the one before.
      RC_ASSERT(std::distance(distinct.lower_bound(previous), distinct.lower_bound(threshold)) >= 1);
      RC_ASSERT(distinct.lower_bound(threshold) != distinct.end());
      previous = threshold;
    }
  }));
}

}  // namespace
}  // namespace falsum::quantiles_test
