#include "data/values.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "data/formats.h"

namespace falsum {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes the thousands mark at the front: one character, or one of the two spaces of Unicode that stand for ' '.
bool take_mark(std::string_view& text, char mark) {
  if (text.empty()) return false;
  if (text[0] == mark) {
    text.remove_prefix(1);
    return true;
  }
  if (mark != ' ') return false;
  for (const std::string_view space : {"\xc2\xa0", "\xe2\x80\xaf"}) {  // no-break space, narrow no-break space
    if (text.starts_with(space)) {
      text.remove_prefix(space.size());
      return true;
    }
  }
  return false;
}

/// A number in plain form: "+1'234,5e3" becomes "1234.5e3".
std::optional<std::string> plain_number(std::string_view text, const NumberFormat& format) {
  std::string plain;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    if (text[0] == '-') plain += '-';
    text.remove_prefix(1);
  }
  std::size_t digits = 0;
  bool grouped = false;
  const auto take_digits = [&] {
    std::size_t count = 0;
    for (; !text.empty() && is_digit(text[0]); text.remove_prefix(1), ++count) plain += text[0];
    return count;
  };
  digits = take_digits();
  while (format.thousands != '\0' && digits > 0) {
    std::string_view after = text;
    if (!take_mark(after, format.thousands)) break;
    const std::size_t group = std::min(after.find_first_not_of("0123456789"), after.size());
    if (group != 3 || (!grouped && digits > 3)) return std::nullopt;
    text = after;
    digits += take_digits();
    grouped = true;
  }
  if (!text.empty() && text[0] == format.decimal) {
    text.remove_prefix(1);
    plain += '.';
    digits += take_digits();
  }
  if (digits == 0) return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    plain += 'e';
    text.remove_prefix(1);
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
      if (text[0] == '-') plain += '-';
      text.remove_prefix(1);
    }
    if (take_digits() == 0) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return plain;
}

bool has_only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

/// `count` digits at the front of `text` as a number from `least` to `most`.
std::optional<unsigned> take_number(std::string_view& text, std::size_t count, unsigned least, unsigned most) {
  if (text.size() < count || !has_only(text.substr(0, count), "0123456789")) return std::nullopt;
  unsigned value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value * 10 + static_cast<unsigned>(text[i] - '0');
  if (value < least || value > most) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> take_date(std::string_view& text) {
  const auto year = take_number(text, 4, 0, 9999);
  if (!year || !take_char(text, '-')) return std::nullopt;
  const auto month = take_number(text, 2, 1, 12);
  if (!month || !take_char(text, '-')) return std::nullopt;
  const auto day = take_number(text, 2, 1, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                         std::chrono::day(*day));
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

/// Seconds since midnight.
std::optional<double> take_time(std::string_view& text) {
  const auto hour = take_number(text, 2, 0, 24);
  if (!hour || !take_char(text, ':')) return std::nullopt;
  const auto minute = take_number(text, 2, 0, 59);
  if (!minute) return std::nullopt;
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (take_char(text, ':')) {
    const auto second = take_number(text, 2, 0, 60);
    if (!second) return std::nullopt;
    seconds += *second;
    if (!text.empty() && (text[0] == '.' || text[0] == ',')) {
      text.remove_prefix(1);
      const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
      if (digits == 0) return std::nullopt;
      double scale = 0.1;
      for (std::size_t i = 0; i < digits; ++i, scale /= 10) seconds += scale * (text[i] - '0');
      text.remove_prefix(digits);
    }
  }
  return seconds <= 86400 ? std::optional(seconds) : std::nullopt;
}

/// Seconds east of Greenwich: Z, +01, +0100, +01:00.
std::optional<double> take_zone(std::string_view& text) {
  if (take_char(text, 'Z') || text == " UTC") {
    if (text == " UTC") text = {};
    return 0;
  }
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const double sign = text[0] == '+' ? 1 : -1;
  text.remove_prefix(1);
  const auto hour = take_number(text, 2, 0, 23);
  if (!hour) return std::nullopt;
  unsigned minutes = 0;
  if (!text.empty()) {
    take_char(text, ':');
    const auto minute = take_number(text, 2, 0, 59);
    if (!minute) return std::nullopt;
    minutes = *minute;
  }
  return sign * (3600.0 * *hour + 60.0 * minutes);
}

}  // namespace

std::optional<double> parse_number(std::string_view text, const NumberFormat& format) {
  text = trim(text);
  if (format.thousands == '\0' && format.decimal == '.') {
    const std::optional<double> value = parse_number(text);
    return value && std::isnan(*value) ? std::nullopt : value;
  }
  const std::optional<std::string> plain = plain_number(text, format);
  return plain ? parse_number(*plain) : std::nullopt;
}

std::optional<double> parse_boolean(std::string_view text) {
  text = trim(text);
  if (text.size() != 4 && text.size() != 5) return std::nullopt;
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == "true") return 1;
  if (lower == "false") return 0;
  return std::nullopt;
}

