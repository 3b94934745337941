// The options of booleanizing in one table, like option_table() for the machine. The library's own checks, the command
// line, docs/options.md and the Python package all use this table. Defaults are the member initialisers of
// BooleanizeOptions.
//
// Each option acts on one kind of data. For other data it would have no effect, so giving it there is a mistake:
// callers that know which options were given check acts_on().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "falsum/booleanizer.h"
#include "falsum/source.h"

namespace falsum {

enum class DataKind { kBits, kImages, kTables, kText };

/// The kind of data, as booleanizing sees the source. Bits that came from images are images.
DataKind data_kind(const Source& source);
DataKind data_kind(const Booleanizer& booleanizer);

/// "bits", "images", "tables", "text".
std::string_view name_of(DataKind kind);

struct BooleanizeOptionInfo {
  using Field =
      std::variant<int BooleanizeOptions::*, std::uint32_t BooleanizeOptions::*, std::string BooleanizeOptions::*>;
  std::string_view name;  // the member, and --name on the command line
  Field field;
  std::int64_t least, most;  // allowed range of a number, inclusive
  std::string_view choices;  // of a text: "frequent|chi2"
  DataKind data;             // what it acts on
  std::string_view help;

  /// Packed rows are booleanized already.
  bool acts_on(const Source& source) const { return source.packed() == nullptr && data_kind(source) == data; }
};

std::span<const BooleanizeOptionInfo> booleanize_option_table();

/// Throws ConfigError naming the parameter, its value and the allowed values.
void validate(const BooleanizeOptions& options);

/// "1 to 4", "frequent, chi2".
std::string range_text(const BooleanizeOptionInfo& option);

/// The default of one option as text.
std::string default_text(const BooleanizeOptionInfo& option);

/// The table in Markdown: docs/options.md ends with exactly this, and a test checks it.
std::string booleanize_options_markdown();

}  // namespace falsum
