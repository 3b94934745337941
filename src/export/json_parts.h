// The parts of a model as JSON, but for its clauses: docs/export.md describes the document.
#pragma once

#include "export/json_checks.h"
#include "falsum/model.h"

namespace falsum {

JsonValue schema_json(const Schema& schema);
Schema schema_from_json(const JsonPlace& json);
Booleanizer booleanizer_from_json(const JsonPlace& json);
JsonValue options_json(const Options& options);
Options options_from_json(const JsonPlace& json);
JsonValue provenance_json(const Provenance& provenance);
Provenance provenance_from_json(const JsonPlace& json);
JsonValue calibration_json(const Calibration& calibration);
Calibration calibration_from_json(const JsonPlace& json);

/// Null for a number that JSON does not have (not finite).
inline JsonValue number_json(double number) { return std::isfinite(number) ? JsonValue(number) : JsonValue(); }

}  // namespace falsum
