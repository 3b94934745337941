// SVMlight / LIBSVM: one sparse row a line, `label index:value index:value ... # comment`. Indices ascend
// and count from 1, unless an index 0 appears anywhere in the training file: then they count from 0. A file to predict
// can lack index 0 by chance, so the schema of the model stores the first index. `qid:n` is ignored. A value NaN is
// missing: it sets no feature, like an absent index.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "data/formats.h"
#include "data/parts.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::string_view kSpace = " \t\r\f\v";

/// The next word of `line`, which is shortened; empty at the end.
std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

/// The next line without its comment, or false at the end.
bool next_line(std::string_view& bytes, std::string_view& line) {
  if (bytes.empty()) return false;
  const std::size_t end = bytes.find('\n');
  line = bytes.substr(0, end);
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  line = line.substr(0, line.find('#'));
  return true;
}

struct Entry {
  std::uint64_t index = 0;
  double value = 0;
};

bool parse_entry(std::string_view word, Entry& entry) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto parsed = std::from_chars(word.data(), word.data() + colon, entry.index);
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + colon) return false;
  const std::optional<double> value = parse_number(word.substr(colon + 1));
  if (!value) return false;
  entry.value = *value;
  return true;
}

struct Row {
  std::string label;
  std::vector<Entry> entries;
};

/// The problem with a line; empty if it could be read.
std::string parse_row(std::string_view line, bool labelled, bool empty_label, Row& row) {
  row.entries.clear();
  row.label.clear();
  std::string_view word = next_word(line);
  const bool has_label = word.find(':') == std::string_view::npos;
  if (labelled && !has_label && !empty_label) return fmt::format("a row begins with its label, found {:?}", word);
  if (has_label) {
    const std::optional<double> value = parse_number(word);
    row.label = value ? label_text(*value) : std::string(word);
    word = next_word(line);
  }
  Entry entry;
  for (std::uint64_t least = 0; !word.empty(); word = next_word(line)) {
    if (word.starts_with("qid:")) continue;
    if (!parse_entry(word, entry) || std::isinf(entry.value)) {
      return fmt::format("expected index:value with a finite value, found {:?}", word);
    }
    if (entry.index > kMaxFeatures) {
      return fmt::format("index {} is beyond the largest allowed, {}", entry.index, kMaxFeatures);
    }
    if (entry.index < least) return fmt::format("index {} does not ascend within its row", entry.index);
    least = entry.index + 1;
    row.entries.push_back(entry);
  }
  return {};
}

}  // namespace

bool looks_like_svmlight(std::string_view bytes) {
  std::string_view line;
  Entry entry;
  while (next_line(bytes, line)) {
    const std::string_view label = next_word(line);
    if (label.empty()) continue;
    const std::string_view word = next_word(line);
    if (word.empty()) {  // a row without entries: a single number, decided by the rows that follow
      if (parse_entry(label, entry)) return true;
      if (!parse_number(label)) return false;
      continue;
    }
    return parse_entry(word, entry) || word.starts_with("qid:");
  }
  return false;
}

namespace {

/// use(row) for every row that can be read.
template <class Use>
void for_each_row(std::string_view bytes, const std::string& path, const LoadOptions& options, ReadingReport& reading,
                  const Use& use) {
  std::uint64_t all_rows = 0;
  std::string_view line;
  Row row;
  for (std::size_t number = 1; next_line(bytes, line); ++number) {
    if (line.find_first_not_of(kSpace) == std::string_view::npos) continue;
    ++all_rows;
    if (const std::string problem = parse_row(line, options.labelled, options.task == Task::kMultilabel, row);
        !problem.empty()) {
      std::string sentence = fmt::format("{}, line {}: {}", path, number, problem);
      if (options.bad_rows == BadRows::kRefuse) throw DataError(sentence);
      reading.skipped.push_back(all_rows - 1);
      if (reading.first_problem.empty()) reading.first_problem = std::move(sentence);
      continue;
    }
    use(row);
  }
}

/// What all rows together tell: how indices count, and how many features there are.
struct Indices {
  std::uint64_t largest = 0, rows = 0, entries = 0;
  bool zero = false;
  void add(const Row& row) {
    ++rows;
    entries += row.entries.size();
    if (row.entries.empty()) return;
    zero |= row.entries.front().index == 0;  // they ascend
    largest = std::max(largest, row.entries.back().index);
  }
  bool from_one(const std::string& path, const LoadOptions& options) const;
  std::size_t features(bool from_one) const { return entries == 0 ? 0 : largest + (from_one ? 0 : 1); }
};

bool Indices::from_one(const std::string& path, const LoadOptions& options) const {
  const int known =
      options.first_index < 0 && options.schema != nullptr ? options.schema->first_index : options.first_index;
  if (zero && known == 1) {
    throw DataError(fmt::format("{} has an index 0, but its indices count from 1{}", path,
                                options.first_index < 0 ? " as in training" : ""));
  }
  return known < 0 ? !zero : known == 1;
}

/// A row without entries is one like others where features are known.
void check_found(const Indices& indices, std::size_t features, const std::string& path, const LoadOptions& options) {
  if (options.schema != nullptr && indices.rows > 0) return;
  if (features == 0) throw DataError(fmt::format("{} has no index:value at all", path));
  check_size(indices.rows, features, path);
}

void append(const Row& row, const LoadOptions& options, Source& source, SparseRows& rows) {
  if (options.labelled) source.labels.push_back(row.label);
  for (const Entry& entry : row.entries) {
    rows.indices.push_back(static_cast<std::uint32_t>(entry.index));
    rows.values.push_back(static_cast<float>(entry.value));
  }
  rows.starts.push_back(rows.indices.size());
}

/// `rows` count from 0 from now on.
void finish_rows(SparseRows rows, bool from_one, std::size_t features, Source& source) {
  if (from_one) {
    for (std::uint32_t& index : rows.indices) --index;
  }
  rows.features = features;
  source.schema.first_index = from_one ? 1 : 0;
  source.values = std::move(rows);
}

SparseRows no_rows() {
  SparseRows rows;
  rows.starts.push_back(0);
  return rows;
}

}  // namespace

Source load_svmlight(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  Source source;
  SparseRows rows = no_rows();
  Indices indices;
  for_each_row(bytes, path, options, source.reading, [&](const Row& row) {
    indices.add(row);
    append(row, options, source, rows);
  });
  note_skipped(source.reading);
  const bool from_one = indices.from_one(path, options);
  check_found(indices, indices.features(from_one), path, options);
  finish_rows(std::move(rows), from_one, indices.features(from_one), source);
  return source;
}

Source read_svmlight(std::string_view bytes, const std::string& path, const LoadOptions& options,
                     std::size_t part_values, const EachPart& each) {
  Source rest, part;
  Indices indices;
  for_each_row(bytes, path, options, rest.reading, [&](const Row& row) { indices.add(row); });
  note_skipped(rest.reading);
  const bool from_one = indices.from_one(path, options);
  const std::size_t features = indices.features(from_one);
  check_found(indices, features, path, options);
  rest.schema.first_index = from_one ? 1 : 0;
  SparseRows rows = no_rows();
  const auto hand_over = [&] {
    finish_rows(std::exchange(rows, no_rows()), from_one, features, part);
    each(std::exchange(part, {}));
  };
  ReadingReport again;  // notes the same
  for_each_row(bytes, path, options, again, [&](const Row& row) {
    append(row, options, part, rows);
    if (rows.indices.size() + rows.rows() >= part_values) hand_over();
  });
  if (rows.rows() > 0) hand_over();
  return rest;
}

}  // namespace falsum
