// How data are found, read and made Boolean, on the command line.
//
//   train               everything: --label, --levels, --vocabulary, --quantiles, ...
//   evaluate, predict   only how to find and read; how values become features is stored in the model
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "falsum/booleanizer.h"
#include "falsum/source.h"

namespace falsum::cli {

struct DataOptions {
  LoadOptions load;
  BooleanizeOptions booleanize;
  bool no_label = false;
};

/// --label, --data-directory, --data-seed. The object must outlive the parsing.
void add_load_options(CLI::App& app, DataOptions& options);

/// --levels, --quantiles, --vocabulary.
void add_booleanize_options(CLI::App& app, DataOptions& options);

/// --data-directory alone.
void add_data_directory(CLI::App& app, std::string& directory);

/// Load options for data that `booleanizer` will read: as many grey levels as it was fitted on.
LoadOptions load_options_for(const Booleanizer& booleanizer, const DataOptions& options);

}  // namespace falsum::cli
