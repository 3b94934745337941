// The machine's options on the command line, all made from option_table(): names, short flags, ranges and help are in
// the table, defaults in Options, and neither is repeated here. Values are only parsed here; the library's validate()
// checks them, so that the message is the same everywhere.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "command_line.h"
#include "falsum/options.h"
#include "json.h"

namespace falsum::cli {

class MachineOptions {
 public:
  Options options;  // values set before add() are the defaults shown in the help

  /// Adds the options named, or all of them. The object must outlive the parsing.
  void add(const Verb& verb, std::initializer_list<std::string_view> names = {});

  bool given(std::string_view name) const;

 private:
  void add_switch(const Verb& verb, const OptionInfo& info, bool Options::*field);
  std::multimap<std::string_view, Argument> added_;  // a switch has two: --boost and --no-boost
};

/// The value of one option: a number, a bool or a text.
Json value_of(const Options& options, const OptionInfo& info);

/// "10", or "2:10" for a range.
std::string specificity_text(const Options& options);

/// ", not boosted, sharded, max_weight 16": the options that are not at their defaults, besides clauses, T, s, states
/// and seed.
std::string unusual_options(const Options& options);

/// Adds to a report the options that make the machine.
void add_machine_options(Json& json, const Options& options);

/// "2..1000000", "1 or more", "auto|scan|index", or nothing for a switch.
std::string range_text(const OptionInfo& info);

}  // namespace falsum::cli
