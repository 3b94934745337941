// The options that benchmarks of trained machines share: which data, which machine, how long to train it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "falsum/falsum.h"

namespace falsum::bench {

struct MachineOptions {
  std::string data = "mnist";
  BooleanizeOptions booleanize;
  Options options;
};

inline void add_machine_options(CLI::App& app, MachineOptions& machine) {
  Options& options = machine.options;
  app.add_option("--data", machine.data, "a built-in data set")->capture_default_str();
  app.add_option("--levels", machine.booleanize.levels, "grey levels of images")->capture_default_str();
  app.add_option("--vocabulary", machine.booleanize.vocabulary, "words of imdb")->capture_default_str();
  app.add_option("--phrases", machine.booleanize.phrases, "words of imdb in a row at most")->capture_default_str();
  app.add_option("--select", machine.booleanize.select, "words of imdb: frequent or chi2")->capture_default_str();
  app.add_option("--clauses", options.clauses)->capture_default_str();
  app.add_option("-T,--threshold", options.threshold)->capture_default_str();
  app.add_option("-s,--specificity", options.specificity)->capture_default_str();
  app.add_option("--fuzzy", options.fuzzy, "votes of a fuzzy clause")->capture_default_str();
  app.add_option("--max-literals", options.max_literals)->capture_default_str();
  app.add_option("--include-limit", options.include_limit)->capture_default_str();
  app.add_flag("--shared", options.shared);
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--epochs", options.epochs, "to bring the machine to its trained state")->capture_default_str();
}

/// How many interleaved rounds.
inline void add_rounds(CLI::App& app, int& rounds) {
  app.add_option("--rounds", rounds)->capture_default_str()->check(CLI::Range(1, 1000))->take_last();
}

}  // namespace falsum::bench
