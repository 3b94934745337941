// A JSON document as text, written from first to last. For pages; the command's reports have cli/json.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/format.h"

namespace falsum {

class JsonText {
 public:
  JsonText& open(char bracket) {
    separate();
    text_ += bracket;
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  JsonText& key(std::string_view name) {
    add(name);
    text_ += ':';
    first_ = true;  // its value needs no comma
    return *this;
  }
  /// Bytes that are not UTF-8 are for the browser to replace.
  JsonText& add(std::string_view value) {
    separate();
    text_ += '"';
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20 || c == '"' || c == '\\' || c == '<' || byte == 0x7f) {
        text_ += fmt::format("\\u{:04x}", byte);
      } else {
        text_ += c;
      }
    }
    text_ += '"';
    return *this;
  }
  JsonText& add(const char* value) { return add(std::string_view(value)); }
  JsonText& add(const std::string& value) { return add(std::string_view(value)); }
  JsonText& add(bool value) { return raw(value ? "true" : "false"); }
  JsonText& add(double value) { return raw(std::isfinite(value) ? fmt::format("{:.10g}", value) : "null"); }
  JsonText& add(std::int64_t value) { return raw(fmt::format("{}", value)); }
  JsonText& add(std::uint64_t value) { return raw(fmt::format("{}", value)); }
  JsonText& add(std::int32_t value) { return add(std::int64_t{value}); }
  JsonText& add(std::uint32_t value) { return add(std::uint64_t{value}); }
  template <class T>
  JsonText& member(std::string_view name, const T& value) {
    return key(name).add(value);
  }
  template <class List>
  JsonText& list(std::string_view name, const List& values) {
    key(name).open('[');
    for (const auto& value : values) add(value);
    return close(']');
  }

  const std::string& text() const { return text_; }

 private:
  JsonText& raw(const std::string& value) {
    separate();
    text_ += value;
    return *this;
  }
  void separate() {
    if (!first_ && !text_.empty()) text_ += ',';
    first_ = false;
  }
  std::string text_;
  bool first_ = true;
};

}  // namespace falsum
