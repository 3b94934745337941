#include "data/dialect.h"

#include <algorithm>
#include <map>

#include "data/records.h"
#include "data/values.h"

namespace falsum {
namespace {

constexpr std::size_t kSample = 300;         // records from which the dialect is inferred, with at most
constexpr std::size_t kSampleCells = 20000;  // as many cells

const MissingMarks& usual_marks() {
  static const MissingMarks marks(usual_missing_marks());
  return marks;
}

/// A comment, or "(150 rows)" as psql writes it at the end.
bool is_remark(const std::vector<std::string_view>& cells) {
  if (cells.size() != 1) return false;
  if (cells[0].starts_with('#')) return true;
  if (!cells[0].starts_with('(')) return false;
  const std::string_view count = cells[0].substr(1, cells[0].find_first_not_of("0123456789", 1) - 1);
  const std::string_view rest = cells[0].substr(1 + count.size());
  return !count.empty() && (rest == " rows)" || rest == " row)");
}

bool is_blank(const std::vector<std::string_view>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](std::string_view cell) { return cell.empty(); });
}

/// How much the sample looks like a table: the share of records that have the most usual width, times how much their
/// cells look like values. A cell that holds another delimiter was probably cut in the wrong place.
struct Score {
  double value = 0;
  double share = 0;
  std::size_t width = 0;
};

Score score(std::string_view text, const Dialect& dialect) {
  RecordReader reader(text, dialect);
  std::vector<std::string_view> cells;
  std::map<std::size_t, std::size_t> widths;
  std::size_t records = 0;
  double quality = 0, total = 0;
  for (; records < kSample && (total < kSampleCells || records < 3) && reader.next(cells); ++records) {
    if (!reader.problem().empty()) continue;
    ++widths[cells.size()];
    if (cells.size() == 1) continue;
    for (const std::string_view cell : cells) {
      const bool typed = usual_marks().contains(cell) || readings_of(cell) != 0;
      quality += typed ? 1 : cell.find_first_of(dialect.delimiter == ',' ? ";\t|" : ",;\t|") == cell.npos ? 0.8 : 0.3;
      ++total;
    }
  }
  if (total == 0) return {};
  // Of equally common widths the smallest: a row that is too long is more common than a header that is too short.
  const auto usual = std::max_element(widths.begin(), widths.end(), [](const auto& a, const auto& b) {
    return a.second < b.second || (a.second == b.second && a.first < 2 && b.first >= 2);
  });
  if (usual->first < 2) return {0, 0, usual->first};
  const double share = static_cast<double>(usual->second) / static_cast<double>(records);
  // Spaces are in texts as well, so they delimit only if nothing else does.
  return {share * quality / total * (dialect.delimiter == ' ' ? 0.5 : 1), share, usual->first};
}

/// Single quotes delimit if cells begin and end with them and none begins with a double one.
char detect_quote(std::string_view text, char delimiter) {
  Dialect bare;
  bare.delimiter = delimiter;
  bare.quote = '\0';
  RecordReader reader(text, bare);
  std::vector<std::string_view> cells;
  std::size_t opened = 0, closed = 0, seen = 0;
  for (std::size_t records = 0; records < kSample && seen < kSampleCells && reader.next(cells); ++records) {
    seen += cells.size();
    for (const std::string_view cell : cells) {
      if (cell.starts_with('"')) return '"';
      opened += cell.starts_with('\'');
      closed += cell.size() > 1 && cell.ends_with('\'');
    }
  }
  return std::min(opened, closed) >= 2 ? '\'' : '"';
}

/// Excel's first line "sep=;".
char announced_delimiter(std::string_view text) {
  return text.size() > 5 && text.starts_with("sep=") && (text[5] == '\r' || text[5] == '\n') ? text[4] : '\0';
}

}  // namespace

bool is_comment(const std::vector<std::string_view>& cells) {
  return cells[0].starts_with('#') && !usual_marks().contains(cells[0]);
}

bool is_preamble(const std::vector<std::string_view>& cells, std::size_t width) {
  if (width < 2) return false;
  if (cells.size() == 1 || is_blank(cells) || cells[0] == "sep=") return true;
  if (is_comment(cells) && cells.size() != width) return true;
  const auto full = std::count_if(cells.begin(), cells.end(), [](auto cell) { return !cell.empty(); });
  return full <= 1 && width >= 3 && cells.size() >= 3 && !cells[0].empty();  // Excel pads titles with empty cells
}

bool is_no_row(const std::vector<std::string_view>& cells, std::size_t width, bool labelled) {
  return width > 1 && (is_remark(cells) || (labelled && is_blank(cells)));
}

DetectedDialect detect_dialect(std::string_view text, const LoadOptions& options) {
  DetectedDialect best;
  double highest = 0;
  const char announced = announced_delimiter(text);
  for (const char delimiter : {',', ';', '\t', '|', ' '}) {
    const char wanted = options.delimiter != '\0' ? options.delimiter : announced;
    if (wanted != '\0' && wanted != delimiter) continue;
    Dialect dialect;
    dialect.delimiter = delimiter;
    dialect.quote = detect_quote(text, delimiter);
    Score found = score(text, dialect);
    Dialect escaped = dialect;
    escaped.backslash = true;
    // A backslash escapes if records fit only then. Better-looking cells without it prove nothing: the backslash may be
    // part of their text.
    if (const Score other = score(text, escaped); other.share > found.share) {
      dialect = escaped;
      found = other;
    }
    if (found.value > highest || best.width == 0) {
      highest = std::max(highest, found.value);
      best = {dialect, found.width};
    }
  }
  return best;
}

Dialect find_dialect(std::string_view text, const Schema& schema, const LoadOptions& options) {
  const Dialect trained = schema.format == DataFormat::kCsv ? schema.dialect : detect_dialect(text, options).dialect;
  const auto fits = [&](const Dialect& dialect) {
    RecordReader records(text, dialect, most_cells(schema));
    std::vector<std::string_view> cells;
    for (std::size_t i = 0; i < kMostPreamble && records.next(cells); ++i) {
      const bool named = std::all_of(schema.columns.begin(), schema.columns.end(), [&](const ColumnSchema& column) {
        return column.role != ColumnRole::kFeature || std::find(cells.begin(), cells.end(), column.name) != cells.end();
      });
      if (!named && is_preamble(cells, std::max<std::size_t>(schema.columns.size(), 2))) continue;
      return named;
    }
    return false;
  };
  Dialect dialect = trained;
  if (options.delimiter != '\0') {
    dialect.delimiter = options.delimiter;
    return dialect;
  }
  if (!trained.header || fits(trained)) return trained;
  for (const char quote : {trained.quote, '"', '\''}) {
    for (const char delimiter : {',', ';', '\t', '|', ' '}) {
      dialect.delimiter = delimiter;
      dialect.quote = quote;
      if (fits(dialect)) return dialect;
    }
  }
  return trained;
}

}  // namespace falsum
