// CSV: RFC 4180 with the liberties that files in the wild take. Comma, semicolon or tab (the most
// frequent in the first row), LF or CRLF, a UTF-8 byte order mark, empty lines skipped. The first row is
// a header if none of its cells is a number, so a table of text alone needs a header.
//
// Two passes over the bytes: the first counts rows and learns which columns are numeric, the second
// fills them. Cells are never kept as text, so a table takes 8 bytes a number and no more.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "data/formats.h"
#include "falsum/error.h"

namespace falsum {
namespace {

/// Reads record after record. A cell with doubled quotes is the only one that has to be copied.
class CsvReader {
 public:
  CsvReader(std::string_view bytes, char delimiter, const std::string& path)
      : left_(bytes), delimiter_(delimiter), path_(path) {}

  /// False at the end. Cells stay valid until the next call.
  bool next(std::vector<std::string_view>& cells) {
    do {
      if (left_.empty()) return false;
      read_record(cells);
    } while (cells.size() == 1 && cells[0].empty());
    return true;
  }
  std::size_t line() const { return record_line_; }  // where the record last read begins

 private:
  void read_record(std::vector<std::string_view>& cells) {
    record_line_ = line_;
    cells.clear();
    unquoted_.clear();
    for (bool more = true; more;) {
      if (!left_.empty() && left_[0] == '"') {
        cells.push_back(quoted_cell());
      } else {
        const std::size_t end = std::min(left_.find_first_of(separators()), left_.size());
        std::string_view cell = left_.substr(0, end);
        left_.remove_prefix(end);
        if ((left_.empty() || left_[0] == '\n') && cell.ends_with('\r')) cell.remove_suffix(1);
        cells.push_back(cell);
      }
      more = !left_.empty() && left_[0] == delimiter_;
      if (!left_.empty()) left_.remove_prefix(1);  // the delimiter or the end of the line
    }
    ++line_;
  }
  std::string_view quoted_cell() {
    const std::size_t begins = line_;
    left_.remove_prefix(1);
    std::string text;
    for (;;) {
      const std::size_t end = left_.find('"');
      if (end == std::string_view::npos) {
        throw DataError(fmt::format("{}, line {}: a quote is opened and never closed", path_, begins));
      }
      text.append(left_, 0, end);
      line_ +=
          static_cast<std::size_t>(std::count(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      left_.remove_prefix(end + 1);
      if (left_.empty() || left_[0] != '"') break;
      text += '"';
      left_.remove_prefix(1);
    }
    if (left_.substr(0, 2) == "\r\n" || left_ == "\r") left_.remove_prefix(1);
    if (!left_.empty() && left_[0] != delimiter_ && left_[0] != '\n') {
      throw DataError(fmt::format("{}, line {}: text follows a closing quote", path_, line_));
    }
    return *unquoted_.insert(unquoted_.end(), std::make_unique<std::string>(std::move(text)))->get();
  }
  std::string_view separators() const { return {separators_, 2}; }

  std::string_view left_;
  char delimiter_;
  const char separators_[2] = {delimiter_, '\n'};
  const std::string& path_;
  std::size_t line_ = 1, record_line_ = 1;
  std::vector<std::unique_ptr<std::string>> unquoted_;
};

char detect_delimiter(std::string_view bytes) {
  std::size_t counts[3] = {};
  constexpr std::string_view kDelimiters = ",;\t";
  bool quoted = false;
  for (const char c : bytes) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    if (const std::size_t which = kDelimiters.find(c); which != std::string_view::npos) ++counts[which];
  }
  return kDelimiters[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

/// Where the labels stand, or `columns` if there are none.
std::size_t find_label(const std::vector<std::string>& names, std::size_t columns, const std::string& path,
                       const LoadOptions& options) {
  const std::string& label = options.label;
  if (label.empty()) return options.labelled ? columns - 1 : columns;
  const auto named = std::find(names.begin(), names.end(), label);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  long long position = 0;
  const auto parsed = std::from_chars(label.data(), label.data() + label.size(), position);
  if (parsed.ec == std::errc() && parsed.ptr == label.data() + label.size()) {
    const auto count = static_cast<long long>(columns);
    if (position >= -count && position < count) {
      return static_cast<std::size_t>(position < 0 ? position + count : position);
    }
    if (!options.labelled) return columns;
    throw DataError(fmt::format("{} has {} columns, so its label column cannot be {}: allowed are {} to {}", path,
                                columns, label, -count, count - 1));
  }
  if (!options.labelled) return columns;  // a file to predict may lack what training called the label
  const std::size_t shown = std::min<std::size_t>(names.size(), 10);
  throw DataError(
      fmt::format("{} has no column {:?}; {}{}", path, label,
                  names.empty() ? "it has no header, so columns go by position, 0 for the first" : "it has ",
                  fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", ")) +
      (shown < names.size() ? ", ..." : ""));
}

}  // namespace

Source load_csv(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  const char delimiter = detect_delimiter(bytes);
  std::vector<std::string_view> cells;

  // First pass: the shape of the table.
  CsvReader first(bytes, delimiter, path);
  if (!first.next(cells)) throw DataError(fmt::format("{} is empty", path));
  const std::size_t width = cells.size();
  const bool header =
      std::none_of(cells.begin(), cells.end(), [](auto cell) { return parse_number(cell).has_value(); });
  std::vector<std::string> names;
  if (header) {
    for (const std::string_view cell : cells) names.emplace_back(trim(cell));
  }
  const std::size_t label_at = find_label(names, width, path, options);
  const std::size_t features = width - (label_at < width ? 1 : 0);
  if (features == 0) throw DataError(fmt::format("{} has no column besides the label", path));

  std::vector<char> some_text(width), some_number(width);
  std::size_t rows = 0;
  for (bool more = !header || first.next(cells); more; more = first.next(cells), ++rows) {
    if (cells.size() != width) {
      throw DataError(
          fmt::format("{}, line {}: expected {} columns, found {}", path, first.line(), width, cells.size()));
    }
    for (std::size_t c = 0; c < width; ++c) {
      if (some_text[c] || c == label_at) continue;
      const std::string_view cell = trim(cells[c]);
      if (cell.empty()) continue;
      (parse_number(cell) ? some_number : some_text)[c] = 1;
    }
  }
  check_size(rows, features, path);

  // Second pass: the values. A column without a single number or word has no feature to offer.
  Source source;
  Columns table{rows, std::vector<Column>(features)};
  std::vector<std::unordered_map<std::string, std::uint32_t>> known(features);
  for (std::size_t c = 0, feature = 0; c < width; ++c) {
    if (c == label_at) continue;
    Column& column = table.columns[feature++];
    column.categorical = some_text[c] || !some_number[c];
    if (header) column.name = names[c];
    if (column.categorical) {
      column.category.reserve(rows);
    } else {
      column.numbers.reserve(rows);
    }
  }
  CsvReader second(bytes, delimiter, path);
  if (header) second.next(cells);
  while (second.next(cells)) {
    for (std::size_t c = 0, feature = 0; c < width; ++c) {
      const std::string_view cell = trim(cells[c]);
      if (c == label_at) {
        if (!options.labelled) continue;
        if (cell.empty()) throw DataError(fmt::format("{}, line {}: the label is empty", path, second.line()));
        source.labels.emplace_back(cell);
        continue;
      }
      Column& column = table.columns[feature];
      if (column.categorical) {
        const auto found = known[feature].try_emplace(std::string(cell), column.categories.size());
        if (found.second) column.categories.emplace_back(cell);
        column.category.push_back(found.first->second);
      } else {
        const std::optional<double> value = parse_number(cell);
        if (!value || !std::isfinite(*value)) {
          const std::string name = header ? fmt::format("{:?}", names[c]) : std::to_string(c);
          throw DataError(fmt::format(
              "{}, line {}, column {}: {}, and every value of a numeric column must be a "
              "finite number",
              path, second.line(), name, cell.empty() ? "the value is missing" : fmt::format("the value is {}", cell)));
        }
        column.numbers.push_back(*value);
      }
      ++feature;
    }
  }
  if (header) {
    for (const Column& column : table.columns) source.feature_names.push_back(column.name);
  }
  source.values = std::move(table);
  return source;
}

}  // namespace falsum
