#include "data/dialect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "data/infer.h"

namespace falsum::dialect_test {
namespace {

TEST(Dialect, TheDelimiterIsWhatMakesATable) {
  for (const char delimiter : {',', ';', '\t', '|', ' '}) {
    std::string text = "a b c\n1 x 2\n3 y 4\n";
    std::replace(text.begin(), text.end(), ' ', delimiter);
    const DetectedDialect found = detect_dialect(text, {});
    EXPECT_EQ(found.dialect.delimiter, delimiter);
    EXPECT_EQ(found.width, 3u);
  }
  EXPECT_EQ(detect_dialect("a;b\n1,5;2\n2,5;3\n", {}).dialect.delimiter, ';');
  EXPECT_EQ(detect_dialect("sep=|\na;b|c;d\n1;2|3;4\n", {}).dialect.delimiter, '|');
  LoadOptions asked;
  asked.delimiter = ';';
  EXPECT_EQ(detect_dialect("a,b;c\n1,2;3\n", asked).dialect.delimiter, ';');
}

TEST(Dialect, SingleQuotesAndBackslashesAreFoundWhereTheyHelp) {
  EXPECT_EQ(detect_dialect("a,b\n'x, y',1\n'z',2\n'u',3\n", {}).dialect.quote, '\'');
  EXPECT_EQ(detect_dialect("a,b\n\"x, y\",1\n'z',2\n", {}).dialect.quote, '"');
  EXPECT_TRUE(infer_table("a,b,y\n\"x \\\" z\",1,p\n\"y\",2,q\n", "t.csv", {}).schema.dialect.backslash);
  EXPECT_FALSE(infer_table("a,b,y\n\"x\",1,p\n\"y\",2,q\n", "t.csv", {}).schema.dialect.backslash);
}

TEST(Dialect, RemarksAndBlankLinesAreNoRows) {
  for (const bool labelled : {false, true}) {
    EXPECT_TRUE(is_no_row({"(150 rows)"}, 3, labelled));
    EXPECT_TRUE(is_no_row({"# the end"}, 3, labelled));
    EXPECT_FALSE(is_no_row({"(150)"}, 3, labelled));
    EXPECT_FALSE(is_no_row({"# a", "b"}, 3, labelled));
    EXPECT_FALSE(is_no_row({"# a"}, 1, labelled)) << "the value of a table of one column";
    EXPECT_EQ(is_no_row({"", "", ""}, 3, labelled), labelled) << "to predict, it has its answer";
  }
}

TEST(Dialect, TitlesAndCommentsCanStandBeforeATable) {
  EXPECT_TRUE(is_preamble({"Measured in May"}, 3));
  EXPECT_TRUE(is_preamble({"Measured in May", "", ""}, 3)) << "as Excel pads it";
  EXPECT_TRUE(is_preamble({"# by us", "and them"}, 3));
  EXPECT_FALSE(is_preamble({"a", "b", "c"}, 3));
  EXPECT_FALSE(is_preamble({"a"}, 1));
}

}  // namespace
}  // namespace falsum::dialect_test
