// falsum prune: model + labelled data -> a smaller model that answers them about as well.
#include "falsum/prune.h"

#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "parse_number.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "rows.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct PruneArguments {
  std::string model, data, output;
  double within = 0.5;
  bool lossless = false, json = false;
  DataOptions data_options;
};

Json size_json(const ClauseSize& size, std::size_t bytes) {
  return {{"clauses", size.clauses}, {"literals", size.literals}, {"model_bytes", bytes}};
}

int run_prune(const PruneArguments& arguments) {
  // The model is read before anything is written, and may be replaced.
  check_paths({{"DATA", arguments.data, Access::kRead}, {"-o", arguments.output, Access::kModel}});
  if (arguments.data.empty() != arguments.lossless) {
    throw ConfigError(arguments.lossless ? "--lossless looks at no data: leave DATA out"
                                         : "DATA is needed to say which clauses matter; --lossless works without");
  }
  const Model model = Model::load(arguments.model);
  const Merged merged = merge_clauses(model);
  std::optional<Pruned> pruned;
  std::string origin;
  bool drops_calibration = false;
  if (!arguments.lossless) {
    const LabelledData data = load_labelled(model, arguments.data, arguments.data_options);
    origin = data.origin;
    pruned = prune(model, data.rows, data.targets.view(), data.origin, {.within = arguments.within});
    drops_calibration = model.calibration().method != CalibrationMethod::kNone;
  }
  const Model& small = pruned ? pruned->model : merged.model;
  const std::string bytes = small.to_bytes();
  write_file_atomically(arguments.output, bytes);
  if (drops_calibration) say("the probabilities were fitted to votes that are no more: run falsum calibrate again");
  const std::size_t bytes_before = model.to_bytes().size(), bytes_merged = merged.model.to_bytes().size();
  const bool is_number = model.task() == Task::kRegression;
  const char* const score = is_number ? "rmse" : "accuracy";
  if (arguments.json) {
    Json report = {{"model", arguments.model}, {"before", size_json(merged.before, bytes_before)}};
    report["merged"] = size_json(merged.after, bytes_merged);
    report["empty"] = merged.empty;
    report["contradictory"] = merged.contradictory;
    report["equal"] = merged.equal;
    report["cancelled"] = merged.cancelled;
    if (pruned) {
      report["data"] = origin;
      report["within"] = arguments.within;
      report["after"] = size_json(pruned->after, bytes.size());
      report[std::string(score) + "_before"] = pruned->score_before;
      report[std::string(score) + "_after"] = pruned->score_after;
      report["calibration_dropped"] = drops_calibration;
    }
    report["output"] = arguments.output;
    print_json(report);
    return 0;
  }
  const auto shown = [&](double value) { return is_number ? fmt::format("{:.5g}", value) : percent_text(value); };
  std::vector<Table::Heading> headings = {{"", Table::Align::kLeft}, {"clauses"}, {"literals"}, {"file"}};
  if (pruned) headings.push_back({std::string(is_number ? "RMSE" : "accuracy") + " on " + printable(origin)});
  Table table(std::move(headings));
  const auto add = [&](const char* name, const ClauseSize& size, std::size_t file, double value) {
    std::vector<std::string> cells = {name, with_commas(size.clauses), with_commas(size.literals), bytes_text(file)};
    if (pruned) cells.push_back(shown(value));
    table.add(std::move(cells));
  };
  add("before", merged.before, bytes_before, pruned ? pruned->score_before : 0);
  add("merged", merged.after, bytes_merged, pruned ? pruned->score_before : 0);
  if (pruned) add("pruned", pruned->after, bytes.size(), pruned->score_after);
  fmt::print(
      "{}\nmerging changes no vote: {} empty, {} that contradict themselves, {} equal to another, {} that cancel\n",
      table.text(), with_commas(merged.empty), with_commas(merged.contradictory), with_commas(merged.equal),
      with_commas(merged.cancelled));
  if (pruned) {
    fmt::print("{} chose the clauses that are left: test the model on other rows\n", printable(origin));
  }
  fmt::print("saved {} ({})\n", arguments.output, bytes_text(bytes.size()));
  return 0;
}

}  // namespace

Command add_prune(CommandLine& line) {
  auto arguments = std::make_shared<PruneArguments>();
  const Verb prune = line.add_verb("prune", "make a model smaller: merge clauses, leave out those that matter least");
  prune.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  prune
      .add_text("DATA", arguments->data,
                "labelled rows that say which clauses matter: a file, or a built-in name (its test split; mnist:train)")
      .type_name("");
  prune.add_text("-o,--output", arguments->output, "where to save the smaller model; may be MODEL")
      .required()
      .type_name("MODEL");
  prune
      .add_text(
          "--within",
          [arguments](const std::string& text) {
            arguments->within = parse_number_within<double>("within", text, 0, 100);
          },
          "how much worse it may answer DATA: percentage points of accuracy, or percent of the RMSE (default 0.5)")
      .type_name("X");
  prune.add_flag("--lossless", arguments->lossless, "only merge clauses: every vote stays; without DATA");
  prune.add_flag("--json", arguments->json, "report as one JSON document");
  add_load_options(prune, arguments->data_options, false);
  return {prune, [arguments] { return run_prune(*arguments); }};
}

}  // namespace falsum::cli
