#include "json.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace falsum::cli {

// Here and not in the header: a brace list of twenty members would compile each of these twenty times.
Json::Json() noexcept = default;
Json::Json(bool value) : value_(value) {}
Json::Json(int value) : value_(std::int64_t{value}) {}
Json::Json(long value) : value_(std::int64_t{value}) {}
Json::Json(long long value) : value_(std::int64_t{value}) {}
Json::Json(unsigned value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long long value) : value_(std::uint64_t{value}) {}
Json::Json(double value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::initializer_list<Member> members) : value_(Object(members)) {}

Json Json::array() {
  Json empty;
  empty.value_ = Array();
  return empty;
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

void Json::push_back(Json element) {
  assert(std::holds_alternative<Array>(value_));
  std::get<Array>(value_).push_back(std::move(element));
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_)) value_ = Object();
  assert(std::holds_alternative<Object>(value_));
  auto& members = std::get<Object>(value_);
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return found != members.end() ? found->value : members.emplace_back(Member{std::string(key), Json()}).value;
}

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

namespace {

nlohmann::ordered_json for_library(const Json& json) {
  return std::visit(
      [](const auto& value) -> nlohmann::ordered_json {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, Json::Array>) {
          auto array = nlohmann::ordered_json::array();
          for (const Json& element : value) array.push_back(for_library(element));
          return array;
        } else if constexpr (std::is_same_v<T, Json::Object>) {
          auto object = nlohmann::ordered_json::object();
          for (const Json::Member& member : value) object[member.key] = for_library(member.value);
          return object;
        } else {
          return value;
        }
      },
      json.value());
}

}  // namespace

std::string Json::dump(int indent) const {
  // Paths and labels need not be UTF-8; the document must be printable in any case.
  return for_library(*this).dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace falsum::cli
