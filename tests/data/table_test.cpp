// Tables that are read by a schema: what prediction and evaluation do.
#include "data/table.h"

#include <cmath>

#include "data/data_files.h"
#include "data/formats.h"

namespace falsum::table_test {
namespace {

using testing_data::expect_error;

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

Schema trained_on(std::string_view text, const LoadOptions& options = {}) {
  return load_csv(text, "train.csv", options).schema;
}

Source read(std::string_view text, const Schema& schema, LoadOptions options = {}) {
  options.schema = &schema;
  return load_csv(text, "new.csv", options);
}

Source to_predict(std::string_view text, const Schema& schema, LoadOptions options = {}) {
  options.labelled = false;
  return read(text, schema, options);
}

const Column& column(const Source& source, std::size_t c) { return std::get<Columns>(source.values).columns[c]; }

const char* const kTraining = "a,b,y\n1,red,p\n2.5,blue,q\n7,red,p\n";

TEST(TableBySchema, ColumnsGoByNameInAnyOrderWithOrWithoutTheLabel) {
  const Schema schema = trained_on(kTraining);
  for (const char* text : {"a,b,y\n3,red,p\n", "y,b,a\np,red,3\n", "b,a\nred,3\n", "3,red,p\n", "3,red\n",
                           "b;a\nred;3\n", "'b','a'\n'red','3'\n", "a,b,y\n3,red,\n", "title\na,b\n3,red\n"}) {
    const Source source = to_predict(text, schema);
    ASSERT_EQ(source.rows(), 1u) << text;
    EXPECT_EQ(column(source, 0).numbers, Numbers{3}) << text;
    EXPECT_EQ(column(source, 1).categories, Texts{"red"}) << text;
    EXPECT_TRUE(source.labels.empty()) << text;
  }
  EXPECT_EQ(read("y,b,a\nq,red,3\n", schema).labels, Texts{"q"});
}

TEST(TableBySchema, KindsAreThoseOfTrainingWhateverTheFileLooksLike) {
  const Schema schema = trained_on("code,n,y\n01,1,p\n1,2,q\nx,3,p\n");
  const Source source = to_predict("code,n\n1,5\n01,NA\n", schema);
  EXPECT_EQ(column(source, 0).categories, (Texts{"1", "01"}));
  EXPECT_EQ(column(source, 1).numbers[0], 5);
  EXPECT_TRUE(std::isnan(column(source, 1).numbers[1]));
}

TEST(TableBySchema, NumbersAreReadInTheFormatOfTraining) {
  const Schema schema = trained_on("a;b;y\n1,5;x;p\n2,25;z;q\n");
  EXPECT_EQ(column(to_predict("a;b\n3,75;x\n", schema), 0).numbers, Numbers{3.75});
  expect_error<DataError>([&] { to_predict("a;b\n3.75;x\n", schema); }, {"new.csv, line 2", "\"a\"", "\"3.75\""});
  LoadOptions points;
  points.decimal = '.';
  EXPECT_EQ(column(to_predict("a;b\n3.75;x\n", schema, points), 0).numbers, Numbers{3.75});
}

TEST(TableBySchema, ColumnsThatAreMissingOrNewAreNamed) {
  const Schema schema = trained_on(kTraining);
  expect_error<DataError>([&] { to_predict("a,c\n1,2\n", schema); }, {"new.csv", "no column \"b\""});
  for (const char* text : {"a,b,c,y\n1,red,2,p\n", "a,b,c\n1,red,2\n"}) {  // the second: as many as in training
    expect_error<DataError>([&] { to_predict(text, schema); },
                            {"new.csv has a column \"c\", which was not there in training; --ignore leaves it out"});
  }
  LoadOptions bare;
  bare.header = false;
  expect_error<DataError>([&] { to_predict("1,red,p,4\n", schema, bare); },
                          {"4 columns, expected 3, or 2 without the label"});
  expect_error<DataError>([&] { to_predict("u,v\nred,blue\n", schema); }, {"no column \"a\"", "--no-header"});
  expect_error<DataError>([&] { read("a,b\n1,red\n", schema); }, {"no column \"y\", the label in training"});
  LoadOptions ignoring;
  ignoring.ignore = {"c"};
  EXPECT_EQ(to_predict("a,b,c,y\n1,red,2,p\n", schema, ignoring).rows(), 1u);
}

TEST(TableBySchema, TheLabelMayHaveAnotherName) {
  const Schema schema = trained_on(kTraining);
  LoadOptions options;
  options.label = "truth";
  EXPECT_EQ(read("truth,a,b\nq,1,red\n", schema, options).labels, Texts{"q"});
}

TEST(TableBySchema, RepeatedNamesMeanTheirColumnsInOrder) {
  const Schema schema = trained_on("a,b,a,y\n1,9,2,p\n3,8,4,q\n");
  const Source source = to_predict("b,a,a\n9,5,6\n", schema);
  EXPECT_EQ(column(source, 0).numbers, Numbers{5});
  EXPECT_EQ(column(source, 1).numbers, Numbers{9});
  EXPECT_EQ(column(source, 2).numbers, Numbers{6});
}

TEST(TableBySchema, AnIndexThatTrainingLeftOutMayBeThereOrNot) {
  const Schema schema = trained_on(",a,b,y\n0,1,5,p\n1,3,6,q\n2,5,7,p\n");
  for (const char* text : {",a,b,y\n17,4,9,p\n", "a,b\n4,9\n", ",b,a\n0,9,4\n"}) {
    const Source source = to_predict(text, schema);
    EXPECT_EQ(column(source, 0).numbers, Numbers{4}) << text;
    EXPECT_EQ(column(source, 1).numbers, Numbers{9}) << text;
  }
  expect_error<DataError>([&] { to_predict("0,4,9\n", schema); }, {"which one is left out cannot be told"});
}

TEST(TableBySchema, RowsThatCannotBeReadAreLeftOutCountedAndNamed) {
  const Schema schema = trained_on(kTraining);
  const std::string text = "a,b\n1,red\nmany,red\n2,blue\n3\n4,\"open\n5,red\n";
  expect_error<DataError>([&] { to_predict(text, schema); }, {"new.csv, line 3", "\"a\"", "\"many\""});
  LoadOptions skip;
  skip.bad_rows = BadRows::kSkip;
  const Source source = to_predict(text, schema, skip);
  EXPECT_EQ(column(source, 0).numbers, (Numbers{1, 2, 5}));
  EXPECT_EQ(column(source, 1).category.size(), 3u) << "a row that is left out leaves nothing behind";
  EXPECT_EQ(source.reading.skipped, (std::vector<std::uint64_t>{1, 3, 4}));
  EXPECT_NE(source.reading.first_problem.find("line 3"), std::string::npos);
}

TEST(TableBySchema, ATrainingFileReadByItsOwnSchemaIsTheSame) {
  for (const char* text :
       {kTraining, "1,0,x\n2,1,z\n3,0,x\n", ",a,y\n0,5,p\n1,3,q\n2,4,p\n", "a;b;y\n1,5;x;p\n;z;q\n", "a y\n1 p\n2 q\n",
        "# May\na,b,y\n1,2,p\n?,4,q\n", "d,y\n2024-02-29,p\n2023-01-01 12:00,q\n"}) {
    const Source trained = load_csv(text, "train.csv", {});
    const Source again = read(text, trained.schema);
    EXPECT_EQ(again.labels, trained.labels) << text;
    const auto& columns = std::get<Columns>(trained.values).columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      EXPECT_EQ(column(again, c).category, columns[c].category) << text;
      EXPECT_EQ(column(again, c).categories, columns[c].categories) << text;
      ASSERT_EQ(column(again, c).numbers.size(), columns[c].numbers.size()) << text;
      for (std::size_t r = 0; r < columns[c].numbers.size(); ++r) {
        const double a = column(again, c).numbers[r], b = columns[c].numbers[r];
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << text;
      }
    }
  }
}

}  // namespace
}  // namespace falsum::table_test
