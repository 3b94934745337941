// Values of load options as people write them, for everything that takes them as text: the command and the C interface.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "falsum/source.h"

namespace falsum {

/// "A,B" -> A and B.
std::vector<std::string> split_list(const std::string& list);

/// "A,B": these marks stand for missing values; "+A": A besides the usual ones.
std::vector<std::string> missing_marks_of(const std::string& text);

/// One of the characters `allowed`, itself or by its name (comma, tab, ...). Throws ConfigError that names the option.
char mark_of(const std::string& option, const std::string& text, std::string_view allowed);

/// "error" or "skip". Throws ConfigError that names the option.
BadRows bad_rows_of(const std::string& option, const std::string& text);

}  // namespace falsum
