#include "calibration.h"

#include "falsum/error.h"
#include "parse_number.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

Argument add_calibration_method(const Verb& verb, CalibrationMethod& method) {
  return verb
      .add_text(
          "--calibration", [&method](const std::string& name) { method = calibration_named(name); },
          "how votes become probabilities: temperature, one number, or isotonic, a curve for each class, for a "
          "thousand rows and more (default temperature)")
      .type_name("METHOD");
}

void add_reject(const Verb& verb, std::optional<double>& least) {
  verb.add_text(
          "--reject", [&least](const std::string& text) { least = parse_number_within<double>("reject", text, 0, 1); },
          "give no answer to rows whose largest probability is below P")
      .type_name("P");
}

std::string calibration_text(const Calibration& calibration) {
  std::string text(name_of(calibration.method));
  if (calibration.method == CalibrationMethod::kTemperature) text += fmt::format(" {:.3g}", calibration.temperature);
  return text + ", fitted to " + counted(calibration.rows, "row", "rows");
}

Json calibration_json(const Calibration& calibration) {
  if (calibration.method == CalibrationMethod::kNone) return {};
  Json json = {{"method", name_of(calibration.method)}, {"rows", calibration.rows}};
  if (calibration.method == CalibrationMethod::kTemperature) json["temperature"] = calibration.temperature;
  if (calibration.method == CalibrationMethod::kIsotonic) {
    std::size_t points = 0;
    for (const auto& curve : calibration.curves) points += curve.size();
    json["points"] = points;
  }
  return json;
}

Json score_json(const ProbabilityScore& score) {
  return {{"log_loss", score.log_loss}, {"calibration_error", score.calibration_error}};
}

void require_classes(const std::string& what, const Model& model, const std::string& path) {
  if (model.task() == Task::kClassification) return;
  throw ConfigError(fmt::format("{} for classes, and the task of {} is {}", what, path, name_of(model.task())));
}

void warn_if_not_calibrated(const Model& model) {
  if (model.calibration().method != CalibrationMethod::kNone) return;
  say("the model is not calibrated, so its probabilities are rough; falsum calibrate fits them to data");
}

}  // namespace falsum::cli
