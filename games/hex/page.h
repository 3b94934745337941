// The page to play on: one HTML file with the board, the machines' clauses and a search in plain JavaScript. It loads
// nothing and sends nothing.
#pragma once

#include <string>

#include "features.h"

namespace falsum::hex {

/// Throws ConfigError for fuzzy clauses.
std::string page_of(const Machines& machines);

}  // namespace falsum::hex
