#include "data/values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>

#include "data/arbitrary_text.h"

namespace falsum::values_test {
namespace {

/// `value` as this format writes it, with or without groups of thousands.
std::string written(std::int64_t hundredths, const NumberFormat& format, bool grouped) {
  const std::string digits = std::to_string(std::abs(hundredths) / 100);
  std::string text = hundredths < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (grouped && i > 0 && (digits.size() - i) % 3 == 0) text += format.thousands;
    text += digits[i];
  }
  const auto rest = std::abs(hundredths) % 100;
  return rest == 0 ? text : fmt::format("{}{}{:02}", text, format.decimal, rest);
}

TEST(Values, ANumberIsReadBackInTheFormatItWasWrittenIn) {
  EXPECT_TRUE(rc::check("formats round trip", [] {
    const auto hundredths = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
    for (const NumberFormat& format : kNumberFormats) {
      for (const bool grouped : {false, true}) {
        if (grouped && format.thousands == '\0') continue;
        const std::string text = written(hundredths, format, grouped);
        const auto read = parse_number(text, format);
        RC_ASSERT(read.has_value());
        RC_ASSERT(std::abs(*read - static_cast<double>(hundredths) / 100) <= 1e-6 * std::abs(*read));
      }
    }
  }));
}

TEST(Values, GroupsOfThousandsHaveThreeDigitsEach) {
  const NumberFormat english{'.', ','}, german{',', '.'}, french{',', ' '}, swiss{'.', '\''};
  EXPECT_EQ(parse_number("1,234,567.5", english), 1234567.5);
  EXPECT_EQ(parse_number("-1.234.567,5e-1", german), -123456.75);
  EXPECT_EQ(parse_number("1 234,5", french), 1234.5);
  EXPECT_EQ(parse_number("1\xc2\xa0"
                         "234\xe2\x80\xaf"
                         "567",
                         french),
            1234567);
  EXPECT_EQ(parse_number("12'345", swiss), 12345);
  for (const char* wrong : {"1,23", "1234,567", "1,2345", ",123", "1,,234", "1,234,56", "12,34.5"}) {
    EXPECT_EQ(parse_number(wrong, english), std::nullopt) << wrong;
  }
  EXPECT_EQ(parse_number("1.5", german), std::nullopt);
  EXPECT_EQ(parse_number("1,5", NumberFormat{}), std::nullopt);
}

TEST(Values, WhatIsNoNumberIsNone) {
  for (const NumberFormat& format : kNumberFormats) {
    for (const char* text :
         {"", " ", "+", "-", "e5", "1e", "1e+", "nan", "NaN", "0x10", "1 2 3 4", "--1", "1-", ".", ","}) {
      EXPECT_EQ(parse_number(text, format), std::nullopt) << text << " with " << format.decimal << format.thousands;
    }
    EXPECT_EQ(parse_number(" 12 ", format), 12);
    EXPECT_TRUE(std::isinf(*parse_number("1e999", format)));
  }
}

TEST(Values, TheReadingsOfACellAreTheFormatsThatReadIt) {
  EXPECT_TRUE(rc::check("the quick way says what the plain way says", [] {
    const std::string cell = *rc::gen::element<int>(0, 1) == 0
                                 ? arbitrary_text("0123.,' -+eE")
                                 : written(*rc::gen::inRange<std::int64_t>(-100'000'000, 100'000'000),
                                           kNumberFormats[*rc::gen::inRange<std::size_t>(0, kNumberFormatCount)], true);
    const Readings readings = readings_of(cell);
    for (std::size_t f = 0; f < kNumberFormatCount; ++f) {
      const bool reads = parse_number(cell, kNumberFormats[f]).has_value();
      if (reads != ((readings >> f & 1) != 0)) RC_FAIL(fmt::format("{:?} in format {}", cell, f));
    }
  }));
}

TEST(Values, TruthIsReadInAnyCase) {
  for (const char* text : {"true", "TRUE", "True", " tRuE "}) EXPECT_EQ(parse_boolean(text), 1) << text;
  for (const char* text : {"false", "FALSE", "False"}) EXPECT_EQ(parse_boolean(text), 0) << text;
  for (const char* text : {"", "t", "yes", "1", "truth", "falsee"})
    EXPECT_EQ(parse_boolean(text), std::nullopt) << text;
  EXPECT_EQ(parse_value("1", ColumnKind::kBoolean, {}), 1) << "a column of truth values may come as numbers later";
}

TEST(Values, ADateIsReadBackAsItIsWritten) {
  for (int day = -200000; day <= 200000; ++day) {
    const std::string text = value_text(ColumnKind::kDate, day);
    ASSERT_EQ(text.size(), 10u) << text;
    ASSERT_EQ(parse_date(text, ColumnKind::kDate), day) << text;
    ASSERT_EQ(parse_date(text, ColumnKind::kDateTime), day * 86400.0) << text;
  }
  EXPECT_EQ(value_text(ColumnKind::kDate, 0), "1970-01-01");
  EXPECT_EQ(value_text(ColumnKind::kDate, 19782), "2024-02-29");
}

TEST(Values, ATimeIsReadBackAsItIsWritten) {
  EXPECT_TRUE(rc::check("seconds of a day, and with a date", [] {
    const int second = *rc::gen::inRange(0, 86400), day = *rc::gen::inRange(-200000, 200000);
    RC_ASSERT(parse_date(value_text(ColumnKind::kTime, second), ColumnKind::kTime) == second);
    const double moment = day * 86400.0 + second;
    RC_ASSERT(parse_date(value_text(ColumnKind::kDateTime, moment), ColumnKind::kDateTime) == moment);
  }));
  EXPECT_EQ(value_text(ColumnKind::kTime, 47100), "13:05");
  EXPECT_EQ(value_text(ColumnKind::kTime, 47100.25), "13:05:00.25");
}

TEST(Values, MomentsMayHaveAZone) {
  const auto at = [](const char* text) { return parse_date(text, ColumnKind::kDateTime); };
  const auto noon = at("2024-02-29T12:00:00Z");
  ASSERT_TRUE(noon);
  for (const char* same : {"2024-02-29 12:00", "2024-02-29T12:00:00.000", "2024-02-29T13:00+01:00",
                           "2024-02-29 13:00+01", "2024-02-29T06:30-0530", "2024-02-29 12:00:00 UTC"}) {
    EXPECT_EQ(at(same), noon) << same;
  }
  EXPECT_EQ(parse_date("2024-02-29T12:00:00Z", ColumnKind::kDate), 19782.5);
}

TEST(Values, WhatIsNoDateIsNone) {
  for (const char* text :
       {"", "2024", "2024-02", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "24-01-01",
        "01/02/2024", "2024-02-29x", "2024-02-29T", "2024-02-29T25:00", "2024-02-29T12:60", "2024-02-29T12",
        "2024-02-29T12:00+", "2024-02-29T12:00+1", "2024-02-29 12:00:00.", "-2024-02-29"}) {
    EXPECT_EQ(parse_date(text, ColumnKind::kDate), std::nullopt) << text;
    EXPECT_EQ(parse_date(text, ColumnKind::kDateTime), std::nullopt) << text;
  }
  for (const char* text : {"", "1:05", "13:5", "24:01", "13:05:61", "13:05:00.", "13"}) {
    EXPECT_EQ(parse_date(text, ColumnKind::kTime), std::nullopt) << text;
  }
}

TEST(Values, MissingMarksAreWholeCells) {
  const MissingMarks marks({"NA", "?"});
  for (const char* cell : {"", "NA", "?"}) EXPECT_TRUE(marks.contains(cell)) << cell;
  for (const char* cell : {"N", "NAN", "??", "na", "0"}) EXPECT_FALSE(marks.contains(cell)) << cell;
  const MissingMarks usual(usual_missing_marks());
  for (const std::string& mark : usual_missing_marks()) EXPECT_TRUE(usual.contains(mark)) << mark;
}

}  // namespace
}  // namespace falsum::values_test
