// Reading JSON that is not trusted: every access says what must be there, and where.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "export/json_text.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {

/// A value and the path to it: "clauses[3][0]".
class JsonPlace {
 public:
  JsonPlace(const JsonValue& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[noreturn]] void fail(std::string_view wanted) const {
    std::string found = value_.is_structured() ? std::string(value_.type_name())
                                               : value_.dump(-1, ' ', true, JsonValue::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw FileError(fmt::format("{} must be {}, got {}", path_.empty() ? "the document" : path_, wanted, found));
  }

  bool has(const char* key) const { return value_.is_object() && value_.contains(key) && !value_[key].is_null(); }
  JsonPlace operator[](const char* key) const {
    if (!value_.is_object()) fail("an object");
    if (!value_.contains(key)) throw FileError(fmt::format("{} is missing", inside(key)));
    return {value_[key], inside(key)};
  }
  std::size_t size() const {
    if (!value_.is_array()) fail("an array");
    return value_.size();
  }
  JsonPlace at(std::size_t i) const { return {value_[i], fmt::format("{}[{}]", path_, i)}; }

  std::int64_t whole(std::int64_t least, std::int64_t most) const {
    if (value_.is_number_integer() &&
        !(value_.is_number_unsigned() && value_.get<std::uint64_t>() > 0x7fffffffffffffff)) {
      const auto number = value_.get<std::int64_t>();
      if (number >= least && number <= most) return number;
    }
    fail(fmt::format("a whole number from {} to {}", least, most));
  }
  std::uint64_t unsigned_number() const {
    if (!value_.is_number_unsigned()) fail("a whole number from 0 to 2^64 - 1");
    return value_.get<std::uint64_t>();
  }
  double number() const {
    if (!value_.is_number()) fail("a number");
    return value_.get<double>();
  }
  bool truth() const {
    if (!value_.is_boolean()) fail("true or false");
    return value_.get<bool>();
  }
  const std::string& text() const {
    if (!value_.is_string()) fail("a text");
    return value_.get_ref<const std::string&>();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size(); ++i) all.push_back(at(i).text());
    return all;
  }
  /// One of these words, as its number.
  template <class Choice, std::size_t n>
  Choice one_of(const Choice (&choices)[n]) const {
    std::string words;
    for (const Choice choice : choices) {
      if (value_.is_string() && text() == name_of(choice)) return choice;
      words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", name_of(choice));
    }
    fail("one of " + words);
  }
  const JsonValue& value() const { return value_; }
  const std::string& path() const { return path_; }

 private:
  std::string inside(const char* key) const { return path_.empty() ? std::string(key) : path_ + "." + key; }

  const JsonValue& value_;
  std::string path_;
};

}  // namespace falsum
