#include "data/observed.h"

#include <algorithm>
#include <optional>

#include "data/formats.h"

namespace falsum {
namespace {

/// Years, ids and positions serve as names; other numbers do not.
bool is_name_like_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789") == cell.npos && (cell == "0" || cell[0] != '0');
}

}  // namespace

void Observed::add(std::string_view cell, std::size_t line, const MissingMarks& marks) {
  if (marks.contains(cell)) {
    ++missing;
    counts_up = false;
    return;
  }
  std::optional<double> number;
  const Readings found = readings_of(cell, &number);
  readings &= found;
  for (std::size_t f = 0; f < kNumberFormatCount; ++f) in_format[f] += found >> f & 1;
  if ((found & kAnyNumber) != 0) {
    ++numbers;
  } else if (odd_cell.empty()) {
    odd_cell = cell;
    odd_line = line;
  }
  if (number) {
    least = values == 0 ? *number : std::min(least, *number);
    most = values == 0 ? *number : std::max(most, *number);
    counts_up = counts_up && (values == 0 || *number == last_number + 1);
    if (values == 0) first_number = *number;
    last_number = *number;
  } else {
    counts_up = false;
  }
  ++values;
  if (distinct.size() < kCounted) distinct.emplace(cell);
}

void Observed::add_first(std::string_view cell, std::size_t line, const MissingMarks& marks) {
  const std::optional<double> number = parse_number(cell);
  const bool counting = counts_up && number && (values == 0 || *number + 1 == first_number);
  const double last = values == 0 && number ? *number : last_number;
  add(cell, line, marks);
  counts_up = counting;
  last_number = last;
  if (counting) first_number = *number;
}

bool is_header(const std::vector<std::string>& first, const std::vector<Observed>& rest, const MissingMarks& marks) {
  bool sequence = first.size() > 1, any_number = false;
  std::size_t other_kind = 0, recurring = 0, like_name = 0, like_value = 0, nothing_below = 0;
  bool outside = false;
  for (std::size_t c = 0; c < first.size(); ++c) {
    const Observed& below = rest[c];
    // Over an index there is no name: ,0,1,2.
    const std::size_t unnamed = first[0].empty() ? 1 : 0;
    sequence = sequence && (c < unnamed || first[c] == std::to_string(c - unnamed));
    if (marks.contains(first[c])) continue;
    const Readings reading = readings_of(first[c]);
    any_number = any_number || reading != 0;
    if (below.values == 0) {
      ++nothing_below;
    } else if (below.readings != 0) {  // numbers, dates, truth values
      const std::optional<double> number = is_name_like_number(first[c]) ? parse_number(first[c]) : std::nullopt;
      const bool beyond = number && below.values > 1 && (*number < below.least || *number > below.most);
      const double span = below.most - below.least;
      const bool far = beyond && (*number < below.least - span || *number > below.most + span);
      outside = outside || beyond;
      like_name += far;
      if ((reading & below.readings) == 0) {
        ++other_kind;
      } else if (!beyond) {
        ++like_value;
      }
    } else if (below.like_first > 0) {
      ++recurring;
    } else {
      like_name += below.distinct.size() < below.values || below.values == 1 || reading == 0;
      like_name += below.values >= 5 * below.distinct.size();  // all other values of the column repeat
    }
  }
  if (sequence && (outside || other_kind > 0 || like_name > 0)) return true;  // 0,1,2,3: pandas' own names
  // No name over numbers that count the rows: an index, and names over the others.
  if (first[0].empty() && rest[0].counts_up && rest[0].values > 1 && recurring == 0) return true;
  if (other_kind > 0 || recurring > 0) return other_kind > recurring;
  if (like_name + like_value == 0) return !any_number && nothing_below > 0;
  return like_name > like_value;
}

NumberFormat choose_format(const std::vector<Observed>& columns, char delimiter, std::vector<std::string>& notes) {
  std::size_t best = 0, most = 0;
  std::size_t counts[kNumberFormatCount] = {};
  // Where commas separate cells, a comma inside a number separates thousands.
  constexpr std::size_t kCommaFirst[] = {0, 5, 6, 7, 1, 2, 3, 4}, kOther[] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (const std::size_t f : delimiter == ',' ? kCommaFirst : kOther) {
    for (const Observed& column : columns) {
      const std::uint64_t cells = column.in_format[f];
      counts[f] += column.values > 0 && (column.is_number ? 2 * cells > column.values : cells == column.values);
    }
    if (counts[f] > most) {
      most = counts[f];
      best = f;
    }
  }
  const NumberFormat& format = kNumberFormats[best];
  if (best != 0 && counts[1] == most && counts[5] == most) {
    notes.push_back(format.decimal == ','
                        ? "a comma in a number is read as a decimal mark; --decimal . reads it as a thousands mark"
                        : "a comma in a number is read as a thousands mark; --decimal , reads it as a decimal mark");
  }
  return format;
}

ColumnKind kind_of(const Observed& column, const NumberFormat& format) {
  if (column.values == 0) return ColumnKind::kEmpty;
  for (std::size_t f = 0; f < kNumberFormatCount; ++f) {
    if (kNumberFormats[f] == format && (column.readings >> f & 1) != 0) return ColumnKind::kNumber;
  }
  for (const ColumnKind kind : {ColumnKind::kBoolean, ColumnKind::kDate, ColumnKind::kDateTime, ColumnKind::kTime}) {
    if ((column.readings & reading_of(kind)) != 0) return kind;
  }
  return ColumnKind::kCategory;
}

bool is_index(const std::string& name, std::size_t position, const Observed& column) {
  const bool unnamed = name.empty() || name.starts_with("Unnamed: ");
  const bool from_0_or_1 = column.counts_up && (column.first_number == 0 || column.first_number == 1);
  const bool names_of_rows = position == 0 && name.empty() && column.missing == 0 && column.all_distinct();
  return unnamed && column.values > 1 && (from_0_or_1 || names_of_rows);
}

}  // namespace falsum
