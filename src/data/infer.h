// Infers the schema of a table from all of its text: delimiter, quotes, header, number format, the kind of each column.
// Only in training; later data are read by the schema (table.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/source.h"

namespace falsum {

struct Inferred {
  Schema schema;
  std::size_t preamble_records = 0;  // records before the header, or before the first row
  std::uint64_t preamble_lines = 0;
  bool header_is_shorter = false;  // the header lacks the first column, as R writes row names
  std::vector<std::string> notes;
};
Inferred infer_table(std::string_view text, const std::string& path, const LoadOptions& options);

/// The position of the column given by name or by position from 0 (negative: from the end); throws DataError if there
/// is none.
std::size_t find_column(const std::vector<std::string>& names, std::size_t width, const std::string& column,
                        const std::string& path);

/// The name of a column in messages: its name in quotes, or its position.
std::string column_title(const std::string& name, std::size_t position);

}  // namespace falsum
