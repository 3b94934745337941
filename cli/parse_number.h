// Numbers from the command line. All of the text must be a number; otherwise the error names the parameter, the value
// and the allowed range. Stricter than the converters of CLI11, which take "1e3" or " 5" at times.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum::cli {

template <typename T>
T parse_number(const std::string& name, const std::string& text, const std::string& range) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  bool good = error == std::errc{} && stopped == end;
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(value);
  if (!good) {
    const char* kind = std::is_floating_point_v<T> ? "a number" : "a whole number";
    throw ConfigError(fmt::format("{} must be {} ({}), got {}", name, kind, range, text.empty() ? "nothing" : text));
  }
  return value;
}

/// As above, and within [least, most].
template <typename T>
T parse_number_within(const std::string& name, const std::string& text, T least, T most) {
  const std::string range = fmt::format("{}..{}", least, most);
  const T value = parse_number<T>(name, text, range);
  if (value < least || value > most) {
    throw ConfigError(fmt::format("{} must be from {} to {}, got {}", name, least, most, text));
  }
  return value;
}

}  // namespace falsum::cli
