// How the bytes of a table of text become cells, inferred from its first records, and which records are not rows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "falsum/source.h"

namespace falsum {

/// Records that may stand before a table.
inline constexpr std::size_t kMostPreamble = 50;

/// The delimiter, quote and escapes under which the first few hundred records look most like a table, and the number of
/// columns that result. A delimiter in the options is used.
struct DetectedDialect {
  Dialect dialect;
  std::size_t width = 0;
};
DetectedDialect detect_dialect(std::string_view text, const LoadOptions& options);

/// The dialect of a file that is read by a schema. It may have another delimiter or other quotes than the training
/// file. They are inferred from its first records, which are not rows: one of them names the columns.
Dialect find_dialect(std::string_view text, const Schema& schema, const LoadOptions& options);

/// True for a record that can come before a table and is not a row: a title, a comment.
bool is_preamble(const std::vector<std::string_view>& cells, std::size_t width);
/// True for a line that begins with #, unless # begins a mark for a missing value.
bool is_comment(const std::vector<std::string_view>& cells);
/// True for a record among the rows of a table of `width` columns that is not a row: a remark, or a line without any
/// value, as Excel writes for rows that were formatted and never filled in. Such a line is not a row for learning
/// (`labelled`); for prediction it is a row and gets an answer.
bool is_no_row(const std::vector<std::string_view>& cells, std::size_t width, bool labelled);

}  // namespace falsum
