// Labels: text in every format, compared by value where they are numbers or truth values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "data/formats.h"
#include "data/values.h"
#include "falsum/error.h"
#include "falsum/packed_rows.h"
#include "falsum/source.h"

namespace falsum {
namespace {

/// The value of a label that is a number or true or false. Numbers that a double would round stay text.
std::optional<double> label_value(const std::string& label) {
  if (const auto truth = parse_boolean(label)) return truth;
  const std::optional<double> number = parse_number(label);
  constexpr double kExact = 9007199254740992;  // 2^53
  return number && std::abs(*number) < kExact ? number : std::nullopt;
}

bool is_plain_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos && (text == "0" || text[0] != '0');
}

}  // namespace

LabelKind settle_labels(std::vector<std::string>& labels, std::vector<std::string>& notes) {
  const std::set<std::string> texts(labels.begin(), labels.end());
  if (texts.empty()) return LabelKind::kText;
  const auto all = [&](auto&& is) { return std::all_of(texts.begin(), texts.end(), is); };
  const bool booleans = all([](const std::string& text) { return parse_boolean(text).has_value(); });
  const bool numbers =
      !booleans && all([](const std::string& text) { return !parse_boolean(text) && label_value(text).has_value(); });
  if (!booleans && !numbers) return LabelKind::kText;
  std::map<double, std::set<std::string>> spellings;
  for (const std::string& text : texts) spellings[*label_value(text)].insert(text);
  if (spellings.size() < texts.size()) {
    const auto several =
        std::find_if(spellings.begin(), spellings.end(), [](const auto& s) { return s.second.size() > 1; });
    notes.push_back(
        fmt::format("labels that are written in several ways are one class: {}", fmt::join(several->second, ", ")));
    for (std::string& label : labels) {
      const double value = *label_value(label);
      label = booleans ? (value == 1 ? "True" : "False") : label_text(value);
    }
    return settle_labels(labels, notes);
  }
  if (booleans) return LabelKind::kBoolean;
  if (all([](const std::string& text) { return is_plain_integer(text); })) return LabelKind::kInteger;
  // 01 and 007 are codes: a number would lose their zeros.
  const bool codes = all([](const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; });
  return codes ? LabelKind::kText : LabelKind::kReal;
}

std::vector<std::string> distinct_labels(const std::vector<std::string>& labels) {
  std::vector<std::string> names = labels;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto is_number = [](const std::string& name) {
    const std::optional<double> value = parse_number(name);
    return value && !std::isnan(*value);
  };
  if (std::all_of(names.begin(), names.end(), is_number)) {
    std::stable_sort(names.begin(), names.end(),
                     [](const std::string& a, const std::string& b) { return *parse_number(a) < *parse_number(b); });
  }
  return names;
}

namespace {

/// Class ids by the text of a label, or by its value.
class ClassIds {
 public:
  ClassIds(const std::vector<std::string>& names, LabelKind kind) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto id = static_cast<std::uint32_t>(i);
      by_text_.emplace(names[i], id);
      if (kind == LabelKind::kText) continue;
      if (const auto value = label_value(names[i])) by_value_.emplace(*value, id);
    }
  }
  std::optional<std::uint32_t> find(const std::string& label) const {
    if (const auto found = by_text_.find(label); found != by_text_.end()) return found->second;
    const std::optional<double> value = label_value(label);
    if (const auto same = value ? by_value_.find(*value) : by_value_.end(); same != by_value_.end()) {
      return same->second;
    }
    return std::nullopt;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> by_text_;
  std::unordered_map<double, std::uint32_t> by_value_;
};

[[noreturn]] void refuse_label(const std::string& origin, std::size_t row, const std::string& label,
                               const std::vector<std::string>& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 10);
  throw DataError(fmt::format("{}, row {}: label {:?} was not there in training; the classes are {}{}", origin, row,
                              label, fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                              shown < names.size() ? ", ..." : ""));
}

/// Packed rows have classes already, by names of their own.
std::vector<std::uint32_t> encode_packed(const PackedRows& file, const std::vector<std::string>& names,
                                         const ClassIds& ids) {
  std::vector<std::optional<std::uint32_t>> of;
  for (const std::string& name : file.outputs()) of.push_back(ids.find(name));
  const std::span<const std::uint32_t> classes = file.targets().classes();
  std::vector<std::uint32_t> encoded(classes.size());
  for (std::size_t r = 0; r < classes.size(); ++r) {
    if (!of[classes[r]]) refuse_label(file.origin(), r, file.outputs()[classes[r]], names);
    encoded[r] = *of[classes[r]];
  }
  return encoded;
}

}  // namespace

std::vector<std::uint32_t> encode_labels(const Source& source, const std::vector<std::string>& names, LabelKind kind) {
  const ClassIds ids(names, kind);
  if (const PackedRows* const file = source.packed()) return encode_packed(*file, names, ids);
  require_labels(source);
  std::vector<std::uint32_t> encoded;
  encoded.reserve(source.labels.size());
  for (std::size_t r = 0; r < source.labels.size(); ++r) {
    const std::optional<std::uint32_t> id = ids.find(source.labels[r]);
    if (!id) refuse_label(source.origin, r, source.labels[r], names);
    encoded.push_back(*id);
  }
  return encoded;
}

void require_labels(const Source& source) {
  if (source.labels.size() == source.rows()) return;
  throw DataError(fmt::format("{} has {} rows and {} labels", source.origin, source.rows(), source.labels.size()));
}

std::vector<std::string> labels_in(const std::string& text) {
  std::vector<std::string> labels;
  std::size_t first = 0;
  while (first <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(",;|", first), text.size());
    const std::size_t from = std::min(text.find_first_not_of(" \t", first), end);
    std::size_t to = end;
    while (to > from && (text[to - 1] == ' ' || text[to - 1] == '\t')) --to;
    if (to > from) labels.push_back(text.substr(from, to - from));
    first = end + 1;
  }
  return labels;
}

double label_number(const std::string& label, const std::string& origin, std::size_t row) {
  const std::optional<double> number = parse_number(label);
  if (number && std::isfinite(*number)) return *number;
  throw DataError(
      fmt::format("{}, row {}: label {:?} is not a number, and regression learns numbers", origin, row, label));
}

std::vector<double> label_numbers(const Source& source) {
  if (const PackedRows* const file = source.packed()) {
    const std::span<const double> numbers = file->targets().numbers();
    return {numbers.begin(), numbers.end()};
  }
  require_labels(source);
  std::vector<double> numbers;
  numbers.reserve(source.labels.size());
  for (std::size_t r = 0; r < source.labels.size(); ++r) {
    numbers.push_back(label_number(source.labels[r], source.origin, r));
  }
  return numbers;
}

}  // namespace falsum
