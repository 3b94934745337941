#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "data/arbitrary_text.h"
#include "data/data_files.h"
#include "data/encoding.h"
#include "data/formats.h"

namespace falsum::csv_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;
using testing_data::gzip;

Source load(std::string_view text, const LoadOptions& options = {}) {
  std::string encoding, converted;
  return load_csv(to_utf8(text, "t.csv", encoding, converted), "t.csv", options);
}

const Columns& columns(const Source& source) { return std::get<Columns>(source.values); }

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

TEST(Csv, HeaderIsTakenWhenNoCellOfTheFirstRowIsANumber) {
  const Source named = load("age,weight,sick\n41,70.5,yes\n42,80,no\n");
  EXPECT_EQ(named.rows(), 2u);
  EXPECT_EQ(named.feature_names, (Texts{"age", "weight"}));
  EXPECT_EQ(columns(named).columns[1].numbers, (Numbers{70.5, 80}));
  EXPECT_EQ(named.labels, (Texts{"yes", "no"}));

  const Source bare = load("41,70.5,yes\n42,80,no\n");
  EXPECT_EQ(bare.rows(), 2u);
  EXPECT_TRUE(bare.feature_names.empty());
  EXPECT_EQ(columns(bare).columns[0].name, "");
}

TEST(Csv, LabelGoesByNameOrPosition) {
  const std::string text = "a,b,c\n1,2,3\n4,5,6\n";
  const auto labels = [&](const std::string& label) {
    LoadOptions options;
    options.label = label;
    return load(text, options).labels;
  };
  EXPECT_EQ(labels(""), (Texts{"3", "6"}));
  EXPECT_EQ(labels("b"), (Texts{"2", "5"}));
  EXPECT_EQ(labels("0"), (Texts{"1", "4"}));
  EXPECT_EQ(labels("-2"), (Texts{"2", "5"}));
  expect_error<DataError>([&] { labels("3"); }, {"3 columns", "-3 to 2"});
  expect_error<DataError>([&] { labels("-4"); }, {"-3 to 2"});
  expect_error<DataError>([&] { labels("d"); }, {"no column \"d\"", "a, b, c"});
}

TEST(Csv, WithoutLabelsEveryColumnIsAFeature) {
  LoadOptions options;
  options.labelled = false;
  EXPECT_EQ(columns(load("a,b\n1,2\n", options)).columns.size(), 2u);
  options.label = "b";  // a file to predict may still hold the column that training called the label
  const Source source = load("a,b\n1,2\n", options);
  EXPECT_EQ(columns(source).columns.size(), 1u);
  EXPECT_TRUE(source.labels.empty());
  options.label = "c";
  expect_error<DataError>([&] { load("a,b\n1,2\n", options); }, {"no column \"c\""});
}

TEST(Csv, QuotedCellsMayHoldCommasAndNewlines) {
  const Source source = load("\"na\"\"me\",y\n\"a, b\",1\n\"c\nd\",2\n\"\",3\n");
  const Column& column = columns(source).columns[0];
  EXPECT_EQ(column.name, "na\"me");
  EXPECT_TRUE(column.categorical);
  EXPECT_EQ(column.categories, (Texts{"a, b", "c\nd"}));
  EXPECT_EQ(column.category, (std::vector<std::uint32_t>{0, 1, kMissingCategory}));
}

TEST(Csv, LineEndsByteOrderMarkAndEmptyLinesDoNotMatter) {
  const std::string expected = "a;b\n1;x\n2;y\n";
  for (const std::string text :
       {"\xef\xbb\xbf"
        "a,b\n1,x\n2,y\n",
        "a,b\r\n1,x\r\n2,y\r\n", "a,b\n1,x\n2,y", "a,b\r\n1,x\r\n2,y\r", "\n\na,b\n\n1,x\n\r\n2,y\n\n",
        "a\tb\n1\tx\n2\ty\n", "\"a\";\"b\"\r\n\"1\";\"x\"\r\n\"2\";\"y\"\r\n"}) {
    const Source source = load(text), other = load(expected);
    EXPECT_EQ(source.labels, other.labels) << text;
    EXPECT_EQ(source.feature_names, other.feature_names) << text;
    EXPECT_EQ(columns(source).columns[0].numbers, columns(other).columns[0].numbers) << text;
  }
}

TEST(Csv, DelimiterIsTheMostFrequentOfTheFirstRow) {
  EXPECT_EQ(columns(load("a;b,b;y\n1;2;x\n")).columns[1].name, "b,b");
  EXPECT_EQ(columns(load("\"a;;;\",b,y\n1,2,x\n")).columns[0].name, "a;;;");
}

TEST(Csv, OneWordMakesAColumnCategorical) {
  const Source source = load("a,y\n1,0\nred,0\n,1\n1,1\n");
  const Column& column = columns(source).columns[0];
  EXPECT_TRUE(column.categorical);
  EXPECT_EQ(column.categories, (Texts{"1", "red"}));
  EXPECT_EQ(column.category, (std::vector<std::uint32_t>{0, 1, kMissingCategory, 0}));
}

