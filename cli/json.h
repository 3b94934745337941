// A JSON document that is being written: null, bool, number, text, array or object. Keys stay in the order they came.
//
//   Json report = {{"name", "iris"}, {"size", {{"rows", 150}, {"columns", 4}}}};   // braces are objects
//   report["labels"] = std::vector<std::string>{"setosa", "virginica"};            // vectors and spans are arrays
//   report["model"] = Json();                                                      // null
//
// It has only what reports need. json.cpp passes the finished document to nlohmann's library, which formats numbers and
// text and takes longer to compile than any file that reports.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace falsum::cli {

class Json {
 public:
  struct Member;  // a key and its value
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Json() noexcept;
  Json(bool value);
  Json(int value);
  Json(long value);
  Json(long long value);
  Json(unsigned value);
  Json(unsigned long value);
  Json(unsigned long long value);
  Json(double value);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  template <class T>
  Json(const T* pointer) = delete;  // would be a bool
  template <class T>
  Json(const std::vector<T>& elements) : Json(std::span<const T>(elements)) {}
  template <class T>
  Json(std::span<const T> elements) : Json(array()) {
    for (const T& element : elements) push_back(element);
  }
  Json(std::initializer_list<Member> members);
  static Json array();

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  /// Of an array.
  void push_back(Json element);
  /// The value of a key, null if it is new. For an object, or for null, which becomes an object.
  Json& operator[](std::string_view key);

  const Value& value() const { return value_; }
  bool operator==(const Json& other) const;

  /// On one line, or with every level indented by `indent` characters. Bytes that are not UTF-8 are replaced.
  std::string dump(int indent = -1) const;

 private:
  Value value_;
};

struct Json::Member {
  std::string key;
  Json value;
  bool operator==(const Member& other) const = default;
};

}  // namespace falsum::cli
