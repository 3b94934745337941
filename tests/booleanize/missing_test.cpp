// Missing values and dates: what sets no feature, what sets "is missing", how rules say so.
#include <limits>

#include "booleanize/booleanized.h"
#include "booleanize/mappings.h"
#include "data/data_files.h"
#include "data/formats.h"
#include "falsum/booleanizer.h"
#include "support/bytes.h"

namespace falsum::missing_test {
namespace {

using testing_booleanize::row;
using testing_booleanize::write;
using testing_data::expect_error;

using Texts = std::vector<std::string>;

Source csv(const std::string& text) {
  Source source = load_csv(text, "t.csv", {});
  source.origin = "t.csv";
  return source;
}

Source csv(const std::string& text, const Schema& schema) {
  LoadOptions options;
  options.schema = &schema;
  options.labelled = false;
  return load_csv(text, "t.csv", options);
}

TEST(BooleanizeMissing, AMissingValueSetsNothingButThatItIsMissing) {
  const Source training = csv("a,b,c,y\n1,0,red,p\nNA,1,?,q\n3,,blue,p\n");
  const Booleanizer fitted = Booleanizer::fit(training);
  EXPECT_EQ(fitted.feature_names(),
            (Texts{"a >= 2", "a is missing", "b", "b is missing", "c = blue", "c = red", "c is missing"}));
  const BitMatrix bits = fitted.transform(training);
  EXPECT_EQ(row(bits, 0), "0000010");
  EXPECT_EQ(row(bits, 1), "0110001");
  EXPECT_EQ(row(bits, 2), "1001100");
}

TEST(BooleanizeMissing, WhereTrainingSawNoneAMissingValueSetsNothing) {
  const Source training = csv("a,b,c,y\n1,0,red,p\n2,1,red,q\n3,0,blue,p\n");
  const Booleanizer fitted = Booleanizer::fit(training);
  EXPECT_EQ(fitted.features(), 5u);
  EXPECT_EQ(row(fitted.transform(csv("a,b,c\nNA,?,\n", training.schema)), 0), "00000");
}

TEST(BooleanizeMissing, NegationsSayThatAValueMayBeMissing) {
  const Booleanizer fitted = Booleanizer::fit(csv("a,b,y\n1,0,p\nNA,1,q\n3,0,p\n"));
  EXPECT_EQ(fitted.negated_names(), (Texts{"a < 2 or missing", "a is not missing", "not b"}));
}

TEST(BooleanizeMissing, DatesAreCutAtDaysAndPrintedAsDates) {
  const Booleanizer days = Booleanizer::fit(csv("d,y\n2024-02-01,p\n2024-02-03,q\n"));
  EXPECT_EQ(days.feature_names(), Texts{"d >= 2024-02-02"});
  EXPECT_EQ(days.negated_names(), Texts{"not d >= 2024-02-02"});
  const Booleanizer clock = Booleanizer::fit(csv("t,y\n08:00,p\n10:00,q\n"));
  EXPECT_EQ(clock.feature_names(), Texts{"t >= 09:00"});
}

TEST(BooleanizeMissing, ThresholdsOfTimesAreRoundAndTellTheValuesApart) {
  const double day = 86400;
  EXPECT_EQ(quantile_thresholds({0, 3 * day}, 1, ColumnKind::kDateTime), std::vector<double>{2 * day});
  EXPECT_EQ(quantile_thresholds({100, 101}, 1, ColumnKind::kDateTime), std::vector<double>{101});
  EXPECT_EQ(quantile_thresholds({10, 11}, 1, ColumnKind::kDate), std::vector<double>{11});
  EXPECT_EQ(quantile_thresholds({7.1, 7.2}, 1, ColumnKind::kTime), std::vector<double>{7.2});
}

TEST(BooleanizeMissing, OnlyMissingValuesAndDatesNeedVersion2) {
  const auto version = [](const std::string& text) { return Booleanizer::fit(csv(text)).format_version(); };
  EXPECT_EQ(version("a,c,y\n1,red,p\n2,blue,q\n"), 1u);
  EXPECT_EQ(version("a,c,y\n1,red,p\n,blue,q\n3,red,p\n"), 2u);
  EXPECT_EQ(version("a,c,y\n1,,p\n2,blue,q\n"), 2u);
  EXPECT_EQ(version("a,c,y\n2024-01-01,red,p\n2024-01-02,blue,q\n"), 2u);
}

TEST(BooleanizeMissing, TheBytesOfTablesWithoutThemAreThoseOfVersion1) {
  const std::string found = write(Booleanizer::fit(csv("a,s,c,y\n1,0,red,p\n2,1,blue,q\n")));
  ByteWriter expected;
  expected.u8(2);
  expected.varint(3);
  expected.text("a"), expected.u8(0), expected.varint(1), expected.f64(1.5);
  expected.text("s"), expected.u8(2);
  expected.text("c"), expected.u8(1), expected.texts(Texts{"blue", "red"});
  EXPECT_EQ(found, expected.bytes());
}

TEST(BooleanizeMissing, MappingsWithMissingValuesAndDatesAreReadBack) {
  const Booleanizer fitted =
      Booleanizer::fit(csv("a,d,t,c,y\n1,2024-01-01,10:00,,p\nNA,2024-03-01,11:00,red,q\n3,,12:00,blue,p\n"));
  const std::string bytes = write(fitted);
  const auto read = [](const std::string& from) {
    ByteReader reader(from, "model m");
    return Booleanizer::read(reader);
  };
  EXPECT_EQ(read(bytes), fitted);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    expect_error<FileError>([&] { read(bytes.substr(0, size)); }, {"model m is damaged"});
  }
  for (const unsigned unit : {6u, 7u, 255u}) {
    ByteWriter writer;
    writer.u8(5), writer.varint(1), writer.text("a"), writer.u8(0), writer.u8(static_cast<std::uint8_t>(unit)),
        writer.u8(2);
    expect_error<FileError>([&] { read(writer.bytes()); }, {"unknown kind"});
  }
}

TEST(BooleanizeMissing, NamesThatRepeatOrAreEmptyAreMatchedInOrder) {
  const Texts fitted = {"a", "", "a"};
  using Positions = std::vector<std::size_t>;
  EXPECT_EQ(match_columns(fitted, 3, {"", "a", "a"}, 3, "t"), (Positions{1, 0, 2}));
  EXPECT_EQ(match_columns(fitted, 3, {}, 3, "t"), (Positions{0, 1, 2}));
  expect_error<DataError>([&] { match_columns(fitted, 3, {"a", "", ""}, 3, "t"); }, {"no column \"a\""});
  expect_error<DataError>(
      [&] {
        match_columns(fitted, 3, {"a", "", "a", "a"}, 4, "t");
      },
      {"4 columns, expected 3", "\"a\""});
}

}  // namespace
}  // namespace falsum::missing_test
