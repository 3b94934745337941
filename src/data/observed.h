// What the cells of a column have in common, and what follows from it for a table: whether its first record is a
// header, how its numbers are written, the kind of each column. The middle step of infer.cpp: it reads records into
// these observations, and makes the schema from the answers here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/values.h"
#include "falsum/source.h"

namespace falsum {

/// What the cells of a column have in common.
struct Observed {
  static constexpr std::size_t kCounted = 5000;  // distinct values that are counted

  Readings readings = kAllReadings;
  std::uint64_t values = 0, missing = 0, numbers = 0;
  std::uint64_t in_format[kNumberFormatCount] = {};  // cells that are numbers in each format
  std::uint64_t like_first = 0;                      // cells that are the same as that of the first record
  bool is_number = false;                            // the user says so, whatever a few cells hold
  bool counts_up = true;                             // whole numbers, each one more than the one before
  double first_number = 0, last_number = 0, least = 0, most = 0;
  std::unordered_set<std::string> distinct;
  std::string odd_cell;  // the first cell that is not a number, where most are
  std::size_t odd_line = 0;

  void add(std::string_view cell, std::size_t line, const MissingMarks& marks);
  /// Adds a cell that comes before all others.
  void add_first(std::string_view cell, std::size_t line, const MissingMarks& marks);
  /// More than half of the values occur once, as far as they were counted.
  bool mostly_distinct() const {
    return distinct.size() > 50 && (distinct.size() >= kCounted || 2 * distinct.size() > values);
  }
  bool all_distinct() const { return values > 0 && distinct.size() == std::min<std::uint64_t>(values, kCounted); }
};

/// Whether the first record names the columns: names are of another kind than the values below them, and do not occur
/// among these.
bool is_header(const std::vector<std::string>& first, const std::vector<Observed>& rest, const MissingMarks& marks);

/// The format in which most columns are columns of numbers.
NumberFormat choose_format(const std::vector<Observed>& columns, char delimiter, std::vector<std::string>& notes);

ColumnKind kind_of(const Observed& column, const NumberFormat& format);

/// A column that numbers the rows and has no name of its own.
bool is_index(const std::string& name, std::size_t position, const Observed& column);

}  // namespace falsum
