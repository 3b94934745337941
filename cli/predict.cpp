// falsum predict: model + data -> one label per line, on stdout or in a file that is complete or absent.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration.h"
#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/pipeline.h"
#include "falsum/predictor.h"
#include "falsum/row_stream.h"
#include "falsum/rules.h"
#include "literals/row_features.h"
#include "machine_options.h"
#include "paths.h"
#include "report.h"
#include "rows.h"
#include "schema_report.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct PredictArguments {
  std::string model, data, output;
  bool votes = false, probabilities = false, json = false, stream = false, explain_engine = false;
  std::optional<double> reject;
  DataOptions data_options;
  MachineOptions machine;
};

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A label as a line: a label that contains a line end is quoted as in CSV.
std::string line_of(const std::string& label) {
  return (label.find_first_of("\r\n") == std::string::npos && !label.starts_with('"') ? label : csv_cell(label)) + "\n";
}

/// Rows that were skipped or rejected have an empty answer: line 7 of the answers belongs to row 7.
class Answers {
 public:
  Answers(const Predictor& predictor, const std::vector<std::string>& labels, std::vector<std::int32_t> votes,
          const std::vector<std::uint64_t>& skipped)
      : labels_(labels),
        answers_(predictor.answers(votes)),
        texts_(answer_texts(answers_.view(), labels)),
        classes_(predictor.outputs()),
        votes_(std::move(votes)),
        rows_(texts_.size() + skipped.size(), kNone) {
    for (const std::uint64_t row : skipped) rows_[row] = kSkipped;
    std::size_t next = 0;
    for (std::size_t& row : rows_) {
      if (row != kSkipped) row = next++;
    }
  }
  /// Finds the probabilities; without a label remain the rows whose largest is below `reject`.
  void judge(const Model& model, std::optional<double> reject) {
    probabilities_ = falsum::probabilities(votes_, classes_, vote_scale(model.options()), model.calibration());
    reject_ = reject;
  }
  std::size_t rows() const { return rows_.size(); }
  bool skipped(std::size_t row) const { return rows_[row] == kSkipped; }
  bool rejected(std::size_t row) const {
    return reject_ && !skipped(row) && probabilities(row)[answers_.view().classes()[rows_[row]]] < *reject_;
  }
  bool answered(std::size_t row) const { return !skipped(row) && !rejected(row); }
  std::size_t count_rejected() const {
    std::size_t count = 0;
    for (std::size_t row = 0; row < rows(); ++row) count += rejected(row);
    return count;
  }
  /// A label; labels separated by `;`; or a number.
  const std::string& text(std::size_t row) const { return texts_[rows_[row]]; }
  /// The same as JSON: a text, an array of texts, or a number.
  Json json(std::size_t row) const {
    const Targets answers = answers_.view();
    if (answers.task() == Task::kClassification) return text(row);
    if (answers.task() == Task::kRegression) return answers.numbers()[rows_[row]];
    Json list = Json::array();
    for_each_feature(answers.labels(), rows_[row], [&](std::size_t label) { list.push_back(labels_[label]); });
    return list;
  }
  std::span<const std::int32_t> votes(std::size_t row) const {
    return {votes_.data() + rows_[row] * classes_, classes_};
  }
  std::span<const double> probabilities(std::size_t row) const {
    return {probabilities_.data() + rows_[row] * classes_, classes_};
  }

 private:
  static constexpr std::size_t kNone = 0, kSkipped = static_cast<std::size_t>(-1);
  std::vector<std::string> labels_;
  AnyTargets answers_;
  std::vector<std::string> texts_;
  std::size_t classes_;
  std::vector<std::int32_t> votes_;
  std::vector<std::size_t> rows_;  // the position of the answer
  std::vector<double> probabilities_;
  std::optional<double> reject_;
};

std::string as_lines(const Answers& answers) {
  std::string lines;
  for (std::size_t row = 0; row < answers.rows(); ++row) {
    lines += answers.answered(row) ? line_of(answers.text(row)) : "\n";
  }
  return lines;
}

