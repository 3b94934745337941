// Schemas: their names, and their bytes in a model. Every part is a named value with a length, so that a reader skips
// unknown parts.
#include "falsum/schema.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::string_view kKinds[] = {"number", "boolean", "category", "date", "datetime", "time", "empty"};
constexpr std::string_view kRoles[] = {"feature", "label", "ignored"};
constexpr std::string_view kLabelKinds[] = {"text", "integer", "real", "boolean"};
constexpr std::string_view kFormats[] = {"none", "csv", "svmlight", "npy", "idx", "builtin", "frame"};

template <class Enum, std::size_t size>
Enum read_enum(ByteReader& reader, const std::string_view (&names)[size]) {
  const std::uint8_t value = reader.u8();
  if (value >= std::size(names)) reader.fail("its schema has a value that this version does not know");
  return static_cast<Enum>(value);
}

std::string date_text(std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::floor(seconds));
  std::string text = fmt::format("{:02}:{:02}", whole / 3600, whole / 60 % 60);
  const double rest = seconds - static_cast<double>(whole - whole % 60);
  if (rest == std::floor(rest)) return rest == 0 ? text : fmt::format("{}:{:02}", text, static_cast<int>(rest));
  std::string fraction = fmt::format("{:09.6f}", rest);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + ":" + fraction;
}

}  // namespace

std::string_view name_of(ColumnKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(ColumnRole role) { return kRoles[static_cast<std::size_t>(role)]; }
std::string_view name_of(LabelKind kind) { return kLabelKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(DataFormat format) { return kFormats[static_cast<std::size_t>(format)]; }

std::string value_text(ColumnKind kind, double value) {
  constexpr double kMost = 1e13;  // beyond these seconds dates are not meaningful
  if (!(std::abs(value) < kMost)) return fmt::format("{}", value);
  if (kind == ColumnKind::kTime && value >= 0 && value <= 86400) return time_text(value);
  if (kind != ColumnKind::kDate && kind != ColumnKind::kDateTime) return fmt::format("{}", value);
  const double seconds = kind == ColumnKind::kDate ? value * 86400 : value;
  const double days = std::floor(seconds / 86400);
  if (!(std::abs(days) < 1e7)) return fmt::format("{}", value);
  const double rest = seconds - days * 86400;
  const std::string date = date_text(static_cast<std::int64_t>(days));
  return rest == 0 ? date : date + " " + time_text(rest);
}

const std::vector<std::string>& usual_missing_marks() {
  static const std::vector<std::string> marks = {"NA",   "N/A", "n/a", "#N/A", "<NA>", "?", "null", "NULL",
                                                 "None", "nan", "NaN", "NAN",  "NaT",  "-", "\\N"};
  return marks;
}

std::size_t Schema::label_at() const {
  const auto label = std::find_if(columns.begin(), columns.end(),
                                  [](const ColumnSchema& column) { return column.role == ColumnRole::kLabel; });
  return static_cast<std::size_t>(label - columns.begin());
}

std::size_t Schema::count(ColumnRole role) const {
  return static_cast<std::size_t>(
      std::count_if(columns.begin(), columns.end(), [&](const ColumnSchema& column) { return column.role == role; }));
}

void Schema::write(ByteWriter& writer) const {
  writer.named("format", [&](ByteWriter& value) { value.u8(static_cast<std::uint8_t>(format)); });
  writer.named("labels", [&](ByteWriter& value) { value.u8(static_cast<std::uint8_t>(label_kind)); });
  if (format == DataFormat::kCsv) {
    writer.named("dialect", [&](ByteWriter& value) {
      value.u8(static_cast<std::uint8_t>(dialect.delimiter));
      value.u8(static_cast<std::uint8_t>(dialect.quote));
      value.u8(dialect.backslash);
      value.u8(dialect.header);
      value.u8(static_cast<std::uint8_t>(dialect.numbers.decimal));
      value.u8(static_cast<std::uint8_t>(dialect.numbers.thousands));
    });
    writer.named("missing", [&](ByteWriter& value) { value.texts(missing_marks); });
  }
  if (first_index >= 0) {
    writer.named("first_index", [&](ByteWriter& value) { value.u8(static_cast<std::uint8_t>(first_index)); });
  }
  if (bits) writer.named("bits", [](ByteWriter&) {});
  if (!columns.empty()) {
    writer.named("columns", [&](ByteWriter& value) {
      value.varint(columns.size());
      for (const ColumnSchema& column : columns) {
        value.text(column.name);
        value.u8(static_cast<std::uint8_t>(column.role));
        value.u8(static_cast<std::uint8_t>(column.kind));
        value.varint(column.missing);
        value.varint(column.distinct);
        value.f64(column.least);
        value.f64(column.most);
      }
    });
  }
}

Schema Schema::read(ByteReader& reader) {
  Schema schema;
  reader.each_named([&](std::string_view name, ByteReader& value) {
    if (name == "format") {
      schema.format = read_enum<DataFormat>(value, kFormats);
    } else if (name == "labels") {
      schema.label_kind = read_enum<LabelKind>(value, kLabelKinds);
    } else if (name == "dialect") {
      schema.dialect.delimiter = static_cast<char>(value.u8());
      schema.dialect.quote = static_cast<char>(value.u8());
      schema.dialect.backslash = value.u8() != 0;
      schema.dialect.header = value.u8() != 0;
      schema.dialect.numbers.decimal = static_cast<char>(value.u8());
      schema.dialect.numbers.thousands = static_cast<char>(value.u8());
      constexpr std::string_view kDelimiters = ",;\t| ", kQuotes = "\"'", kDecimals = ".,";
      constexpr std::string_view kThousands("\0,. '", 5);
      if (kDelimiters.find(schema.dialect.delimiter) == kDelimiters.npos ||
          kQuotes.find(schema.dialect.quote) == kQuotes.npos ||
          kDecimals.find(schema.dialect.numbers.decimal) == kDecimals.npos ||
          kThousands.find(schema.dialect.numbers.thousands) == kThousands.npos) {
        value.fail("its schema has a delimiter, quote or decimal mark that no file has");
      }
    } else if (name == "missing") {
      schema.missing_marks = value.texts();
    } else if (name == "first_index") {
      schema.first_index = value.u8();
      if (schema.first_index > 1) value.fail("its indices count neither from 0 nor from 1");
    } else if (name == "bits") {
      schema.bits = true;
    } else if (name == "columns") {
      schema.columns.resize(value.count(21));
      for (ColumnSchema& column : schema.columns) {
        column.name = value.text();
        column.role = read_enum<ColumnRole>(value, kRoles);
        column.kind = read_enum<ColumnKind>(value, kKinds);
        column.missing = value.varint();
        column.distinct = value.varint();
        column.least = value.f64();
        column.most = value.f64();
      }
    }
  });
  if (schema.count(ColumnRole::kLabel) > 1) reader.fail("its schema has more than one label");
  return schema;
}

}  // namespace falsum