TEST(Csv, NumbersMayHaveSignsExponentsAndSpaces) {
  EXPECT_EQ(columns(load("a,y\n +1.5 ,0\n-2e3,0\n.5,0\n1e-999,0\n")).columns[0].numbers, (Numbers{1.5, -2000, 0.5, 0}));
}

TEST(Csv, RaggedRowNamesLineExpectedAndFound) {
  expect_error<DataError>([] { load("a,b,y\n1,2,3\n\"1\n\",2,3\n1,2\n"); },
                          {"t.csv", "line 5", "expected 3", "found 2"});
  expect_error<DataError>([] { load("1,2,3\n1,2,3,4\n"); }, {"line 2", "expected 3", "found 4"});
}

TEST(Csv, InfiniteNumbersNameLineAndColumn) {
  expect_error<DataError>([] { load("a,b,y\n1,-inf,3\n1,1,1\n"); }, {"line 2", "-inf"});
  expect_error<DataError>([] { load("1,1,1\n1e999,2,3\n"); }, {"line 2", "column 0", "1e999"});
}

TEST(Csv, AMissingNumberIsNanAndAMissingLabelIsRefused) {
  for (const std::string mark : {"", "NA", "?", "None", "null", "nan", "-", "\\N", " NaN "}) {
    const Source source = load("a,b,y\n1,2,x\n1," + mark + ",x\n3,4,z\n");
    const Column& column = columns(source).columns[1];
    EXPECT_FALSE(column.categorical) << mark;
    EXPECT_TRUE(std::isnan(column.numbers[1])) << mark;
    EXPECT_EQ(source.schema.columns[1].missing, 1u) << mark;
    expect_error<DataError>([&] { load("a,b,y\n1,2,x\n1,2," + mark + "\n"); }, {"line 3", "label is missing"});
  }
}

TEST(Csv, EmptyFilesAndTablesAreRefused) {
  expect_error<DataError>([] { load(""); }, {"t.csv is empty"});
  expect_error<DataError>([] { load("\n\n\r\n"); }, {"is empty"});
  expect_error<DataError>([] { load("a,b\n"); }, {"has no rows"});
  expect_error<DataError>([] { load("1\n2\n"); }, {"no column besides the label"});
}

TEST(Csv, BrokenQuotesAreRefused) {
  expect_error<DataError>([] { load("a,b\n1,\"x\n2,y\n"); }, {"line 2", "never closed"});
  expect_error<DataError>([] { load("a,b\n1,\"x\"y\n"); }, {"line 2", "closing quote"});
}

TEST(Csv, GzipIsReadByContent) {
  const Folder folder;
  const Source source = load_source(folder.file("t.csv.gz", gzip("a,y\n1,2\n")));
  EXPECT_EQ(source.labels, Texts{"2"});
  EXPECT_EQ(source.origin, "t.csv.gz");
}

TEST(Csv, AnyTextSurvivesQuoting) {
  const std::vector<std::string>& marks = usual_missing_marks();
  EXPECT_TRUE(rc::check("cells written with quotes are read back", [&](const Texts& drawn) {
    Texts cells = drawn;  // bytes that are no UTF-8, and zeros, are refused
    for (std::string& cell : cells) {
      for (char& c : cell) c = (c & 0x7f) == 0 ? 'z' : static_cast<char>(c & 0x7f);
    }
    LoadOptions options;
    options.header = true;
    options.category = {"head"};
    std::string text = "head,y\nword,0\n";
    for (const std::string& cell : cells) {
      text += '"';
      for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
      text += "\",1\n";
    }
    const Source source = load(text, options);
    const Column& column = columns(source).columns[0];
    RC_ASSERT(column.category.size() == cells.size() + 1);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell(trim(cells[i]));
      const bool missing = cell.empty() || std::find(marks.begin(), marks.end(), cell) != marks.end();
      RC_ASSERT(missing == (column.category[i + 1] == kMissingCategory));
      if (!missing) RC_ASSERT(column.categories[column.category[i + 1]] == cell);
    }
  }));
}

TEST(Csv, ABackslashIsTextUnlessRecordsFitOnlyWithEscapes) {
  LoadOptions options;
  options.category = {"path"};
  const auto first_cell = [&](const std::string& text) {
    const Source source = load(text, options);
    const Column& column = columns(source).columns[0];
    return column.categories.at(column.category.at(0));
  };
  EXPECT_EQ(first_cell("path,y\n\"\\\t\",1\nc,0\n"), "\\");
  EXPECT_EQ(first_cell("path,y\n\"C:\\new\",1\nc,0\n"), "C:\\new");
  EXPECT_EQ(first_cell("path,y\n\"a \\\"b\\\" c\",1\nc,0\n"), "a \"b\" c");
}

TEST(Csv, ArbitraryBytesEitherLoadOrThrowOurError) {
  EXPECT_TRUE(rc::check("no crash, no other exception", [] {
    const std::string text = arbitrary_text(",;\t\"\n\r1a.- \xff");
    try {
      const Source source = load(text);
      RC_ASSERT(source.labels.size() == source.rows());
      for (const Column& column : columns(source).columns) {
        RC_ASSERT((column.categorical ? column.category.size() : column.numbers.size()) == source.rows());
      }
    } catch (const Error&) {
    }
  }));
}

}  // namespace
}  // namespace falsum::csv_test
