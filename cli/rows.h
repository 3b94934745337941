// Shared by the commands that take a model and data: the data as the model's training read them, which engine voted on
// them, and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "data_options.h"
#include "falsum/predictor.h"

namespace falsum::cli {

/// Says which rows were left out and what became of them (`then`), and what is doubtful.
Source load_for_model(const Model& model, const std::string& data, const DataOptions& options, bool labelled,
                      std::string_view then = "");

/// Rows for a model and the right answers.
struct LabelledData {
  AnyRows rows;
  AnyTargets targets;
  std::string origin;
  std::size_t skipped_rows = 0;
  std::vector<std::string> texts = {};  // of documents
};

/// Throws DataError for data without labels. Says which rows were left out, and what is doubtful.
LabelledData load_labelled(const Model& model, const std::string& data, const DataOptions& options);

/// --explain-engine. The flag must outlive the parsing.
void add_explain_engine(const Verb& verb, bool& flag);
/// "engine sliced: ..."
std::string explanation(const EngineChoice& engine);

}  // namespace falsum::cli
