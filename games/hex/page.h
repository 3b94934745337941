// The page to play on: one HTML file with the board, the machine's clauses and a search in plain JavaScript. It loads
// nothing and sends nothing.
#pragma once

#include <string>

#include "falsum/model.h"

namespace falsum::hex {

/// Throws ConfigError for a model that is not of Hex positions, and for fuzzy clauses.
std::string page_of(const Model& model);

}  // namespace falsum::hex
