#include <algorithm>
#include <array>
#include <unordered_map>

#include "booleanize/mappings.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// What each byte becomes: itself in lower case, or a space. Bytes beyond ASCII (UTF-8) and the odd control
/// character stay: that way the training reviews of IMDb have the 88,584 words that the field counts.
constexpr std::array<char, 256> make_word_table() {
  std::array<char, 256> table{};
  for (int c = 0; c < 256; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  for (const char c : std::string_view("\t\n\v\f\r")) table[static_cast<std::uint8_t>(c)] = ' ';
  for (const char c : std::string_view("!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~")) table[static_cast<std::uint8_t>(c)] = ' ';
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<std::uint8_t>(c)] = static_cast<char>(c - 'A' + 'a');
  return table;
}
constexpr std::array<char, 256> kWordTable = make_word_table();

struct WordHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
};
template <class Value>
using WordMap = std::unordered_map<std::string, Value, WordHash, std::equal_to<>>;

struct Ranked {
  double score;
  std::string phrase;
};

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

void for_each_phrase(std::string_view text, std::size_t most, const std::function<void(std::string_view)>& visit) {
  std::string recent;               // the last words, up to `most` of them
  std::vector<std::size_t> starts;  // of each
  for_each_word(text, [&](std::string_view word) {
    if (starts.size() == most) {
      const std::size_t first = most > 1 ? starts[1] : recent.size();
      recent.erase(0, first);
      starts.erase(starts.begin());
      for (std::size_t& start : starts) start -= first;
    }
    if (!recent.empty()) recent += ' ';
    starts.push_back(recent.size());
    recent += word;
    for (std::size_t i = starts.size(); i-- > 0;) visit(std::string_view(recent).substr(starts[i]));
  });
}

namespace {

/// The association of each phrase with the labels: chi squared of "the document has it" against the labels, times the
/// documents. Phrases in fewer than ten documents are left out: some of them would score high by chance.
std::vector<Ranked> rank_by_label(const Source& training, std::size_t most) {
  constexpr std::int64_t kLeastDocuments = 10;
  const std::vector<std::string>& texts = std::get<Documents>(training.values).texts;
  const std::vector<std::string> names = distinct_labels(training.labels);
  const std::vector<std::uint32_t> labels = encode_labels(training, names);
  const std::size_t classes = names.size();
  std::vector<std::int64_t> sizes(classes);
  struct Seen {
    std::size_t first;                       // of its counts, a count for each class
    std::size_t document = ~std::size_t{0};  // the last document that has it
  };
  WordMap<Seen> seen;
  std::vector<std::uint32_t> counts;
  for (std::size_t d = 0; d < texts.size(); ++d) {
    ++sizes[labels[d]];
    for_each_phrase(texts[d], most, [&](std::string_view phrase) {
      auto found = seen.find(phrase);
      if (found == seen.end()) {
        found = seen.emplace(phrase, Seen{counts.size()}).first;
        counts.resize(counts.size() + classes);
      }
      if (found->second.document == d) return;
      found->second.document = d;
      ++counts[found->second.first + labels[d]];
    });
  }
  const auto all = static_cast<std::int64_t>(texts.size());
  std::vector<Ranked> ranked;
  for (const auto& [phrase, where] : seen) {
    std::int64_t having = 0;
    for (std::size_t c = 0; c < classes; ++c) having += counts[where.first + c];
    if (having < kLeastDocuments) continue;
    double score = 0;
    for (std::size_t c = 0; c < classes; ++c) {  // integers as far as possible: equal on every computer
      const std::int64_t expected = having * sizes[c];
      const auto off = static_cast<double>(std::int64_t{counts[where.first + c]} * all - expected);
      score += off * off / static_cast<double>(expected);
    }
    ranked.push_back({score, phrase});
  }
  return ranked;
}

std::vector<Ranked> rank_by_frequency(const Source& training, std::size_t most) {
  WordMap<std::uint64_t> counts;
  for (const std::string& text : std::get<Documents>(training.values).texts) {
    for_each_phrase(text, most, [&](std::string_view phrase) {
      const auto found = counts.find(phrase);
      if (found == counts.end()) {
        counts.emplace(phrase, 1);
      } else {
        ++found->second;
      }
    });
  }
  std::vector<Ranked> ranked;
  ranked.reserve(counts.size());
  for (const auto& [phrase, count] : counts) ranked.push_back({static_cast<double>(count), phrase});
  return ranked;
}

}  // namespace

Booleanizer::Words fit_words(const Source& training, const BooleanizeOptions& options) {
  const auto most = static_cast<std::size_t>(options.phrases);
  std::vector<Ranked> ranked =
      options.select == "chi2" ? rank_by_label(training, most) : rank_by_frequency(training, most);
  const std::size_t kept = std::min<std::size_t>(ranked.size(), options.vocabulary);
  std::partial_sort(
      ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(kept), ranked.end(),
      [](const Ranked& a, const Ranked& b) { return a.score != b.score ? a.score > b.score : a.phrase < b.phrase; });
  Booleanizer::Words mapping{{}, static_cast<std::uint32_t>(options.phrases)};
  for (std::size_t i = 0; i < kept; ++i) mapping.vocabulary.push_back(std::move(ranked[i].phrase));
  return mapping;
}

SparseBits apply_words(const Booleanizer::Words& mapping, const Source& source) {
  const auto* documents = std::get_if<Documents>(&source.values);
  if (documents == nullptr) {
    throw DataError(
        fmt::format("{} holds {}, expected text documents as in training", source.origin, describe(source)));
  }
  WordMap<std::uint32_t> features;
  for (std::size_t i = 0; i < mapping.vocabulary.size(); ++i)
    features.emplace(mapping.vocabulary[i], static_cast<std::uint32_t>(i));
  SparseBits bits(mapping.vocabulary.size());
  std::vector<std::uint32_t> row;
  for (const std::string& text : documents->texts) {
    row.clear();
    for_each_phrase(text, mapping.phrases, [&](std::string_view phrase) {
      const auto found = features.find(phrase);
      if (found != features.end()) row.push_back(found->second);
    });
    bits.add_row(row);
  }
  return bits;
}

}  // namespace falsum
