// Cells of a table as values: numbers in several formats, ISO dates and times, truth values. Nothing here depends on
// the locale or on other cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/schema.h"

namespace falsum {

/// All of `text` as a number written in this format; infinite if it is too large, NaN never. Groups of thousands must
/// have three digits each.
std::optional<double> parse_number(std::string_view text, const NumberFormat& format);

/// The format with this decimal mark; the other of point and comma marks thousands.
constexpr NumberFormat format_with_decimal(char decimal) { return {decimal, decimal == ',' ? '.' : ','}; }

/// true or false, in small or capital letters.
std::optional<double> parse_boolean(std::string_view text);

/// Of kDate, kDateTime or kTime: 2024-02-29; 2024-02-29T13:05, 2024-02-29 13:05:00.25+01:00; 13:05, 13:05:00. A date
/// with a time is also read where dates are expected, as days and a fraction, and the other way round, as midnight.
std::optional<double> parse_date(std::string_view text, ColumnKind kind);

/// A cell as a value of a column of this kind, which is not kCategory.
std::optional<double> parse_value(std::string_view text, ColumnKind kind, const NumberFormat& format);

/// The cells that stand for a missing value: the empty cell, and the marks of a list.
class MissingMarks {
 public:
  explicit MissingMarks(std::vector<std::string> marks);
  bool contains(std::string_view cell) const {
    return cell.empty() || (begins_[static_cast<unsigned char>(cell[0])] && is_listed(cell));
  }

 private:
  bool is_listed(std::string_view cell) const;
  std::vector<std::string> marks_;
  bool begins_[256] = {};  // whether a mark begins with this byte: almost no cell needs to be compared
};

/// Every way to read a cell, as a set. The intersection over all cells gives the possible kinds of the column.
using Readings = std::uint32_t;
/// The number formats in the order of preference when several fit: (., none), (",", none), ...
inline constexpr NumberFormat kNumberFormats[] = {{'.', '\0'}, {',', '\0'}, {',', '.'}, {',', ' '},
                                                  {',', '\''}, {'.', ','},  {'.', ' '}, {'.', '\''}};
inline constexpr std::size_t kNumberFormatCount = std::size(kNumberFormats);
inline constexpr Readings kAnyNumber = (1u << kNumberFormatCount) - 1;
constexpr Readings reading_of(ColumnKind kind) { return 1u << (kNumberFormatCount + static_cast<unsigned>(kind)); }
constexpr Readings kAllReadings = ~Readings{0};
/// `number` becomes the value in the first format in which the cell is a number.
Readings readings_of(std::string_view cell, std::optional<double>* number = nullptr);

}  // namespace falsum
