// SVMlight / LIBSVM: one sparse row a line, `label index:value index:value ... # comment`. Indices ascend
// and count from 1, unless an index 0 appears anywhere in the file: then they count from 0. A file to
// predict can lack index 0 by chance, so LoadOptions::first_index can settle it. `qid:n` is ignored.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "data/formats.h"
#include "falsum/error.h"

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

Source load_svmlight(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  Source source;
  SparseRows rows;
  rows.starts.push_back(0);
  std::uint64_t largest = 0;
  bool zero = false;
  std::string_view line;
  for (std::size_t number = 1; next_line(bytes, line); ++number) {
    std::string_view word = next_word(line);
    if (word.empty()) continue;
    const bool has_label = word.find(':') == std::string_view::npos;
    if (options.labelled) {
      if (!has_label) {
        throw DataError(fmt::format("{}, line {}: a row begins with its label, found {:?}", path, number, word));
      }
      const std::optional<double> value = parse_number(word);
      source.labels.push_back(value ? label_text(*value) : std::string(word));
    }
    if (has_label) word = next_word(line);
    Entry entry;
    for (std::uint64_t least = 0; !word.empty(); word = next_word(line)) {
      if (word.starts_with("qid:")) continue;
      if (!parse_entry(word, entry) || !std::isfinite(entry.value)) {
        throw DataError(
            fmt::format("{}, line {}: expected index:value with a finite value, found {:?}", path, number, word));
      }
      if (entry.index > kMaxFeatures) {
        throw DataError(fmt::format("{}, line {}: index {} is beyond the largest allowed, {}", path, number,
                                    entry.index, kMaxFeatures));
      }
      if (entry.index < least) {
        throw DataError(fmt::format("{}, line {}: index {} does not ascend within its row", path, number, entry.index));
      }
      least = entry.index + 1;
      zero |= entry.index == 0;
      largest = std::max(largest, entry.index);
      rows.indices.push_back(static_cast<std::uint32_t>(entry.index));
      rows.values.push_back(static_cast<float>(entry.value));
    }
    rows.starts.push_back(rows.indices.size());
  }
  if (zero && options.first_index == 1) {
    throw DataError(fmt::format("{} has an index 0, but its indices were said to count from 1", path));
  }
  const bool from_one = options.first_index < 0 ? !zero : options.first_index == 1;
  if (from_one) {
    for (std::uint32_t& index : rows.indices) --index;
  }
  rows.features = rows.indices.empty() ? 0 : largest + (from_one ? 0 : 1);
  if (rows.features == 0) throw DataError(fmt::format("{} has no index:value at all", path));
  check_size(rows.rows(), rows.features, path);
  source.values = std::move(rows);
  return source;
}

}  // namespace falsum
