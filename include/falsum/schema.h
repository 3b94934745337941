// Schema: how to read a data file. Training infers it once, from the whole file; `falsum train` prints it and the model
// stores it. All code that reads data for that model follows it, so that the prediction for a row never depends on the
// other rows of its file.
//
//   train:    bytes ── infer ──> Schema ── read ──> Columns     load_source(data)
//   predict:  bytes ────────── model.schema ── read ──> Columns     load_source(data, {.schema = &model.schema})
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace falsum {

class ByteReader;
class ByteWriter;

/// How the cells of a column are read. Boolean columns hold true and false; dates are days since 1970-01-01, dates with
/// a time are seconds since then, times are seconds since midnight. An empty column has no value at all.
enum class ColumnKind : std::uint8_t { kNumber, kBoolean, kCategory, kDate, kDateTime, kTime, kEmpty };
enum class ColumnRole : std::uint8_t { kFeature, kLabel, kIgnored };
/// The type of labels before they became text.
enum class LabelKind : std::uint8_t { kText, kInteger, kReal, kBoolean };
/// Where the values came from. kNone: unknown, as in models of falsum 0.1.
enum class DataFormat : std::uint8_t { kNone, kCsv, kSvmlight, kNpy, kIdx, kBuiltin, kFrame };

std::string_view name_of(ColumnKind kind);
std::string_view name_of(ColumnRole role);
std::string_view name_of(LabelKind kind);
std::string_view name_of(DataFormat format);

struct ColumnSchema {
  std::string name;  // empty: the column has none
  ColumnRole role = ColumnRole::kFeature;
  ColumnKind kind = ColumnKind::kNumber;
  // Statistics of the training data, for printing.
  std::uint64_t missing = 0;
  std::uint64_t distinct = 0;  // of categories; 0 for other kinds
  double least = 0, most = 0;  // of numbers, dates and times
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

/// How numbers are written: 1,234.5 has decimal '.' and thousands ','. A space also stands for the Unicode spaces used
/// as thousands marks.
struct NumberFormat {
  char decimal = '.';
  char thousands = '\0';  // '\0': none
  friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

/// How the bytes of a table become cells.
struct Dialect {
  char delimiter = ',';  // ' ': any run of spaces and tabs
  char quote = '"';
  bool backslash = false;  // \" inside quotes, \, outside
  bool header = true;
  NumberFormat numbers;
  friend bool operator==(const Dialect&, const Dialect&) = default;
};

struct Schema {
  DataFormat format = DataFormat::kNone;
  Dialect dialect;                         // CSV
  std::vector<std::string> missing_marks;  // CSV: cells that stand for a missing value, as an empty cell always does
  int first_index = -1;                    // SVMlight: indices count from 0 or 1
  bool bits = false;                       // images: pixels are 0 or 1, not grey values
  LabelKind label_kind = LabelKind::kText;
  std::vector<ColumnSchema> columns;  // in the order of the file; of CSV, NPY and data frames

  bool known() const { return format != DataFormat::kNone; }
  /// The position of the label among the columns, or columns.size().
  std::size_t label_at() const;
  std::size_t count(ColumnRole role) const;

  void write(ByteWriter& writer) const;
  static Schema read(ByteReader& reader);
  friend bool operator==(const Schema&, const Schema&) = default;
};

/// The marks that count as missing by default: NA, N/A, ?, null, None, nan, -, ...
const std::vector<std::string>& usual_missing_marks();

/// "2024-02-29", "2024-02-29 13:05:00", "13:05:00", or the number itself: a value of a column of this kind, as printed.
std::string value_text(ColumnKind kind, double value);

}  // namespace falsum
