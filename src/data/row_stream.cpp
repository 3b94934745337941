#include "falsum/row_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "data/dialect.h"
#include "data/encoding.h"
#include "data/formats.h"
#include "data/records.h"
#include "data/table.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {

struct RowStream::State {
  State(std::FILE* from, const std::string& name, const LoadOptions& wanted)
      : file(from), path(name), options(wanted), sparse(wanted.schema->format == DataFormat::kSvmlight) {}

  std::FILE* file;
  std::string path;
  LoadOptions options;
  bool sparse;
  std::size_t line = 1;                      // the next to be read
  std::size_t begins = 1;                    // the first of the current record
  std::string text;                          // the lines of the current record
  std::optional<RecordReader> records = {};  // in it; after a damaged one there are more
  Dialect dialect = {};
  std::optional<TableReader> table = {};

  enum class Encoding { kUtf8, kUtf16Little, kUtf16Big };
  Encoding encoding = Encoding::kUtf8;
  bool begun = false, after_return = false;

  /// The byte order mark, if there is one, is read before everything else.
  void read_mark() {
    begun = true;
    const int first = std::getc(file);
    if (first == 0xff || first == 0xfe) {
      const int second = std::getc(file);
      if (first + second != 0xff + 0xfe) throw DataError(fmt::format("{}, line 1: byte 1 is not UTF-8", path));
      encoding = first == 0xff ? Encoding::kUtf16Little : Encoding::kUtf16Big;
    } else if (first == 0x1f || first == 0xfd) {  // gzip, xz
      throw DataError(fmt::format("{} is compressed, and rows can only be read one by one from plain text", path));
    } else if (first != EOF) {
      std::ungetc(first, file);
    }
  }

  /// The next character, or EOF; of UTF-8 the next byte.
  std::int64_t next_character() {
    if (encoding == Encoding::kUtf8) return std::getc(file);
    const auto unit = [&]() -> std::int64_t {
      const int first = std::getc(file), second = first == EOF ? EOF : std::getc(file);
      if (first == EOF) return EOF;
      if (second == EOF) throw DataError(fmt::format("{} is UTF-16 and ends in the middle of a character", path));
      return encoding == Encoding::kUtf16Little ? first | second << 8 : second | first << 8;
    };
    const std::int64_t high = unit();
    if (high < 0xd800 || high > 0xdfff) return high;
    const std::int64_t low = high <= 0xdbff ? unit() : 0;
    if (low < 0xdc00 || low > 0xdfff)
      throw DataError(fmt::format("{}, line {}: a character is not UTF-16", path, line));
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  }

  /// Appends the next line with its end; false at the end of the file. A line may end in CR, LF or both: the next line
  /// shows which, since a row is answered before the next one arrives.
  bool read_line() {
    constexpr std::size_t kMostBytes = std::size_t{1} << 28;
    if (!begun) read_mark();
    bool any = false;
    for (std::int64_t c = next_character(); c != EOF; c = next_character()) {
      const bool rest_of_end = c == '\n' && after_return && !any;
      after_return = c == '\r';
      if (rest_of_end) {
        if (!text.empty()) text += '\n';  // inside quotes it is part of the cell
        continue;
      }
      any = true;
      if (encoding == Encoding::kUtf8) {
        text += static_cast<char>(c);
      } else {
        append_utf8(text, static_cast<std::uint32_t>(c));
      }
      if (text.size() > kMostBytes) {
        throw DataError(fmt::format("{}, line {}: a row has more than {} bytes", path, line, kMostBytes));
      }
      if (c == '\n' || c == '\r') break;
    }
    if (std::ferror(file) != 0) throw FileError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    return any;
  }

  /// Reads the lines of one record; false at the end.
  bool read_record() {
    text.clear();
    begins = line;
    for (std::size_t before = 0; read_line(); before = text.size()) {
      if (line == 1 && encoding == Encoding::kUtf8 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
      ++line;
      // Only another quote ends an open quote, so lines without quotes are not scanned repeatedly.
      const bool may_close = before == 0 || dialect.backslash || text.find_first_of("\"'", before) != std::string::npos;
      if (sparse || (may_close && is_complete_record(text, dialect, most_cells(*options.schema)))) break;
    }
    check_utf8(text, path, begins);
    if (!sparse && text.find('\0') != std::string::npos) {
      throw DataError(fmt::format("{}, line {}: a table of text cannot have a zero byte", path, begins));
    }
    return !text.empty();
  }
};

RowStream::RowStream(std::FILE* file, const std::string& path, const LoadOptions& options)
    : state_(new State(file, path, options)) {
  const Schema& schema = *options.schema;
  state_->dialect = schema.dialect;
  if (options.delimiter != '\0') state_->dialect.delimiter = options.delimiter;
  if (state_->sparse) return;
  if (schema.columns.empty()) {
    throw DataError(fmt::format("{} cannot be read row by row: the model takes {}, which are no lines of text", path,
                                schema.known() ? name_of(schema.format) : "data of another kind"));
  }
  state_->table.emplace(schema, state_->options, path);
}

RowStream::~RowStream() = default;

std::optional<Source> RowStream::next() {
  State& state = *state_;
  std::vector<std::string_view> cells;
  for (;;) {
    if (!state.records || !state.records->next(cells)) {
      state.records.reset();
      if (!state.read_record()) {
        if (state.table && state.line > 1) state.table->require_begun();
        return std::nullopt;
      }
      if (state.sparse) {
        if (std::optional<Source> source = next_sparse()) return source;
      } else {
        const Schema& schema = *state.options.schema;
        if (!state.table->begun()) state.dialect = find_dialect(state.text, schema, state.options);
        state.records.emplace(state.text, state.dialect, most_cells(schema));
        state.records->set_line(state.begins);
      }
      continue;
    }
    TableReader& table = *state.table;
    if (!table.begun()) {
      if (!state.records->problem().empty()) {
        throw DataError(fmt::format("{}, line {}: {}", state.path, state.records->line(), state.records->problem()));
      }
      if (table.begin(cells) != TableReader::Part::kRow) continue;
    }
    table.row(*state.records, cells);
    Source source = table.take();
    if (source.rows() == 0 && source.reading.skipped.empty()) continue;  // a footer
    source.origin = state.path;
    return source;
  }
}

/// The row of the current line; empty if the line is blank or a comment.
std::optional<Source> RowStream::next_sparse() {
  State& state = *state_;
  const std::string_view row = std::string_view(state.text).substr(0, state.text.find('#'));
  if (row.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
  try {
    Source source = load_svmlight(state.text, fmt::format("{}, line {}", state.path, state.begins), state.options);
    source.origin = state.path;
    return source;
  } catch (const DataError& error) {
    if (state.options.bad_rows == BadRows::kRefuse) throw;
    Source source;
    source.reading.skipped.push_back(0);
    source.reading.first_problem = error.what();
    return source;
  }
}

}  // namespace falsum
