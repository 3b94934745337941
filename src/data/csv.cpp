// CSV and similar tables of text. In training the schema is inferred first (infer.h), then the table is read; later
// tables are read by the schema of the model (table.h). Two passes over the bytes and no copy of the cells: a table
// takes 8 bytes per number.
#include <algorithm>

#include "data/dialect.h"
#include "data/formats.h"
#include "data/infer.h"
#include "data/parts.h"
#include "data/records.h"
#include "data/table.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Hands rows over in parts, and counts them.
class Parts {
 public:
  Parts(TableReader& table, std::size_t columns, std::size_t values, const EachPart& each)
      : table_(table), most_(std::max<std::size_t>(values / std::max<std::size_t>(columns, 1), 64)), each_(each) {}

  void row(const RecordReader& records, const std::vector<std::string_view>& cells) {
    table_.row(records, cells);
    if (table_.rows() == most_) hand_over();
  }
  /// All rows, with what the reader has noted.
  Source finish() {
    hand_over();
    rest_.reading = std::move(reading_);
    return std::move(rest_);
  }
  std::size_t rows() const { return rows_ + table_.rows(); }

 private:
  void hand_over() {
    Source part = table_.take();
    rows_ += part.rows();
    rest_.schema = part.schema;
    reading_.skipped.insert(reading_.skipped.end(), part.reading.skipped.begin(), part.reading.skipped.end());
    if (reading_.first_problem.empty()) reading_.first_problem = part.reading.first_problem;
    if (part.rows() > 0) each_(std::move(part));
  }

  TableReader& table_;
  std::size_t most_, rows_ = 0;
  const EachPart& each_;
  ReadingReport reading_;
  Source rest_;
};

Source read_inferred(std::string_view text, const std::string& path, const LoadOptions& options,
                     std::size_t part_values, const EachPart& each) {
  Inferred inferred = infer_table(text, path, options);
  TableReader table(inferred.schema, options, path);
  table.begin_at_rows();
  RecordReader records(text, inferred.schema.dialect);
  std::vector<std::string_view> cells;
  for (std::size_t skip = inferred.preamble_records + (inferred.schema.dialect.header ? 1 : 0); skip > 0; --skip) {
    records.next(cells);
  }
  Parts parts(table, inferred.schema.columns.size(), part_values, each);
  while (records.next(cells)) parts.row(records, cells);
  const std::size_t without = table.rows_without_weight();
  if (without > 0 && parts.rows() == 0) {
    throw DataError(fmt::format("{} has weights of 0 in all {} rows of column {:?}, and at least one must be above 0",
                                path, without, options.weight));
  }
  if (without > 0) {
    inferred.notes.push_back(fmt::format("{} left out: {} weight is 0",
                                         without == 1 ? "1 row is" : fmt::format("{} rows are", without),
                                         without == 1 ? "its" : "their"));
  }
  check_size(parts.rows(), inferred.schema.count(ColumnRole::kFeature), path);
  Source source = parts.finish();
  source.reading.preamble_lines = inferred.preamble_lines;
  source.reading.notes = std::move(inferred.notes);
  note_skipped(source.reading);
  return source;
}

Source read_by_schema(std::string_view text, const std::string& path, const LoadOptions& options,
                      std::size_t part_values, const EachPart& each) {
  const Schema& schema = *options.schema;
  const Dialect dialect = find_dialect(text, schema, options);
  TableReader table(schema, options, path);
  // A row of millions of cells is refused before it is stored.
  RecordReader records(text, dialect, most_cells(schema));
  Parts parts(table, schema.columns.size(), part_values, each);
  std::vector<std::string_view> cells;
  while (!table.begun() && records.next(cells)) {
    if (!records.problem().empty()) {
      throw DataError(fmt::format("{}, line {}: {}", path, records.line(), records.problem()));
    }
    if (table.begin(cells) == TableReader::Part::kRow) parts.row(records, cells);
  }
  table.require_begun();
  while (records.next(cells)) parts.row(records, cells);
  if (parts.rows() == 0) check_size(0, 1, path);
  return parts.finish();
}

}  // namespace

Source read_csv(std::string_view text, const std::string& path, const LoadOptions& options, std::size_t part_values,
                const EachPart& each) {
  if (text.empty()) throw DataError(fmt::format("{} is empty", path));
  if (text.find('\0') != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\0')), '\n');
    throw DataError(fmt::format("{}, line {}: a table of text cannot have a zero byte", path, line));
  }
  if (options.schema != nullptr && !options.schema->columns.empty()) {
    return read_by_schema(text, path, options, part_values, each);
  }
  return read_inferred(text, path, options, part_values, each);
}

Source load_csv(std::string_view text, const std::string& path, const LoadOptions& options) {
  Source source;
  Source rest = read_csv(text, path, options, kWholeFile, [&](Source all) { source = std::move(all); });
  source.schema = std::move(rest.schema);
  source.reading = std::move(rest.reading);
  const bool inferred = options.schema == nullptr || options.schema->columns.empty();
  if (inferred) source.schema.label_kind = settle_labels(source.labels, source.reading.notes);
  return source;
}

}  // namespace falsum
