// falsum calibrate: model + labelled data that it was not learned from -> the same model with calibrated probabilities.
#include <memory>
#include <string>
#include <vector>

#include "calibration.h"
#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/predictor.h"
#include "machine_options.h"
#include "paths.h"
#include "report.h"
#include "rows.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct CalibrateArguments {
  std::string model, data, output;
  CalibrationMethod method = CalibrationMethod::kTemperature;
  bool json = false;
  DataOptions data_options;
  MachineOptions machine;
};

int run_calibrate(const CalibrateArguments& arguments) {
  const Options& options = arguments.machine.options;
  validate(options);
  // The model is read before anything is written, and may be replaced.
  check_paths({{"DATA", arguments.data, Access::kRead}, {"-o", arguments.output, Access::kModel}});
  const Model model = Model::load(arguments.model);
  require_classes("calibration is", model, arguments.model);
  const LabelledData data = load_labelled(model, arguments.data, arguments.data_options);
  if (data.origin == model.provenance().data) {
    say(data.origin + " is what the model was learned from: its probabilities will be too sure on other data");
  }
  const std::span<const std::uint32_t> labels = data.targets.view().classes();
  const Predictor predictor(model, options.engine, options.kernels);
  const std::vector<std::int32_t> votes = predictor.votes(data.rows, static_cast<unsigned>(options.threads));
  const Model calibrated = model.calibrated(fit_calibration(arguments.method, votes, labels, model));
  const auto score = [&](const Model& by) {
    return score_probabilities(probabilities(votes, model.outputs(), vote_scale(model.options()), by.calibration()),
                               labels, model.outputs());
  };
  const ProbabilityScore before = score(model), after = score(calibrated);
  const std::string bytes = calibrated.to_bytes();
  write_file_atomically(arguments.output, bytes);

  if (arguments.json) {
    print_json({{"model", arguments.model},
                {"data", data.origin},
                {"samples", labels.size()},
                {"skipped_rows", data.skipped_rows},
                {"calibration", calibration_json(calibrated.calibration())},
                {"before", score_json(before)},
                {"after", score_json(after)},
                {"output", arguments.output},
                {"model_bytes", bytes.size()}});
    return 0;
  }
  fmt::print("{}: {}\n\n", data.origin, calibration_text(calibrated.calibration()));
  Table table({{"on these rows", Table::Align::kLeft}, {"log loss"}, {"calibration error"}});
  for (const auto& [when, found] : {std::pair("before", before), std::pair("after", after)}) {
    table.add({when, fmt::format("{:.4f}", found.log_loss), percent_text(found.calibration_error)});
  }
  fmt::print("{}saved {} ({})\n", table.text(), arguments.output, bytes_text(bytes.size()));
  return 0;
}

}  // namespace

Command add_calibrate(CommandLine& line) {
  auto arguments = std::make_shared<CalibrateArguments>();
  const Verb calibrate = line.add_verb("calibrate", "fit a model's probabilities to labelled data");
  calibrate.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  calibrate
      .add_text("DATA", arguments->data,
                "labelled data that the model was not learned from: a file, or a built-in name (its test split)")
      .required()
      .type_name("");
  calibrate.add_text("-o,--output", arguments->output, "where to save the calibrated model; may be MODEL")
      .required()
      .type_name("MODEL");
  add_calibration_method(calibrate, arguments->method);
  calibrate.add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(calibrate, {"engine", "threads", "kernels"});
  add_load_options(calibrate, arguments->data_options, false);
  return {calibrate, [arguments] { return run_calibrate(*arguments); }};
}

}  // namespace falsum::cli
