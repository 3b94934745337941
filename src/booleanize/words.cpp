#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "booleanize/rules.h"
#include "falsum/error.h"

namespace falsum {
namespace {

/// What each byte becomes: itself in lower case, or a space. Bytes beyond ASCII (UTF-8) and the odd control
/// character stay: that way the training reviews of IMDb have the 88,584 words that the field counts.
constexpr std::array<char, 256> make_word_table() {
  std::array<char, 256> table{};
  for (int c = 0; c < 256; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  for (const char c : std::string_view("\t\n\v\f\r")) table[static_cast<std::size_t>(c)] = ' ';
  for (const char c : std::string_view("!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~")) table[static_cast<std::size_t>(c)] = ' ';
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c - 'A' + 'a');
  return table;
}
constexpr std::array<char, 256> kWordTable = make_word_table();

struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
template <class Value>
using WordMap = std::unordered_map<std::string, Value, WordHash, std::equal_to<>>;

}  // namespace

void for_each_word(std::string_view text, const std::function<void(std::string_view)>& visit) {
  std::string word;
  for (const char raw : text) {
    const char c = kWordTable[static_cast<std::uint8_t>(raw)];
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      visit(word);
      word.clear();
    }
  }
  if (!word.empty()) visit(word);
}

Booleanizer::Words fit_words(const Documents& documents, const BooleanizeOptions& options) {
  WordMap<std::uint64_t> counts;
  for (const std::string& text : documents.texts) {
    for_each_word(text, [&](std::string_view word) {
      const auto found = counts.find(word);
      if (found == counts.end()) {
        counts.emplace(word, 1);
      } else {
        ++found->second;
      }
    });
  }
  std::vector<std::pair<std::uint64_t, std::string_view>> ranked;
  ranked.reserve(counts.size());
  for (const auto& [word, count] : counts) ranked.emplace_back(count, word);
  const std::size_t kept = std::min<std::size_t>(ranked.size(), options.vocabulary);
  std::partial_sort(
      ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  Booleanizer::Words rule;
  for (std::size_t i = 0; i < kept; ++i) rule.vocabulary.emplace_back(ranked[i].second);
  return rule;
}

SparseBits apply_words(const Booleanizer::Words& rule, const Source& source) {
  const auto* documents = std::get_if<Documents>(&source.values);
  if (documents == nullptr) {
    throw DataError(
        fmt::format("{} holds {}, expected text documents as in training", source.origin, describe(source)));
  }
  WordMap<std::uint32_t> features;
  for (std::size_t i = 0; i < rule.vocabulary.size(); ++i)
    features.emplace(rule.vocabulary[i], static_cast<std::uint32_t>(i));
  SparseBits bits(rule.vocabulary.size());
  std::vector<std::uint32_t> row;
  for (const std::string& text : documents->texts) {
    row.clear();
    for_each_word(text, [&](std::string_view word) {
      const auto found = features.find(word);
      if (found != features.end()) row.push_back(found->second);
    });
    bits.add_row(row);
  }
  return bits;
}

}  // namespace falsum
