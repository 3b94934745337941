// The machine's options on the command line, all made from option_table(): names, short flags, ranges
// and help stand there, defaults in Options, and neither is repeated here. Values are only parsed;
// whether they are allowed is the library's validate() to say, so that the message is the same everywhere.
#pragma once

#include <CLI/App.hpp>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "falsum/options.h"

namespace falsum::cli {

/// What decides the learned bits and is stored in models; the other options only say how to run.
inline constexpr std::string_view kLearnedWith[] = {"clauses", "threshold", "specificity", "states", "boost", "seed"};

class MachineOptions {
 public:
  Options options;  // values set before add() are the defaults shown in the help

  /// Adds the options named, or all of them. The object must outlive the parsing.
  void add(CLI::App& app, std::initializer_list<std::string_view> names = {});

  bool given(std::string_view name) const;

 private:
  void add_switch(CLI::App& app, const OptionInfo& info, bool Options::*field);
  std::multimap<std::string_view, const CLI::Option*> added_;  // a switch has two: --boost and --no-boost
};

/// The value of one option: a number, a bool or a text.
nlohmann::ordered_json value_of(const Options& options, std::string_view name);
nlohmann::ordered_json value_of(const Options& options, const OptionInfo& info);

/// "2..1000000", "1 or more", "auto|scan|index", or nothing for a switch.
std::string range_text(const OptionInfo& info);

}  // namespace falsum::cli
