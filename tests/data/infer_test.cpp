#include "data/infer.h"

#include <algorithm>

#include "data/data_files.h"

namespace falsum::infer_test {
namespace {

using testing_data::expect_error;

using Texts = std::vector<std::string>;

Inferred infer(std::string_view text, const LoadOptions& options = {}) { return infer_table(text, "t.csv", options); }

Texts names(const Inferred& inferred) {
  Texts names;
  for (const ColumnSchema& column : inferred.schema.columns) names.push_back(column.name);
  return names;
}

/// "number category label ignored": the kind of every feature, the role of the others.
std::string kinds(const Inferred& inferred) {
  std::string text;
  for (const ColumnSchema& column : inferred.schema.columns) {
    text += text.empty() ? "" : " ";
    text += column.role == ColumnRole::kFeature ? name_of(column.kind) : name_of(column.role);
  }
  return text;
}

bool notes_say(const Inferred& inferred, const std::string& words) {
  return std::any_of(inferred.notes.begin(), inferred.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(Infer, EveryKindOfColumnIsFound) {
  const Inferred found = infer(
      "n,flag,word,day,moment,clock,nothing,y\n"
      "1.5,true,red,2024-02-29,2024-02-29T12:00,12:00,,p\n"
      "NA,FALSE,blue,2023-01-01,2023-01-01,23:59:59,NA,q\n"
      "-2e3,?,red,,2023-01-01 10:00:00Z,00:00,,p\n");
  EXPECT_EQ(kinds(found), "number boolean category date datetime time ignored label");
  EXPECT_TRUE(notes_say(found, "\"nothing\" is left out"));
  EXPECT_EQ(found.schema.columns[0].missing, 1u);
  EXPECT_EQ(found.schema.columns[2].distinct, 2u);
}

TEST(Infer, TheFirstRowIsAHeaderIfItIsUnlikeTheRest) {
  const auto header = [](std::string_view text) { return infer(text).schema.dialect.header; };
  EXPECT_TRUE(header("age,weight,sick\n41,70.5,yes\n42,80,no\n"));
  EXPECT_FALSE(header("41,70.5,yes\n42,80,no\n43,81,no\n"));
  EXPECT_TRUE(header("2019,2020,kind\n0.5,0.7,a\n0.1,0.9,b\n0.3,0.2,a\n"));
  EXPECT_TRUE(header("0,1,2\n0.5,0.7,a\n0.1,0.9,b\n0.3,0.2,a\n"));
  EXPECT_FALSE(header("red,small,a\nblue,large,b\nred,large,a\nblue,small,b\n"));
  EXPECT_TRUE(header("colour,size,kind\nred,small,a\nblue,large,b\nred,large,a\nblue,small,b\n"));
  LoadOptions none;
  none.header = false;
  EXPECT_EQ(names(infer("a,b\n1,2\n", none)), (Texts{"", ""}));
}

TEST(Infer, NumbersAreWrittenInOneWayInAllOfAFile) {
  EXPECT_EQ(infer("a;b;y\n1,5;2,25;p\n2,5;3;q\n").schema.dialect.numbers, (NumberFormat{',', '\0'}));
  EXPECT_EQ(infer("a;b;y\n1.234,5;2;p\n2,5;3;q\n").schema.dialect.numbers, (NumberFormat{',', '.'}));
  EXPECT_EQ(infer("a,b,y\n\"1,234.5\",2,p\n2.5,3,q\n").schema.dialect.numbers, (NumberFormat{'.', ','}));
  const Inferred either = infer("a,b,y\n\"1,234\",2,p\n\"2,500\",3,q\n");
  EXPECT_EQ(either.schema.dialect.numbers.thousands, ',') << "where commas separate cells";
  EXPECT_TRUE(notes_say(either, "--decimal"));
  LoadOptions asked;
  asked.decimal = ',';
  EXPECT_EQ(infer("a,b,y\n\"1,234\",2,p\n\"2,500\",3,q\n", asked).schema.dialect.numbers.decimal, ',');
}

TEST(Infer, AnUnnamedIndexIsLeftOut) {
  const Inferred pandas = infer(",a,y\n0,5,p\n1,3,q\n2,4,p\n");
  EXPECT_EQ(kinds(pandas), "ignored number label");
  EXPECT_TRUE(notes_say(pandas, "left out"));
  const Inferred r = infer("a,y\nfirst,5,p\nsecond,3,q\nthird,4,p\n");
  EXPECT_TRUE(r.header_is_shorter);
  EXPECT_EQ(kinds(r), "ignored number label");
  LoadOptions kept;
  kept.number = {"0"};
  EXPECT_EQ(kinds(infer(",a,y\n0,5,p\n1,3,q\n2,4,p\n", kept)), "number number label");
}

TEST(Infer, OptionsDecideWhatColumnsAre) {
  LoadOptions options;
  options.label = "a";
  options.ignore = {"b"};
  options.category = {"c"};
  options.number = {"-1"};
  EXPECT_EQ(kinds(infer("a,b,c,d\n1,2,3,x\n4,5,6,7\n", options)), "label ignored category number");
  options.ignore = {"e"};
  expect_error<DataError>([&] { infer("a,b,c,d\n1,2,3,x\n4,5,6,7\n", options); }, {"no column \"e\"", "a, b, c, d"});
}

TEST(Infer, TitlesAndCommentsBeforeTheTableArePassedOver) {
  const Inferred found = infer("Measured in May\n# by us\n\na,b,y\n1,2,p\n3,4,q\n");
  EXPECT_EQ(names(found), (Texts{"a", "b", "y"}));
  EXPECT_EQ(found.preamble_lines, 3u);
}

TEST(Infer, WhatLooksOddIsSaid) {
  EXPECT_TRUE(notes_say(infer("a,b,y\n1,1,p\n2,2,q\n3,x,p\n4,4,q\n5,5,p\n6,6,q\n"), "\"x\" in line 4"));
  EXPECT_TRUE(notes_say(infer("a,b,y\n1,7,p\n2,7,q\n5,7,p\n"), "same value in all rows"));
  std::string ids = "id,a,y\n", counted = "n,a,y\n";
  for (int i = 0; i < 60; ++i) {
    ids += fmt::format("u{},{},{}\n", i, i % 7, i % 2);
    counted += fmt::format("{},{},{}\n", i + 5, i % 7, i % 2);
  }
  EXPECT_TRUE(notes_say(infer(ids), "--ignore id"));
  EXPECT_TRUE(notes_say(infer(counted), "numbers the rows from 5"));
}

TEST(Infer, ColumnsGoByNameOrPosition) {
  const Texts named = {"a", "1", "c"};
  EXPECT_EQ(find_column(named, 3, "c", "t"), 2u);
  EXPECT_EQ(find_column(named, 3, "1", "t"), 1u) << "a name comes first";
  EXPECT_EQ(find_column(named, 3, "-3", "t"), 0u);
  expect_error<DataError>([&] { find_column(named, 3, "3", "t"); }, {"-3 to 2"});
  expect_error<DataError>([&] { find_column({}, 3, "a", "t"); }, {"no header", "position"});
  EXPECT_EQ(column_title("a b", 3), "\"a b\"");
  EXPECT_EQ(column_title("", 3), "3");
}

}  // namespace
}  // namespace falsum::infer_test
