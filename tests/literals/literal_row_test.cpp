#include "literals/literal_row.h"

#include <gtest/gtest.h>

#include "falsum/bit_matrix.h"
#include "random_data.h"

namespace falsum::literal_row_test {
namespace {

TEST(LiteralRow, HoldsFeaturesThenTheirNegationsForEveryNumberOfFeatures) {
  for (const std::size_t features : {1, 2, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 784, 1000}) {
    const RandomData data(features, 3, features, 2);
    LiteralRow row(features);
    for (std::size_t r = 0; r < 3; ++r) {
      row.assign(data.rows.row(r));
      std::vector<std::size_t> expected, found;
      for (std::size_t k = 0; k < features; ++k) {
        const bool x = data.naive_rows[r][k];
        ASSERT_EQ(row.is_true(static_cast<LiteralId>(k)), x) << features << " features, literal " << k;
        ASSERT_EQ(row.is_true(static_cast<LiteralId>(features + k)), !x) << features << " features, negation " << k;
      }
      for (std::size_t l = 0; l < 2 * features; ++l) {
        if (!row.is_true(static_cast<LiteralId>(l))) expected.push_back(l);
      }
      row.for_each_false([&](LiteralId l) { found.push_back(at(l)); });
      ASSERT_EQ(found, expected);
      ASSERT_EQ(found.size(), features);  // one of each pair is false
      for (std::size_t l = 2 * features; l < 64 * row.words(); ++l) {
        ASSERT_FALSE((row.truths()[l / 64] >> (l % 64)) & 1) << "padding";
        ASSERT_FALSE((row.falsehoods()[l / 64] >> (l % 64)) & 1) << "padding";
      }
    }
  }
}

TEST(LiteralRow, ForgetsTheRowBefore) {
  LiteralRow row(70);
  BitMatrix rows(2, 70);
  for (std::size_t k = 0; k < 70; ++k) rows.set(0, k);
  row.assign(rows.row(0));
  row.assign(rows.row(1));
  for (std::uint32_t k = 0; k < 70; ++k) EXPECT_FALSE(row.is_true(static_cast<LiteralId>(k)));
}

}  // namespace
}  // namespace falsum::literal_row_test
