// Options that are one of a few words: what a machine answers, how it chooses what to unlearn, how it weighs errors.
// Each word is written here once; name_of and named<> convert.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace falsum {

/// What a machine answers for a row.
enum class Task : std::uint8_t {
  kClassification,  // one of its classes
  kMultilabel,      // which of its labels apply: none, some or all of them
  kRegression,      // a number
};

/// How a machine of classes chooses the other class that a row is learned against.
enum class Negatives : std::uint8_t {
  kUniform,  // any other class
  kFocused,  // with a probability in proportion to T + votes: the classes that it takes the row for
};

/// How often a clause takes part in learning from an error e of a regression machine.
enum class ErrorLaw : std::uint8_t {
  kSquared,  // (e / T)^2
  kLinear,   // |e| / T
};

/// What `max_literals` counts in a clause of a fuzzy machine.
enum class ClauseLength : std::uint8_t {
  kFeatures,  // features with one or both of their literals; a clause learns more while it has fewer than max_literals
  kLiterals,  // literals; a clause learns more while it has at most max_literals (the rule of the paper)
};

/// The words for an enumeration, in its order, and the option that they belong to.
template <class Choice>
struct Words;
template <>
struct Words<Task> {
  static constexpr std::string_view kOption = "task", kWords[] = {"classification", "multilabel", "regression"};
};
template <>
struct Words<Negatives> {
  static constexpr std::string_view kOption = "negatives", kWords[] = {"uniform", "focused"};
};
template <>
struct Words<ErrorLaw> {
  static constexpr std::string_view kOption = "error", kWords[] = {"squared", "linear"};
};

template <>
struct Words<ClauseLength> {
  static constexpr std::string_view kOption = "length", kWords[] = {"features", "literals"};
};

template <class Choice>
requires requires { Words<Choice>::kOption; }
constexpr std::string_view name_of(Choice choice) { return Words<Choice>::kWords[static_cast<std::size_t>(choice)]; }

/// Throws ConfigError naming the option, the word and the words that are allowed.
[[noreturn]] void refuse_word(std::string_view option, std::string_view word, std::string_view allowed);

/// "classification|multilabel|regression"
template <class Choice>
std::string choices_of() {
  std::string text;
  for (const std::string_view word : Words<Choice>::kWords) text += (text.empty() ? "" : "|") + std::string(word);
  return text;
}

template <class Choice>
Choice named(std::string_view word) {
  for (std::size_t i = 0; i < std::size(Words<Choice>::kWords); ++i) {
    if (Words<Choice>::kWords[i] == word) return static_cast<Choice>(i);
  }
  refuse_word(Words<Choice>::kOption, word, choices_of<Choice>());
}

}  // namespace falsum
