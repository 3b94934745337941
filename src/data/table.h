// TableReader: records of a table become columns of values, by a schema. Training reads with the schema it has just
// inferred, prediction with that of the model, streams record by record.
//
// Columns are found by the names in the header, in any order; without a header by position. A name that occurs twice
// means its first column the first time, its second the second time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/records.h"
#include "data/values.h"
#include "falsum/source.h"

namespace falsum {

class TableReader {
 public:
  /// The schema must outlive the reader.
  TableReader(const Schema& schema, const LoadOptions& options, std::string path);

  /// What a record of the beginning is, once that is known; from the first row on every record is a row. DataError if
  /// the columns of the schema are not there.
  enum class Part { kPreamble, kHeader, kRow };
  Part begin(const std::vector<std::string_view>& cells);
  /// Training knows where its rows begin: columns are where the schema has them.
  void begin_at_rows();
  bool begun() const { return begun_; }
  /// DataError unless it has begun: nothing there was the header or a row.
  void require_begun() const;

  /// Adds a row. One that cannot be read is a DataError that names its line, or is left out, as the options say.
  void row(const RecordReader& records, const std::vector<std::string_view>& cells);

  std::size_t rows() const { return rows_; }
  /// The rows read since the last call.
  Source take();

 private:
  struct Reader {        // of a column of the schema that is wanted
    std::size_t at = 0;  // its cell
    ColumnSchema schema;
    Column column;
    std::unordered_map<std::string, std::uint32_t> known;  // categories
  };
  void prepare();
  std::optional<std::string> add(const std::vector<std::string_view>& cells);
  bool match_names(const std::vector<std::string_view>& cells, bool perhaps);
  void match_positions(std::size_t width);
  bool could_be_row(const std::vector<std::string_view>& cells) const;

  const Schema& schema_;
  const LoadOptions& options_;
  std::string path_;
  NumberFormat numbers_;
  MissingMarks marks_;
  bool header_;
  bool begun_ = false;
  std::size_t seen_ = 0;                 // records of the beginning
  std::size_t width_ = 0;                // cells of a row
  bool may_be_shifted_ = false;          // the header may lack the first column, as R writes it
  std::vector<std::size_t> at_;          // the cell of each column of the schema, or kNowhere
  std::optional<std::size_t> label_at_;  // the cell of the label
  std::vector<Reader> readers_;
  std::vector<double> values_;  // of the row at hand
  std::vector<std::string> labels_;
  std::size_t rows_ = 0, all_rows_ = 0;
  ReadingReport report_;
};

}  // namespace falsum
