// Options: every number a user can set, in one struct, described by one table. The command line, the
// library's own checks, docs/options.md and (later) the Python package are all fed by option_table();
// defaults are the member initialisers here and stand nowhere else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace falsum {

struct Options {
  // What machine it is. These are stored in the model and decide, with the data, every learned bit.
  std::int64_t clauses = 2000;
  std::int64_t threshold = 50;
  double specificity = 10;
  std::int64_t states = 256;
  bool boost = true;
  bool sharded = false;
  std::uint64_t seed = 42;

  // How it is run. These never change what is learned.
  std::int64_t epochs = 10;
  std::string engine = "auto";
  std::int64_t threads = 0;
  std::string kernels = "auto";
  std::int64_t max_memory = 0;
};

struct OptionInfo {
  using Field = std::variant<std::int64_t Options::*, double Options::*, bool Options::*, std::uint64_t Options::*,
                             std::string Options::*>;
  std::string_view name;  // the member above, and --name on the command line, with - for _
  std::string_view flag;  // a short flag without its dash, or empty
  Field field;
  double least, most;        // allowed range of numbers, inclusive
  std::string_view choices;  // of a text: "auto|scan|index"
  std::string_view help;
};

std::span<const OptionInfo> option_table();

/// Throws ConfigError naming the parameter, its value and what is allowed.
void validate(const Options& options);

/// Its name on the command line, without dashes in front: "max-memory".
std::string flag_name(const OptionInfo& option);

/// The default of one option as text: "2000", "true", "auto".
std::string default_text(const OptionInfo& option);

/// The table in Markdown: docs/options.md holds exactly this, and a test says so.
std::string options_markdown();

}  // namespace falsum
