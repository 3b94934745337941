#include "falsum/data_digest.h"

#include <gtest/gtest.h>

#include "random_data.h"

namespace falsum::data_digest_test {
namespace {

using Names = std::vector<std::string>;

TEST(DataDigest, IsTheSameForPackedAndSparseRowsDeterminism) {
  for (const std::size_t features : {1, 63, 64, 65, 200}) {
    const RandomData data(features, 100, features, 3);
    const SparseBits sparse(data.rows);
    EXPECT_EQ(digest(data.rows, data.labels), digest(SparseBitsView(sparse), data.labels)) << features;
  }
  // Checkpoints outlive the program: these numbers stay.
  const RandomData data(1, 10, 70, 2);
  const DataDigest found = digest(data.rows, data.labels, Names{"no", "yes"}, Names{"width >= 3", "colour = red"});
  EXPECT_EQ(found.values, 5254898758933027022u);
  EXPECT_EQ(found.labels, 14613256680626394250u);
  EXPECT_EQ(found.label_names, 14047201285669616909u);
  EXPECT_EQ(found.feature_names, 13076850346368575173u);
}

TEST(DataDigest, SaysWhatDiffers) {
  const RandomData data(1, 10, 70, 2), longer(1, 12, 70, 2), wider(1, 10, 71, 2);
  const Names labels = {"no", "yes"}, names = {"width >= 3"};
  const DataDigest before = digest(data.rows, data.labels, labels, names);
  EXPECT_EQ(difference(before, before), "");
  EXPECT_EQ(difference(before, digest(longer.rows, longer.labels, labels, names)), "12 rows instead of 10");
  EXPECT_EQ(difference(before, digest(wider.rows, data.labels, labels, names)), "71 features instead of 70");
  EXPECT_EQ(difference(before, digest(data.rows, data.labels, Names{"yes", "no"}, names)), "other names of labels");
  EXPECT_EQ(difference(before, digest(data.rows, data.labels, labels, Names{"height >= 3"})),
            "other features (names, thresholds, categories)");
  std::vector<std::uint32_t> inverted = data.labels;
  for (std::uint32_t& label : inverted) label = 1 - label;
  EXPECT_EQ(difference(before, digest(data.rows, inverted, labels, names)), "other labels in its rows");
  BitMatrix other = data.rows;
  other.row(7)[1] ^= 2;
  EXPECT_EQ(difference(before, digest(other, data.labels, labels, names)), "other values in its rows");
  EXPECT_EQ(difference(before, digest(other, inverted, labels, Names{})),
            "other features (names, thresholds, categories), other labels in its rows and other values in its rows");
}

TEST(DataDigest, TellsRowsFromOneAnother) {
  BitMatrix one(2, 10), two(2, 10);
  one.set(0, 3);
  two.set(1, 3);
  const std::vector<std::uint32_t> labels = {0, 1};
  EXPECT_NE(digest(one, labels).values, digest(two, labels).values) << "the same bits in another row";
  EXPECT_NE(digest(one, labels, Names{"ab", "c"}).label_names, digest(one, labels, Names{"a", "bc"}).label_names);
}

}  // namespace
}  // namespace falsum::data_digest_test
