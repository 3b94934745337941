// How the bytes of a table of text become cells, found out from its first records, and which records are no rows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "falsum/source.h"

namespace falsum {

/// Records that may stand before a table.
inline constexpr std::size_t kMostPreamble = 50;

/// The delimiter, quote and escapes under which the first few hundred records make most sense as a table, and how many
/// columns it has then. The delimiter of the options is obeyed.
struct DetectedDialect {
  Dialect dialect;
  std::size_t width = 0;
};
DetectedDialect detect_dialect(std::string_view text, const LoadOptions& options);

/// The dialect of a file that is read by a schema. It may have another delimiter or other quotes than the one that was
/// learned from; its first records tell, which are no rows: one of them names the columns.
Dialect find_dialect(std::string_view text, const Schema& schema, const LoadOptions& options);

/// True for a record that can stand before a table and is none of its rows: a title, a comment.
bool is_preamble(const std::vector<std::string_view>& cells, std::size_t width);
/// True for a line that begins with #, unless that is a mark for a missing value.
bool is_comment(const std::vector<std::string_view>& cells);
/// True for a record among the rows of a table of `width` columns that is none: a remark, or a line without any value,
/// as Excel writes for what was formatted and never filled in. That is no row to learn from (`labelled`); to predict it
/// is one, and has its answer.
bool is_no_row(const std::vector<std::string_view>& cells, std::size_t width, bool labelled);

}  // namespace falsum
