// Options: every number a user can set, in one struct, described by one table. The command line, the library's own
// checks, docs/options.md and the Python package all use option_table(); defaults are the member initialisers here and
// nowhere else. The table also says which options make the machine and which belong to a run (`scope`): models,
// checkpoints, `train --resume` and reports follow it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "falsum/choices.h"
#include "falsum/engines.h"

namespace falsum {

/// The value of an option that is left to the law of defaults (falsum/defaults.h): `threshold = kAutomatic`.
struct AutoValue {
  constexpr operator std::int64_t() const { return std::numeric_limits<std::int64_t>::min(); }
  constexpr operator double() const { return -std::numeric_limits<double>::infinity(); }
};
inline constexpr AutoValue kAutomatic;
inline constexpr bool is_auto(std::int64_t value) { return value == std::int64_t{kAutomatic}; }
inline constexpr bool is_auto(double value) { return value == double{kAutomatic}; }
/// Only numbers can be left open.
template <class T>
constexpr bool is_auto(const T&) {
  return false;
}

struct Options {
  // Options that make the machine. Models and checkpoints store them. With the data and the number of epochs they
  // determine every learned bit.
  Task task = Task::kClassification;
  std::int64_t clauses = kAutomatic;
  std::int64_t threshold = kAutomatic;
  double specificity = kAutomatic;
  double specificity_to = 0;
  std::int64_t states = 256;
  bool boost = true;
  bool sharded = false;
  std::int64_t block = 256;
  bool weighted = false;
  std::int64_t max_weight = 1;
  double weight_growth = 0;
  bool shared = false;
  Negatives negatives = Negatives::kUniform;
  double negative_share = 1;
  ErrorLaw error = ErrorLaw::kSquared;
  std::int64_t max_literals = 0;
  std::int64_t fuzzy = 0;
  bool clamp = false;
  ClauseLength length = ClauseLength::kFeatures;
  std::int64_t include_limit = 0;
  double drop_clauses = 0;
  double drop_literals = 0;
  std::string patch = "";  // these three: falsum/patches.h
  std::string image = "";
  std::string stride = "1x1";
  std::int64_t snapshots = kAutomatic;
  std::uint64_t seed = 42;

  // Options of a run, which are not stored. `epochs` says how long to learn; after the same number of epochs the
  // machine is the same. The others never change the learned machine.
  std::int64_t epochs = kAutomatic;
  Engine engine = Engine::kAuto;
  std::int64_t threads = 0;
  std::string kernels = "auto";
  std::int64_t max_memory = 0;
};

enum class OptionScope {
  kMachine,  // makes the machine: cannot change while it learns
  kRun,      // may change with every run of the same machine
};

struct OptionInfo {
  using Field = std::variant<std::int64_t Options::*, double Options::*, bool Options::*, std::uint64_t Options::*,
                             std::string Options::*, Engine Options::*, Task Options::*, Negatives Options::*,
                             ErrorLaw Options::*, ClauseLength Options::*>;
  std::string_view name;  // the member above, and --name on the command line, with - for _
  std::string_view flag;  // a short flag without its dash, or empty
  Field field;
  double least, most;        // allowed range of numbers, inclusive
  std::string_view choices;  // of a text: "auto|scan|index"
  std::string_view help;
  OptionScope scope;
  bool may_be_auto = false;  // "auto": falsum/defaults.h chooses it
};

std::span<const OptionInfo> option_table();

/// The option of this name (the member's), or nullptr.
const OptionInfo* find_option(std::string_view name);

/// The options of one scope, in the order of the table.
std::vector<const OptionInfo*> options_of(OptionScope scope);

/// Copies the options of one scope from `from` to `to` and leaves the others unchanged.
void copy_options(OptionScope scope, const Options& from, Options& to);

/// The options with plain numbers instead of kAutomatic: 2000 clauses, T 50, s 10, 10 epochs, 1 snapshot. So a Machine
/// that is made without a look at the data takes them, and so readers of files do; the law of defaults is in
/// defaults.h.
Options with_plain_numbers(Options options);
/// with_plain_numbers({}): what "default" means where options are compared or stored.
const Options& neutral_options();

/// Throws ConfigError naming the parameter, its value and the allowed values. kAutomatic is allowed.
void validate(const Options& options);

/// Whether all outputs vote with the clauses of one bank: `clauses` then counts all of them. Else each class or label
/// has a bank of its own, half of its clauses for it and half against.
bool has_one_bank(const Options& options);
/// The banks of a machine with so many outputs: 1, or one for each output.
std::size_t count_banks(const Options& options, std::size_t outputs);
/// The votes of a clause of weight 1: one, or 256 where weights grow by fractions (weight_growth).
std::int64_t votes_of_one(const Options& options);
/// T in the same votes.
std::int64_t vote_target(const Options& options);
/// T in the votes of a model, whose clauses are those of `snapshots` epochs: vote_target() times their number.
std::int64_t vote_scale(const Options& options);
/// The most votes that a clause may have; 1 where clauses have no weights.
std::int64_t most_votes(const Options& options);

/// Whether clauses are fuzzy: they vote `fuzzy` minus their misses, also when they are empty.
inline bool is_fuzzy(const Options& options) { return options.fuzzy > 0; }
/// The state from which on an automaton of a fuzzy machine includes its literal.
std::int64_t include_limit(const Options& options);

/// Its name on the command line, without dashes in front: "max-memory".
std::string flag_name(const OptionInfo& option);

/// The value of one option as text: "256", "true", "auto".
std::string value_text(const OptionInfo& option, const Options& options);
/// Of its default.
std::string default_text(const OptionInfo& option);

/// The table in Markdown: docs/options.md holds exactly this, and a test checks it.
std::string options_markdown();

}  // namespace falsum
