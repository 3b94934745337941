// Probabilities on the command line: shared by `train`, `calibrate`, `evaluate`, `predict` and `inspect`.
#pragma once

#include <optional>
#include <string>

#include "command_line.h"
#include "falsum/calibration.h"
#include "falsum/model.h"
#include "json.h"

namespace falsum::cli {

/// --calibration temperature|isotonic. The value must outlive the parsing.
Argument add_calibration_method(const Verb& verb, CalibrationMethod& method);
/// --reject P. The value must outlive the parsing.
void add_reject(const Verb& verb, std::optional<double>& least);

/// "temperature 0.316, fitted to 6,000 rows".
std::string calibration_text(const Calibration& calibration);
/// Null for a model that is not calibrated.
Json calibration_json(const Calibration& calibration);
Json score_json(const ProbabilityScore& score);

/// Throws unless the model of this file answers with classes. what: "probabilities are".
void require_classes(const std::string& what, const Model& model, const std::string& path);

/// Says so if probabilities that decide about rejection are not calibrated.
void warn_if_not_calibrated(const Model& model);

}  // namespace falsum::cli
