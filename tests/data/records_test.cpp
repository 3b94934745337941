#include "data/records.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "data/arbitrary_text.h"
#include "data/formats.h"

namespace falsum::records_test {
namespace {

using Texts = std::vector<std::string>;

struct Record {
  Texts cells;
  std::size_t line = 0;
  std::string problem;
};

std::vector<Record> read(std::string_view text, const Dialect& dialect) {
  RecordReader reader(text, dialect);
  std::vector<std::string_view> cells;
  std::vector<Record> records;
  while (reader.next(cells)) records.push_back({Texts(cells.begin(), cells.end()), reader.line(), reader.problem()});
  return records;
}

Dialect dialect_of(char delimiter, char quote = '"', bool backslash = false) {
  Dialect dialect;
  dialect.delimiter = delimiter;
  dialect.quote = quote;
  dialect.backslash = backslash;
  return dialect;
}

std::string quoted(const std::string& cell, const Dialect& dialect) {
  std::string text(1, dialect.quote);
  for (const char c : cell) {
    if (dialect.backslash && (c == '\\' || c == dialect.quote)) {
      text += '\\';
    } else if (c == dialect.quote) {
      text += c;
    }
    text += c;
  }
  return text + dialect.quote;
}

TEST(Records, CellsWrittenInADialectAreReadBack) {
  EXPECT_TRUE(rc::check("every delimiter, quote, escape and end of line", [] {
    const Dialect dialect = dialect_of(*rc::gen::element(',', ';', '\t', '|', ' '), *rc::gen::element('"', '\''),
                                       *rc::gen::arbitrary<bool>());
    const std::string end = *rc::gen::element<std::string>("\n", "\r\n", "\r");
    const auto rows = *rc::gen::inRange(1, 5), width = *rc::gen::inRange(2, 5);
    std::vector<Texts> expected;
    std::string text;
    for (int r = 0; r < rows; ++r) {
      expected.emplace_back();
      for (int c = 0; c < width; ++c) {
        const std::string cell = "x" + arbitrary_text("ab1,;\t|\"'\\ \n") + "x";
        expected.back().push_back(cell);
        text += (c > 0 ? std::string(1, dialect.delimiter) : "") + quoted(cell, dialect);
      }
      text += end;
    }
    const std::vector<Record> found = read(text, dialect);
    RC_ASSERT(found.size() == expected.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
      RC_ASSERT(found[r].problem.empty());
      RC_ASSERT(found[r].cells == expected[r]);
    }
    RC_ASSERT(is_complete_record(text, dialect));
  }));
}

TEST(Records, WhatIsCompleteHasNoOpenQuote) {
  EXPECT_TRUE(rc::check("is_complete_record agrees with the reader", [] {
    const Dialect dialect =
        dialect_of(*rc::gen::element(',', ' '), *rc::gen::element('"', '\''), *rc::gen::arbitrary<bool>());
    const std::string text = arbitrary_text("a,\"'\\ \n");
    bool open = false;
    for (const Record& record : read(text, dialect))
      open = open || record.problem.find("never closed") != std::string::npos;
    RC_PRE(!dialect.backslash || !text.ends_with("\\\n"));  // the end of the line may be part of the cell
    RC_ASSERT(is_complete_record(text, dialect) == !open);
  }));
}

TEST(Records, EveryLineEndIsAnEndAndEmptyLinesAreNone) {
  for (const std::string end : {"\n", "\r\n", "\r", "\n\n", "\r\n\r\n"}) {
    const std::vector<Record> found = read("a,b" + end + "c,d" + end, dialect_of(','));
    ASSERT_EQ(found.size(), 2u) << end;
    EXPECT_EQ(found[1].cells, (Texts{"c", "d"}));
  }
  EXPECT_TRUE(read("\n \n\t\r\n", dialect_of(',')).empty());
}

TEST(Records, ADamagedRecordNamesItsLineAndTheNextLineGoesOn) {
  const std::vector<Record> found = read("a,b\n1,\"x\ny\"z\n2,3\n", dialect_of(','));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1].line, 2u);
  EXPECT_EQ(found[1].problem, "text follows a closing quote");
  EXPECT_EQ(found[2].line, 3u);
  EXPECT_EQ(found[3].cells, (Texts{"2", "3"}));
  EXPECT_EQ(found[3].line, 4u);
  const std::vector<Record> open = read("a,b\n1,\"x\n2,3\n", dialect_of(','));
  ASSERT_EQ(open.size(), 3u);
  EXPECT_EQ(open[1].problem, "a quote is opened and never closed");
  EXPECT_EQ(open[2].cells, (Texts{"2", "3"}));
}

TEST(Records, LinesAreCountedAlsoInsideQuotes) {
  const std::vector<Record> found = read("\"a\nb\nc\",1\n\n2,3\n", dialect_of(','));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].line, 1u);
  EXPECT_EQ(found[1].line, 5u);
}

TEST(Records, BackslashesEscapeWhereTheDialectSaysSo) {
  EXPECT_EQ(read("a\\,b,c\\n,\\N\n", dialect_of(',', '"', true))[0].cells, (Texts{"a,b", "c", "\\N"}));
  EXPECT_EQ(read("\"a\\\"b\",x\\ty\n", dialect_of(',', '"', true))[0].cells, (Texts{"a\"b", "x\ty"}));
  EXPECT_EQ(read("a\\,b\n", dialect_of(','))[0].cells, (Texts{"a\\", "b"}));
}

TEST(Records, ALineEndAfterABackslashIsPartOfTheCell) {
  const Dialect dialect = dialect_of(',', '"', true);
  EXPECT_FALSE(is_complete_record("1,a\\\n", dialect));
  EXPECT_TRUE(is_complete_record("1,a\\\nb\n", dialect));
  EXPECT_TRUE(is_complete_record("1,a\\\\\n", dialect));
  EXPECT_EQ(read("1,a\\\nb\n", dialect)[0].cells, (Texts{"1", "a\nb"}));
}

TEST(Records, RunsOfSpacesAreOneDelimiter) {
  EXPECT_EQ(read("  a   b\tc  \n", dialect_of(' '))[0].cells, (Texts{"a", "b", "c"}));
  EXPECT_EQ(read("a,  b ,\n", dialect_of(','))[0].cells, (Texts{"a", "b", ""}));
  EXPECT_EQ(read("\tb\t\n", dialect_of('\t'))[0].cells, (Texts{"", "b", ""}));
}

TEST(Records, RulersAreNoRecords) {
  EXPECT_EQ(read("a|b\n---+---\n1|2\n", dialect_of('|')).size(), 2u);
  EXPECT_TRUE(is_ruler("+----+----+", '|'));
  EXPECT_TRUE(is_ruler("---  ---", ' '));
  EXPECT_FALSE(is_ruler("---  ---", ','));
  EXPECT_FALSE(is_ruler("-1|-2", '|'));
}

TEST(Records, ARowOfTooManyCellsIsDamagedBeforeItIsStored) {
  const std::string text = std::string(5000, ',') + "\n1,2\n";
  RecordReader reader(text, dialect_of(','), 100);
  std::vector<std::string_view> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(reader.problem(), "there are more than 100 columns");
  EXPECT_LE(cells.size(), 101u);
  ASSERT_TRUE(reader.next(cells));
  EXPECT_TRUE(reader.problem().empty());
  EXPECT_EQ(cells.size(), 2u);
}

}  // namespace
}  // namespace falsum::records_test
