// TableReader: records of a table become columns of values, by a schema. Training reads by the schema that it has just
// inferred, prediction by the schema of the model. Streams read record by record.
//
// Columns are found by the names in the header, in any order; without a header by position. If a name occurs twice, its
// first occurrence means the first such column, its second the second.
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

  /// Classifies a record at the beginning of a file, once that is possible; from the first row on every record is a
  /// row. Throws DataError if columns of the schema are missing.
  enum class Part { kPreamble, kHeader, kRow };
  Part begin(const std::vector<std::string_view>& cells);
  /// For training, which knows where its rows begin: columns are in the positions of the schema.
  void begin_at_rows();
  bool begun() const { return begun_; }
  /// Throws DataError if neither a header nor a row was found.
  void require_begun() const;

  /// Adds a row. Depending on the options, a row that cannot be read is a DataError that names its line, or is left
  /// out.
  void row(const RecordReader& records, const std::vector<std::string_view>& cells);

  std::size_t rows() const { return rows_; }
  std::size_t rows_without_weight() const { return without_weight_; }
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
  std::size_t seen_ = 0;                  // records before the first row
  std::size_t width_ = 0;                 // cells of a row
  bool may_be_shifted_ = false;           // the header may lack the first column, as R writes it
  std::vector<std::size_t> at_;           // the cell of each column of the schema, or kNowhere
  std::optional<std::size_t> label_at_;   // the cell of the label
  std::optional<std::size_t> weight_at_;  // in training: the cell of the row's weight
  std::vector<Reader> readers_;
  std::vector<double> values_;  // of the current row
  std::vector<std::string> labels_;
  std::vector<double> weights_;
  std::size_t rows_ = 0, all_rows_ = 0, without_weight_ = 0;
  ReadingReport report_;
};

}  // namespace falsum
