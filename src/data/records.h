// Records: the bytes of a table as rows of cells, by a dialect. RFC 4180 with common deviations: LF, CRLF or CR, empty
// lines, spaces before a quote, rulers (---+---) between rows.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/schema.h"

namespace falsum {

/// The most columns of a table of text; each takes a few hundred bytes while the schema is inferred.
inline constexpr std::size_t kMostTableColumns = std::size_t{1} << 20;

/// The most cells of a row that is read by a schema: more cannot fit, and are refused before they are stored.
inline std::size_t most_cells(const Schema& schema) { return 2 * schema.columns.size() + 1000; }

class RecordReader {
 public:
  RecordReader(std::string_view text, const Dialect& dialect, std::size_t most_cells = kMostTableColumns);

  /// False at the end. Cells are trimmed and stay valid until the next call. After a damaged record problem() names the
  /// error, and the next call continues at the next line.
  bool next(std::vector<std::string_view>& cells);
  const std::string& problem() const { return problem_; }  // empty: the record is good
  std::size_t line() const { return record_line_; }        // where the record begins, from 1
  std::string_view record() const { return record_; }      // its bytes, without the end of the line
  /// Cells of the record that had quotes around them.
  std::size_t quoted_cells() const { return quoted_cells_; }
  /// Sets the line number: a stream passes single records.
  void set_line(std::size_t line) { line_ = line; }

 private:
  void read_record(std::vector<std::string_view>& cells);
  std::size_t find_stop() const;
  std::string_view plain_cell();
  std::string_view quoted_cell(char quote);
  bool at_quote() const;
  void skip_spaces();
  bool at_line_end() const { return left_.empty() || left_[0] == '\n' || left_[0] == '\r'; }
  void take_line_end();

  std::string_view left_;
  Dialect dialect_;
  std::size_t most_cells_;
  char stops_[4];  // delimiter, \n, \r, and a backslash where it escapes
  std::size_t stop_count_;
  std::size_t line_ = 1, record_line_ = 1, quoted_cells_ = 0;
  std::string_view record_;
  std::string problem_;
  std::deque<std::string> unescaped_;  // cells that differ from their bytes in the file
};

/// True if `record` is a line that only separates rows: ---+---, +----+----+, |---|---|; between spaces also ---  ---.
bool is_ruler(std::string_view record, char delimiter);

/// True if `text` holds only whole records of the dialect. For streams, which arrive line by line.
bool is_complete_record(std::string_view text, const Dialect& dialect, std::size_t most_cells = kMostTableColumns);

}  // namespace falsum
