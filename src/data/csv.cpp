// CSV and similar tables of text. In training the schema is inferred first (infer.h), then the table is read; later
// tables are read by the schema of the model (table.h). Two passes over the bytes and no copy of the cells: a table
// takes 8 bytes per number.
#include <algorithm>

#include "data/dialect.h"
#include "data/formats.h"
#include "data/infer.h"
#include "data/records.h"
#include "data/table.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

Source read_inferred(std::string_view text, const std::string& path, const LoadOptions& options) {
  Inferred inferred = infer_table(text, path, options);
  TableReader table(inferred.schema, options, path);
  table.begin_at_rows();
  RecordReader records(text, inferred.schema.dialect);
  std::vector<std::string_view> cells;
  for (std::size_t skip = inferred.preamble_records + (inferred.schema.dialect.header ? 1 : 0); skip > 0; --skip) {
    records.next(cells);
  }
  while (records.next(cells)) table.row(records, cells);
  const std::size_t without = table.rows_without_weight();
  if (without > 0 && table.rows() == 0) {
    throw DataError(fmt::format("{} has weights of 0 in all {} rows of column {:?}, and at least one must be above 0",
                                path, without, options.weight));
  }
  if (without > 0) {
    inferred.notes.push_back(fmt::format("{} left out: {} weight is 0",
                                         without == 1 ? "1 row is" : fmt::format("{} rows are", without),
                                         without == 1 ? "its" : "their"));
  }
  check_size(table.rows(), inferred.schema.count(ColumnRole::kFeature), path);
  Source source = table.take();
  source.reading.preamble_lines = inferred.preamble_lines;
  source.reading.notes = std::move(inferred.notes);
  note_skipped(source.reading);
  source.schema.label_kind = settle_labels(source.labels, source.reading.notes);
  return source;
}

Source read_by_schema(std::string_view text, const std::string& path, const LoadOptions& options) {
  const Schema& schema = *options.schema;
  const Dialect dialect = find_dialect(text, schema, options);
  TableReader table(schema, options, path);
  // A row of millions of cells is refused before it is stored.
  RecordReader records(text, dialect, most_cells(schema));
  std::vector<std::string_view> cells;
  while (!table.begun() && records.next(cells)) {
    if (!records.problem().empty()) {
      throw DataError(fmt::format("{}, line {}: {}", path, records.line(), records.problem()));
    }
    if (table.begin(cells) == TableReader::Part::kRow) table.row(records, cells);
  }
  table.require_begun();
  while (records.next(cells)) table.row(records, cells);
  if (table.rows() == 0) check_size(0, 1, path);
  return table.take();
}

}  // namespace

Source load_csv(std::string_view text, const std::string& path, const LoadOptions& options) {
  if (text.empty()) throw DataError(fmt::format("{} is empty", path));
  if (text.find('\0') != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find('\0')), '\n');
    throw DataError(fmt::format("{}, line {}: a table of text cannot have a zero byte", path, line));
  }
  if (options.schema != nullptr && !options.schema->columns.empty()) return read_by_schema(text, path, options);
  return read_inferred(text, path, options);
}

}  // namespace falsum
