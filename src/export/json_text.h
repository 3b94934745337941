// JSON for exports: what nlohmann's library is, with keys in the order they came.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "export/vectors.h"
#include "falsum/booleanizer.h"

namespace falsum {

using JsonValue = nlohmann::ordered_json;

/// How raw values become features; null for a model of bits without names.
JsonValue booleanizer_json(const Booleanizer& booleanizer);
/// {"rows": [[true features]...], "votes": [[...]...]}, and "raw" with "raw_votes" where there are raw values.
JsonValue vectors_json(const TestVectors& vectors);

/// On one line. Throws ConfigError for text that is not UTF-8, which JSON cannot hold.
std::string json_line(const JsonValue& json);

}  // namespace falsum
