// How data are found, read and made Boolean, on the command line.
//
//   train               everything: --label, --header, --ignore, --levels, --vocabulary, --quantiles, ...
//   evaluate, predict   only how to find the data, and where a file differs from that of training; what else it
//                       means, and how values become features, is stored in the model
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "command_line.h"
#include "falsum/booleanizer.h"
#include "falsum/model.h"
#include "falsum/source.h"

namespace falsum::cli {

struct DataOptions {
  LoadOptions load;
  BooleanizeOptions booleanize;
  std::map<std::string_view, Argument> added;  // by name without dashes; filled by the functions below
  /// Whether the user gave this option; false for one that the command does not have.
  bool given(std::string_view name) const;
};

/// How a file is read: --label, --header, --ignore, --missing and so on; `training`: also --number and --category. The
/// object must outlive the parsing.
void add_load_options(const Verb& verb, DataOptions& options, bool training);

/// All of booleanize_option_table(): --levels, --quantiles, --vocabulary, --phrases, --select.
void add_booleanize_options(const Verb& verb, DataOptions& options);

/// Throws ConfigError if a booleanizing option was given that is for another kind of data.
void require_options_that_act(const DataOptions& options, const Source& source);

/// --data-directory alone.
void add_data_directory(const Verb& verb, std::string& directory);

/// A warning about a model that does not say how its data were read, or empty.
std::string doubt_about(const Model& model, const Source& source, const DataOptions& options);

}  // namespace falsum::cli