std::string csv_heading(const std::vector<std::string>& labels, const PredictArguments& shown) {
  std::string csv = "label";
  const auto add = [&](const char* what) {
    for (const std::string& label : labels) csv += "," + csv_cell(what + label);
  };
  if (shown.votes) add("votes:");
  if (shown.probabilities) add("probability:");
  return csv + "\n";
}

std::string as_csv(const Answers& answers, const std::vector<std::string>& labels, const PredictArguments& shown) {
  std::string csv;
  for (std::size_t row = 0; row < answers.rows(); ++row) {
    const bool skipped = answers.skipped(row);
    if (answers.answered(row)) csv += csv_cell(answers.text(row));
    for (std::size_t c = 0; shown.votes && c < labels.size(); ++c) {
      csv += skipped ? "," : fmt::format(",{}", answers.votes(row)[c]);
    }
    for (std::size_t c = 0; shown.probabilities && c < labels.size(); ++c) {
      csv += skipped ? "," : fmt::format(",{:.6g}", answers.probabilities(row)[c]);
    }
    csv += "\n";
  }
  return csv;
}

std::string json_entry(const Answers& answers, std::size_t row, const PredictArguments& shown) {
  Json label;  // null for a row that has no answer
  if (answers.answered(row)) label = answers.json(row);
  if (answers.skipped(row) || (!shown.votes && !shown.probabilities)) return label.dump();
  Json entry = {{"label", label}};
  if (shown.votes) entry["votes"] = answers.votes(row);
  if (shown.probabilities) entry["probabilities"] = answers.probabilities(row);
  return entry.dump();
}

std::string as_json(const Answers& answers, const PredictArguments& shown) {
  // One prediction per line: documents of thousands of rows stay readable and diff well.
  std::string text = "[";
  for (std::size_t row = 0; row < answers.rows(); ++row) {
    text += (row == 0 ? "\n  " : ",\n  ") + json_entry(answers, row, shown);
  }
  return text + "\n]\n";
}

std::string rejected_text(std::uint64_t rejected, std::uint64_t rows, double reject) {
  return fmt::format("rejected {} of {}, whose largest probability is below {}; {}", with_commas(rejected),
                     counted(rows, "row", "rows"), reject,
                     rejected == 1 ? "its answer is empty" : "their answers are empty");
}

