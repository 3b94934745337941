// Values of options as text and back: the whole text or an error that names the option, the value and what is allowed.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

#include "falsum/engines.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum::c_api {

template <class Value>
std::string to_text(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return std::string(name_of(value));
  } else {
    return fmt::format("{}", value);  // true and false, shortest digits that read back the same
  }
}

template <class Value>
Value from_text(const std::string& name, const std::string& text, const std::string& allowed) {
  const auto refuse = [&](const char* kind, const std::string& range) {
    return ConfigError(
        fmt::format("{} must be {}{}, got {}", name, kind, range, text.empty() ? "nothing" : "\"" + text + "\""));
  };
  if constexpr (std::is_same_v<Value, std::string>) {
    return text;
  } else if constexpr (std::is_enum_v<Value>) {
    return named<Value>(text);
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (text != "true" && text != "false") throw refuse("true or false", "");
    return text == "true";
  } else {
    Value value{};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    bool good = error == std::errc{} && stopped == end;
    if constexpr (std::is_floating_point_v<Value>) good = good && std::isfinite(value);
    if (!good) throw refuse(std::is_floating_point_v<Value> ? "a number" : "a whole number", " (" + allowed + ")");
    return value;
  }
}

}  // namespace falsum::c_api
