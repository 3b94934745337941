// A table read as a file and as a stream: the same rows, or both refuse. The first byte chooses the schema (a fixed
// one, or that of the same bytes, inferred) and what is done with rows that cannot be read; the rest is the table.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "data/encoding.h"
#include "data/formats.h"
#include "falsum/row_stream.h"
#include "fuzz.h"

namespace {

using falsum::Schema;
using falsum::Source;

Schema fixed_schema() {
  Schema schema;
  schema.format = falsum::DataFormat::kCsv;
  schema.missing_marks = falsum::usual_missing_marks();
  const auto column = [&](const char* name, falsum::ColumnKind kind, falsum::ColumnRole role) {
    schema.columns.emplace_back();
    schema.columns.back().name = name;
    schema.columns.back().kind = kind;
    schema.columns.back().role = role;
  };
  column("a", falsum::ColumnKind::kNumber, falsum::ColumnRole::kFeature);
  column("b", falsum::ColumnKind::kCategory, falsum::ColumnRole::kFeature);
  column("c", falsum::ColumnKind::kDate, falsum::ColumnRole::kFeature);
  column("y", falsum::ColumnKind::kCategory, falsum::ColumnRole::kLabel);
  return schema;
}

/// Every value of every row as text, so that rows can be compared.
void add_rows(const Source& source, std::vector<std::string>& rows) {
  const auto& table = std::get<falsum::Columns>(source.values);
  for (std::size_t r = 0; r < table.rows; ++r) {
    std::string row;
    for (const falsum::Column& column : table.columns) {
      if (!column.categorical) {
        row += std::isnan(column.numbers[r]) ? "?" : std::to_string(column.numbers[r]);
      } else {
        row += column.category[r] == falsum::kMissingCategory ? "?" : "=" + column.categories[column.category[r]];
      }
      row += '\x1f';
    }
    rows.push_back(std::move(row));
  }
}

struct Result {
  std::vector<std::string> rows;
  std::size_t skipped = 0;
  bool refused = false;
};

Result as_file(std::string_view bytes, const falsum::LoadOptions& options) {
  Result result;
  try {
    std::string encoding, converted;
    const std::string_view text = falsum::to_utf8(bytes, "fuzz.csv", encoding, converted);
    const Source source = falsum::load_csv(text, "fuzz.csv", options);
    add_rows(source, result.rows);
    result.skipped = source.reading.skipped.size();
  } catch (const falsum::Error&) {
    result.refused = true;
  }
  return result;
}

Result as_stream(std::string_view bytes, const falsum::LoadOptions& options) {
  Result result;
  std::string copy(bytes);
  std::FILE* file = fmemopen(copy.data(), copy.size(), "rb");
  try {
    falsum::RowStream stream(file, "fuzz.csv", options);
    while (const std::optional<Source> source = stream.next()) {
      if (source->rows() > 0) add_rows(*source, result.rows);
      result.skipped += source->reading.skipped.size();
    }
  } catch (const falsum::Error&) {
    result.refused = true;
  }
  std::fclose(file);
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes = falsum::fuzz::bytes_of(data, size);
  if (bytes.size() < 2) return 0;
  const auto choice = static_cast<unsigned char>(bytes[0]);
  bytes.remove_prefix(1);
  if (bytes[0] == '\x1f') return 0;  // a stream takes it for gzip
  Schema schema = fixed_schema();
  schema.dialect.header = (choice & 4) == 0;
  falsum::LoadOptions options;
  options.bad_rows = (choice & 2) != 0 ? falsum::BadRows::kSkip : falsum::BadRows::kRefuse;
  if ((choice & 1) != 0) {
    try {
      std::string encoding, converted;
      schema = falsum::load_csv(falsum::to_utf8(bytes, "fuzz.csv", encoding, converted), "fuzz.csv", options).schema;
    } catch (const falsum::Error&) {
      return 0;
    }
  }
  options.schema = &schema;
  options.labelled = false;
  options.delimiter = schema.dialect.delimiter;  // of another dialect a file shows many records, a stream one
  const Result file = as_file(bytes, options), stream = as_stream(bytes, options);
  // A file without rows is refused; a stream may end before it has begun.
  const bool nothing = file.refused && !stream.refused && stream.rows.empty();
  if (nothing || (file.refused && stream.refused)) return 0;
  if (file.refused != stream.refused || file.rows != stream.rows || file.skipped != stream.skipped) {
    std::fprintf(stderr, "file: %zu rows, %zu left out%s; stream: %zu rows, %zu left out%s\n", file.rows.size(),
                 file.skipped, file.refused ? ", refused" : "", stream.rows.size(), stream.skipped,
                 stream.refused ? ", refused" : "");
    __builtin_trap();
  }
  return 0;
}
