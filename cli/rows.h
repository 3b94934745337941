// Shared by `predict` and `evaluate`: reports which engine voted, and why.
#pragma once

#include <string>

#include "command_line.h"
#include "falsum/predictor.h"

namespace falsum::cli {

/// --explain-engine. The flag must outlive the parsing.
void add_explain_engine(const Verb& verb, bool& flag);
/// "engine sliced: ..."
std::string explanation(const EngineChoice& engine);

}  // namespace falsum::cli