std::optional<double> parse_date(std::string_view text, ColumnKind kind) {
  text = trim(text);
  if (kind == ColumnKind::kTime) {
    const auto time = take_time(text);
    return text.empty() ? time : std::nullopt;
  }
  const auto days = take_date(text);
  if (!days) return std::nullopt;
  double seconds = 0;
  if (!text.empty()) {
    if (!take_char(text, 'T') && !take_char(text, ' ')) return std::nullopt;
    const auto time = take_time(text);
    if (!time) return std::nullopt;
    seconds = *time;
    if (!text.empty()) {
      const auto zone = take_zone(text);
      if (!zone || !text.empty()) return std::nullopt;
      seconds -= *zone;
    }
  }
  return kind == ColumnKind::kDate ? *days + seconds / 86400 : *days * 86400 + seconds;
}

std::optional<double> parse_value(std::string_view text, ColumnKind kind, const NumberFormat& format) {
  switch (kind) {
    case ColumnKind::kNumber:
      return parse_number(text, format);
    case ColumnKind::kBoolean: {
      const auto truth = parse_boolean(text);
      return truth ? truth : parse_number(text, format);
    }
    default:
      return parse_date(text, kind);
  }
}

MissingMarks::MissingMarks(std::vector<std::string> marks) : marks_(std::move(marks)) {
  for (const std::string& mark : marks_) {
    if (!mark.empty()) begins_[static_cast<unsigned char>(mark[0])] = true;
  }
}

bool MissingMarks::is_listed(std::string_view cell) const {
  return std::find(marks_.begin(), marks_.end(), cell) != marks_.end();
}

namespace {

/// The number formats in which the cell is a number. Most cells are plain numbers, and these are parsed once.
Readings number_readings(std::string_view cell, std::optional<double>& number) {
  std::size_t point = cell.npos, points = 0, others = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const char c = cell[i];
    if (c == '.') {
      point = i;
      ++points;
    } else {
      others += !is_digit(c) && c != '-' && c != '+' && c != 'e' && c != 'E';
    }
  }
  const bool spelled = cell.empty() || (!is_digit(cell[0]) && std::string_view("-+.,").find(cell[0]) == cell.npos);
  if ((others == 0 && points <= 1) || spelled) {
    number = parse_number(cell, kNumberFormats[0]);
    if (!number) return 0;
    if (spelled) return 1;  // inf is a number only in the plain format
    if (points == 0) return kAnyNumber;
    Readings readings = 0;
    for (std::size_t f = 0; f < kNumberFormatCount; ++f) {
      if (kNumberFormats[f].decimal == '.') readings |= 1u << f;
      const bool grouped = kNumberFormats[f].thousands == '.' && cell.size() == point + 4;
      if (grouped && parse_number(cell, kNumberFormats[f])) readings |= 1u << f;
    }
    return readings;
  }
  Readings readings = 0;
  for (std::size_t f = 0; f < kNumberFormatCount; ++f) {
    const std::optional<double> value = parse_number(cell, kNumberFormats[f]);
    if (!value) continue;
    if (readings == 0) number = value;
    readings |= 1u << f;
  }
  return readings;
}

}  // namespace

Readings readings_of(std::string_view cell, std::optional<double>* number) {
  cell = trim(cell);
  std::optional<double> value;
  Readings readings = number_readings(cell, value);
  if (number != nullptr) *number = value;
  if (readings != 0) return readings;
  if (parse_boolean(cell)) readings |= reading_of(ColumnKind::kBoolean);
  if (cell.size() >= 10 && cell[4] == '-') {
    if (parse_date(cell, ColumnKind::kDateTime)) {
      readings |= reading_of(ColumnKind::kDateTime);
      if (cell.size() == 10) readings |= reading_of(ColumnKind::kDate);
    }
  } else if (cell.size() >= 5 && cell[2] == ':' && parse_date(cell, ColumnKind::kTime)) {
    readings |= reading_of(ColumnKind::kTime);
  }
  return readings;
}

}  // namespace falsum
