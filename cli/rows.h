// Shared by `predict`, `evaluate` and `calibrate`: data for a model, which engine voted on them, and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line.h"
#include "data_options.h"
#include "falsum/predictor.h"

namespace falsum::cli {

/// Rows for a model and the right answers.
struct LabelledData {
  AnyRows rows;
  AnyTargets targets;
  std::string origin;
  std::size_t skipped_rows = 0;
};

/// Throws DataError for data without labels. Says which rows were left out, and what is doubtful.
LabelledData load_labelled(const Model& model, const std::string& data, const DataOptions& options);

/// --explain-engine. The flag must outlive the parsing.
void add_explain_engine(const Verb& verb, bool& flag);
/// "engine sliced: ..."
std::string explanation(const EngineChoice& engine);

}  // namespace falsum::cli
