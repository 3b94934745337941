#include "data/option_text.h"

#include <algorithm>
#include <utility>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::pair<std::string_view, char> kMarkNames[] = {
    {"tab", '\t'}, {"\\t", '\t'}, {"space", ' '}, {"comma", ','}, {"bar", '|'}, {"point", '.'}, {"semicolon", ';'}};

}  // namespace

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    parts.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::vector<std::string> missing_marks_of(const std::string& text) {
  const bool more = text.starts_with('+');
  std::vector<std::string> marks = more ? usual_missing_marks() : std::vector<std::string>();
  for (std::string& mark : split_list(text.substr(more ? 1 : 0))) marks.push_back(std::move(mark));
  return marks;
}

char mark_of(const std::string& option, const std::string& text, std::string_view allowed) {
  char mark = text.size() == 1 ? text[0] : '\0';
  for (const auto& [name, character] : kMarkNames) {
    if (text == name) mark = character;
  }
  if (mark != '\0' && allowed.find(mark) != allowed.npos) return mark;
  throw ConfigError(
      fmt::format("{} must be {}, got {}", option,
                  allowed.size() > 2 ? "one of comma, semicolon, tab, bar and space" : "a point or a comma",
                  text.empty() ? "nothing" : text));
}

BadRows bad_rows_of(const std::string& option, const std::string& text) {
  if (text == "skip") return BadRows::kSkip;
  if (text == "error") return BadRows::kRefuse;
  throw ConfigError(fmt::format("{} must be error or skip, got {}", option, text.empty() ? "nothing" : text));
}

}  // namespace falsum
