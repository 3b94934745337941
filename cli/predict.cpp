// falsum predict: model + data -> one label a line, on stdout or in a file that is complete or not there.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/predictor.h"
#include "machine_options.h"
#include "report.h"
#include "rows.h"
#include "rules.h"
#include "support/file.h"

namespace falsum::cli {

namespace {

struct PredictArguments {
  std::string model, data, output;
  bool votes = false, json = false, explain_engine = false;
  DataOptions data_options;
  MachineOptions machine;
};

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// People predict on files with the label column and without it. Unless told, try the first, then the second;
/// the model knows how many columns it wants, so at most one of them fits.
AnyRows load_rows(const Model& model, const PredictArguments& arguments) {
  LoadOptions load = load_options_for(model.booleanizer, arguments.data_options);
  const auto read = [&] { return transform(model.booleanizer, load_source(arguments.data, load)); };
  if (!load.labelled || is_builtin(arguments.data)) return read();
  try {
    return read();
  } catch (const Error&) {
    load.labelled = false;
    try {
      return read();
    } catch (const Error&) {
    }
    throw;
  }
}

std::string as_lines(const std::vector<std::uint32_t>& predicted, const std::vector<std::string>& labels) {
  std::string lines;
  for (const std::uint32_t class_id : predicted) lines += labels[class_id] + "\n";
  return lines;
}

std::string as_csv(const std::vector<std::uint32_t>& predicted, const std::vector<std::int32_t>& votes,
                   const std::vector<std::string>& labels) {
  std::string csv = "label";
  for (const std::string& label : labels) csv += "," + csv_cell("votes:" + label);
  csv += "\n";
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    csv += csv_cell(labels[predicted[row]]);
    for (std::size_t c = 0; c < labels.size(); ++c) csv += fmt::format(",{}", votes[row * labels.size() + c]);
    csv += "\n";
  }
  return csv;
}

std::string as_json(const std::vector<std::uint32_t>& predicted, const std::vector<std::int32_t>& votes,
                    const std::vector<std::string>& labels, bool with_votes) {
  // One prediction a line: documents of thousands of rows stay readable and diff well.
  std::string text = "[";
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    Json entry = labels[predicted[row]];
    if (with_votes) {
      const auto first = votes.begin() + static_cast<std::ptrdiff_t>(row * labels.size());
      const std::vector<std::int32_t> sums(first, first + static_cast<std::ptrdiff_t>(labels.size()));
      entry = Json{{"label", labels[predicted[row]]}, {"votes", sums}};
    }
    text += (row == 0 ? "\n  " : ",\n  ") + entry.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n]\n";
}

int run_predict(const PredictArguments& arguments) {
  const Options& options = arguments.machine.options;
  validate(options);
  if (!arguments.output.empty()) check_writable(arguments.output);
  const Model model = Model::load(arguments.model);
  const Predictor predictor(model, options.engine, options.kernels);
  const AnyRows rows = load_rows(model, arguments);
  const std::vector<std::int32_t> sums = votes(predictor, rows, static_cast<unsigned>(options.threads));
  const std::vector<std::uint32_t> predicted = winners(sums, predictor.classes());
  const std::vector<std::string> labels = class_names(model);

  const std::string text = arguments.json    ? as_json(predicted, sums, labels, arguments.votes)
                           : arguments.votes ? as_csv(predicted, sums, labels)
                                             : as_lines(predicted, labels);
  const EngineChoice engine = predictor.choice(predicted.size(), is_sparse(rows));
  if (arguments.explain_engine) fmt::print(stderr, "{}\n", explanation(engine));  // labels are alone on stdout
  if (arguments.output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  write_file_atomically(arguments.output, text);
  if (arguments.json) {
    print_json({{"samples", predicted.size()},
                {"output", arguments.output},
                {"engine", engine.name},
                {"engine_reason", engine.reason}});
  } else {
    fmt::print("wrote {} to {}\n", counted(predicted.size(), "prediction", "predictions"), arguments.output);
  }
  return 0;
}

}  // namespace

Command add_predict(CLI::App& app) {
  auto arguments = std::make_shared<PredictArguments>();
  CLI::App* predict = app.add_subcommand("predict", "label new data with a model");
  predict->add_option("MODEL", arguments->model, "a file that falsum train made")->required()->type_name("");
  predict->add_option("DATA", arguments->data, "a file, or a built-in name (its test split)")
      ->required()
      ->type_name("");
  predict->add_option("-o,--output", arguments->output, "write there instead of to standard output")->type_name("FILE");
  predict->add_flag("--votes", arguments->votes, "CSV with the votes of every class beside the label");
  predict->add_flag("--json", arguments->json, "a JSON array, one entry a row");
  arguments->machine.add(*predict, {"engine", "threads", "kernels"});
  add_explain_engine(*predict, arguments->explain_engine);
  add_load_options(*predict, arguments->data_options);
  predict
      ->add_flag("--no-label,--no-labels", arguments->data_options.no_label,
                 wrap("the data have no label column (default: found out by the number of columns)", kHelpWidth))
      ->group("Data");
  return {predict, [arguments] { return run_predict(*arguments); }};
}

}  // namespace falsum::cli