/// Answers every row before it waits for the next.
int run_stream(const PredictArguments& arguments, const Model& model, const Predictor& predictor) {
  const Schema schema = model.reading_schema();
  LoadOptions load = reading_options(model, schema, arguments.data_options.load);
  load.labelled = false;
  std::FILE* file = stdin;
  if (arguments.data != "-") {
    file = std::fopen(arguments.data.c_str(), "rb");
    if (file == nullptr) throw FileError(fmt::format("cannot read {}: {}", arguments.data, std::strerror(errno)));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closer(file == stdin ? nullptr : file, std::fclose);
  RowStream stream(file, arguments.data == "-" ? "standard input" : arguments.data, load);
  const std::vector<std::string> labels = output_labels(model);
  const bool table = arguments.votes || arguments.probabilities;
  if (table && !arguments.json) fmt::print("{}", csv_heading(labels, arguments));
  std::uint64_t rows = 0, left_out = 0, rejected = 0;
  while (const std::optional<Source> source = stream.next()) {
    if (rows++ == 0) {
      if (const std::string doubt = doubt_about(model, *source, arguments.data_options); !doubt.empty()) say(doubt);
    }
    std::vector<std::int32_t> sums;
    if (source->rows() > 0) sums = predictor.votes(model.booleanizer().rows(*source).view());
    if (!source->reading.skipped.empty() && left_out++ == 0)
      say(skipped_text(source->reading) + "; others are not named");
    Answers answers(predictor, labels, std::move(sums), std::vector<std::uint64_t>(source->rows() == 0 ? 1 : 0));
    if (arguments.probabilities || arguments.reject) answers.judge(model, arguments.reject);
    rejected += answers.count_rejected();
    const std::string answer = arguments.json ? json_entry(answers, 0, arguments) + "\n"
                               : table        ? as_csv(answers, labels, arguments)
                                              : as_lines(answers);
    fmt::print("{}", stdout_is_terminal() ? printable_lines(answer) : answer);
    if (std::fflush(stdout) != 0)
      throw FileError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
  if (rejected > 0) say(rejected_text(rejected, rows, *arguments.reject));
  if (left_out > 1) say(fmt::format("left out {} in all", counted(left_out, "row", "rows")));
  return 0;
}

int run_predict(const PredictArguments& arguments) {
  const Options& options = arguments.machine.options;
  validate(options);
  check_paths({{"MODEL", arguments.model, Access::kRead},
               {"DATA", arguments.data, Access::kRead},
               {"-o", arguments.output, Access::kAnswers}});
  const Model model = Model::load(arguments.model);
  const Predictor predictor(model, options.engine, options.kernels);
  if (arguments.reject || arguments.probabilities) require_classes("probabilities are", model, arguments.model);
  if (arguments.reject) warn_if_not_calibrated(model);
  if (arguments.stream) return run_stream(arguments, model, predictor);
  const Source source =
      load_for_model(model, arguments.data, arguments.data_options, false, "; their answers are empty");
  const AnyRows rows = model.booleanizer().rows(source);
  const std::size_t samples = rows.view().rows();
  const std::vector<std::string> labels = output_labels(model);
  Answers answers(predictor, labels, predictor.votes(rows, static_cast<unsigned>(options.threads)),
                  source.reading.skipped);
  if (arguments.probabilities || arguments.reject) answers.judge(model, arguments.reject);
  const std::size_t rejected = answers.count_rejected();
  if (rejected > 0) say(rejected_text(rejected, samples, *arguments.reject));

  const std::string text = arguments.json ? as_json(answers, arguments)
                           : arguments.votes || arguments.probabilities
                               ? csv_heading(labels, arguments) + as_csv(answers, labels, arguments)
                               : as_lines(answers);
  const EngineChoice engine = predictor.choice(samples, rows.view().is_sparse());
  if (arguments.explain_engine) say(explanation(engine));  // stdout has only the labels
  if (arguments.output.empty()) {
    fmt::print("{}", stdout_is_terminal() ? printable_lines(text) : text);
    return 0;
  }
  write_file_atomically(arguments.output, text);
  if (arguments.json) {
    Json report = {{"samples", samples}};
    if (arguments.reject) report["rejected"] = rejected;
    report["output"] = arguments.output;
    report["engine"] = engine.name;
    report["engine_reason"] = engine.reason;
    print_json(report);
  } else {
    fmt::print("wrote {} to {}\n", counted(samples, "prediction", "predictions"), arguments.output);
  }
  return 0;
}

}  // namespace

Command add_predict(CommandLine& line) {
  auto arguments = std::make_shared<PredictArguments>();
  const Verb predict = line.add_verb("predict", "label new data with a model");
  predict.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  predict.add_text("DATA", arguments->data, "a file, - for standard input, or a built-in name (its test split)")
      .required()
      .type_name("");
  const Argument output =
      predict.add_text("-o,--output", arguments->output, "write there instead of to standard output").type_name("FILE");
  predict.add_flag("--votes", arguments->votes, "CSV with the votes of every class beside the label");
  predict.add_flag("--probabilities", arguments->probabilities,
                   "CSV with the probability of every class beside the label");
  add_reject(predict, arguments->reject);
  predict.add_flag("--json", arguments->json, "a JSON array, one entry a row");
  predict
      .add_flag("--stream", arguments->stream,
                "answer every row as soon as it arrives: lines of CSV or SVMlight; with --json an entry a line")
      .excludes(output);
  arguments->machine.add(predict, {"engine", "threads", "kernels"});
  add_explain_engine(predict, arguments->explain_engine);
  add_load_options(predict, arguments->data_options, false);
  predict
      .add_flag("--no-label,--no-labels", arguments->data_options.load.no_label,
                "CSV: the data have no label column (default: inferred from names, or from the number of columns)")
      .group("Data");
  return {predict, [arguments] { return run_predict(*arguments); }};
}

}  // namespace falsum::cli
