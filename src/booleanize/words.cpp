#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <unordered_map>

#include "booleanize/mappings.h"
#include "data/formats.h"
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

/// Calls add(document, values) once for every phrase and document that has it, then visit(phrase, values) for every
/// phrase: its `width` values, which begin at 0.
template <class Value, class Add, class Visit>
void for_each_counted(const Source& training, std::size_t most, std::size_t width, const Add& add, const Visit& visit) {
  struct Seen {
    std::size_t first;                       // of its values
    std::size_t document = ~std::size_t{0};  // the last document that has it
  };
  const std::vector<std::string>& texts = std::get<Documents>(training.values).texts;
  WordMap<Seen> seen;
  std::vector<Value> values;
  for (std::size_t d = 0; d < texts.size(); ++d) {
    for_each_phrase(texts[d], most, [&](std::string_view phrase) {
      auto found = seen.find(phrase);
      if (found == seen.end()) {
        found = seen.emplace(phrase, Seen{values.size()}).first;
        values.resize(values.size() + width);
      }
      if (found->second.document == d) return;
      found->second.document = d;
      add(d, values.data() + found->second.first);
    });
  }
  for (const auto& [phrase, where] : seen) visit(phrase, std::span<const Value>(values).subspan(where.first, width));
}

/// Phrases in fewer documents are left out: some of them would score high by chance.
constexpr std::int64_t kLeastDocuments = 10;

/// One label's part of chi squared, times the documents: `both` documents have the phrase and the label. In integers as
/// far as possible: equal on every computer.
double chi2_part(std::int64_t both, std::int64_t with_phrase, std::int64_t with_label, std::int64_t documents) {
  const std::int64_t expected = with_phrase * with_label;
  const auto off = static_cast<double>(both * documents - expected);
  return off * off / static_cast<double>(expected);
}

/// The association of each phrase with the classes: chi squared of "the document has it".
std::vector<Ranked> rank_by_class(const Source& training, std::size_t most) {
  const std::vector<std::string> names = distinct_labels(training.labels);
  const std::vector<std::uint32_t> labels = encode_labels(training, names);
  std::vector<std::int64_t> sizes(names.size());
  for (const std::uint32_t label : labels) ++sizes[label];
  const auto documents = static_cast<std::int64_t>(labels.size());
  std::vector<Ranked> ranked;
  for_each_counted<std::uint32_t>(
      training, most, names.size(), [&](std::size_t d, std::uint32_t* counts) { ++counts[labels[d]]; },
      [&](const std::string& phrase, std::span<const std::uint32_t> counts) {
        const std::int64_t having = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        if (having < kLeastDocuments) return;
        double score = 0;
        for (std::size_t c = 0; c < counts.size(); ++c) score += chi2_part(counts[c], having, sizes[c], documents);
        ranked.push_back({score, phrase});
      });
  return ranked;
}

/// The largest association with any of the labels: for each of them chi squared of the documents with and without it.
/// So a word of a rare label counts as much as one of a frequent label.
std::vector<Ranked> rank_by_best_label(const Source& training, std::size_t most) {
  require_labels(training);
  std::map<std::string, std::size_t> columns;
  std::vector<std::vector<std::size_t>> labels(training.labels.size());
  std::vector<std::int64_t> sizes;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    for (const std::string& name : labels_in(training.labels[d])) {
      const std::size_t label = columns.emplace(name, sizes.size()).first->second;
      if (label == sizes.size()) sizes.push_back(0);
      if (std::ranges::find(labels[d], label) != labels[d].end()) continue;  // named twice
      labels[d].push_back(label);
      ++sizes[label];
    }
  }
  const auto documents = static_cast<std::int64_t>(labels.size());
  const std::size_t all = sizes.size();  // the value after those of the labels: all documents that have the phrase
  std::vector<Ranked> ranked;
  for_each_counted<std::uint32_t>(
      training, most, all + 1,
      [&](std::size_t d, std::uint32_t* counts) {
        for (const std::size_t label : labels[d]) ++counts[label];
        ++counts[all];
      },
      [&](const std::string& phrase, std::span<const std::uint32_t> counts) {
        const std::int64_t having = counts[all];
        if (having < kLeastDocuments) return;
        double best = 0;
        for (std::size_t l = 0; l < all; ++l) {
          if (sizes[l] == documents) continue;  // tells nothing apart
          best = std::max(best, chi2_part(counts[l], having, sizes[l], documents) +
                                    chi2_part(having - counts[l], having, documents - sizes[l], documents));
        }
        ranked.push_back({best, phrase});
      });
  return ranked;
}

/// The squared correlation of "the document has it" with the numbers, times a constant. The F statistic rises with it,
/// so the order is that of F.
std::vector<Ranked> rank_by_number(const Source& training, std::size_t most) {
  std::vector<double> numbers = label_numbers(training);
  const auto documents = static_cast<double>(numbers.size());
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / documents;
  for (double& number : numbers) number -= mean;
  std::vector<Ranked> ranked;
  for_each_counted<double>(
      training, most, 2,
      [&](std::size_t d, double* values) {
        ++values[0];
        values[1] += numbers[d];
      },
      [&](const std::string& phrase, std::span<const double> values) {
        const double having = values[0], sum = values[1];
        if (having < static_cast<double>(kLeastDocuments)) return;
        ranked.push_back({having == documents ? 0 : sum * sum / (having * (documents - having)), phrase});
      });
  return ranked;
}

std::vector<Ranked> rank_by_label(const Source& training, std::size_t most, Task task) {
  if (task == Task::kClassification) return rank_by_class(training, most);
  return task == Task::kMultilabel ? rank_by_best_label(training, most) : rank_by_number(training, most);
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

Booleanizer::Words fit_words(const Source& training, const BooleanizeOptions& options, Task task) {
  const auto most = static_cast<std::size_t>(options.phrases);
  std::vector<Ranked> ranked = options.select == "chi2" && !training.labels.empty()
                                   ? rank_by_label(training, most, task)
                                   : rank_by_frequency(training, most);
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
