// falsum evaluate: model + labelled data -> accuracy, confusion and the work it took, in the paper's units.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration.h"
#include "command.h"
#include "data_options.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/pipeline.h"
#include "falsum/predictor.h"
#include "falsum/rules.h"
#include "literals/row_features.h"
#include "machine_options.h"
#include "report.h"
#include "rows.h"
#include "schema_report.h"
#include "stopwatch.h"
#include "support/format.h"
#include "training.h"

namespace falsum::cli {

namespace {

struct EvaluateArguments {
  std::string model, data;
  bool json = false, explain_engine = false, probabilities = false;
  std::optional<double> reject;
  DataOptions data_options;
  MachineOptions machine;
};

/// The paper's remarks: looking at every literal of every clause is the full work, and an index walks only the lists of
/// the false literals. That is a property of model and data, so it is reported for every engine; the counters below it
/// are the work of the engine in use.
struct Work {
  double list_entries = 0;                                                                 // per sample, by an index
  double words_compared = 0, entries_visited = 0, bitmaps_joined = 0, columns_joined = 0;  // by the engine in use
  double full = 0;  // classes x clauses x literals
  double share() const { return full > 0 ? list_entries / full : 0; }
};

double list_entries_per_sample(const Model& model, const Rows& rows) {
  if (model.patches()) return 0;  // an index would walk its lists for every patch
  std::vector<double> list_length(model.literals());
  for (const std::uint32_t literal : model.parts().literals) ++list_length[literal];
  const std::size_t n = model.features();
  double all_false = 0;  // a sample without any true feature
  for (std::size_t k = 0; k < n; ++k) all_false += list_length[k];
  const auto more = [&](std::size_t k) { return list_length[n + k] - list_length[k]; };
  double entries = all_false * static_cast<double>(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for_each_feature(rows, r, [&](std::size_t k) { entries += more(k); });
  }
  return rows.rows() == 0 ? 0 : entries / static_cast<double>(rows.rows());
}

Work work_of(const Model& model, const Rows& rows, const PredictCounters& counters) {
  const auto samples = static_cast<double>(std::max<std::uint64_t>(counters.samples, 1));
  return {list_entries_per_sample(model, rows),
          static_cast<double>(counters.words_compared) / samples,
          static_cast<double>(counters.entries_visited) / samples,
          static_cast<double>(counters.bitmaps_joined) / samples,
          static_cast<double>(counters.columns_joined) / samples,
          static_cast<double>(model.clauses()) * static_cast<double>(model.literals())};
}

using Confusion = std::vector<std::vector<std::uint64_t>>;  // [true class][predicted class]

Confusion confusion_of(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> predicted,
                       std::size_t classes) {
  Confusion confusion(classes, std::vector<std::uint64_t>(classes));
  for (std::size_t i = 0; i < truth.size(); ++i) ++confusion[truth[i]][predicted[i]];
  return confusion;
}

/// How good the probabilities are, and what is left if the unsure are rejected.
struct Sureness {
  ProbabilityScore score;
  std::size_t answered = 0, answered_correctly = 0;
  double coverage(std::size_t samples) const {
    return samples == 0 ? 0 : static_cast<double>(answered) / static_cast<double>(samples);
  }
  double answered_accuracy() const {
    return answered == 0 ? 0 : static_cast<double>(answered_correctly) / static_cast<double>(answered);
  }
};

Sureness sureness_of(const std::vector<double>& probabilities, std::span<const std::uint32_t> truth,
                     std::span<const std::uint32_t> predicted, std::optional<double> reject) {
  const std::size_t outputs = truth.empty() ? 1 : probabilities.size() / truth.size();
  Sureness sureness;
  sureness.score = score_probabilities(probabilities, truth, outputs);
  for (std::size_t r = 0; r < truth.size(); ++r) {
    if (probabilities[r * outputs + predicted[r]] < reject.value_or(0)) continue;
    ++sureness.answered;
    sureness.answered_correctly += predicted[r] == truth[r];
  }
  return sureness;
}

Json sureness_json(const Sureness& sureness, std::size_t samples, std::optional<double> reject) {
  Json json = score_json(sureness.score);
  if (!reject) return json;
  json["reject"] = *reject;
  json["answered"] = sureness.answered;
  json["coverage"] = sureness.coverage(samples);
  json["answered_accuracy"] = sureness.answered == 0 ? Json() : Json(sureness.answered_accuracy());
  return json;
}

void print_confusion(const Confusion& confusion, const std::vector<std::string>& labels) {
  std::vector<Table::Heading> headings = {{"true \\ predicted", Table::Align::kLeft}};
  for (const std::string& label : labels) headings.push_back({printable(label)});
  headings.push_back({"correct"});
  Table table(std::move(headings));
  for (std::size_t truth = 0; truth < labels.size(); ++truth) {
    std::vector<std::string> cells = {printable(labels[truth])};
    std::uint64_t total = 0;
    for (const std::uint64_t count : confusion[truth]) {
      total += count;
      cells.push_back(count == 0 ? "." : with_commas(count));
    }
    cells.push_back(
        total == 0 ? "-" : percent_text(static_cast<double>(confusion[truth][truth]) / static_cast<double>(total)));
    table.add(std::move(cells));
  }
  fmt::print("\n{}", table.text());
}

void print_scores(const std::vector<Score>& scores, const std::string& origin, std::size_t samples) {
  std::string more;  // scores besides the first
  for (const Score& score : std::span(scores).subspan(1)) {
    more += fmt::format("{}{} {:.4f}", more.empty() ? "" : ", ", score_title(score.name), score.value);
  }
  std::string right;
  if (scores.front().name == "accuracy") {
    const auto correct = std::llround(scores.front().value * static_cast<double>(samples));
    right = fmt::format("{} of {} correct", with_commas(static_cast<std::uint64_t>(correct)), with_commas(samples));
  } else {
    right = counted(samples, "sample", "samples");
  }
  fmt::print("{} {} on {}: {}{}{}\n", score_title(scores.front().name), bold(score_text(scores)), origin, right,
             more.empty() ? "" : "; ", more);
}

int run_evaluate(const EvaluateArguments& arguments) {
  const Options& options = arguments.machine.options;
  validate(options);
  const Model model = Model::load(arguments.model);
  const std::vector<std::string> labels = output_labels(model);
  const Stopwatch loading;
  const LabelledData data = load_labelled(model, arguments.data, arguments.data_options);
  const AnyRows& rows = data.rows;
  const Targets truth = data.targets.view();
  const bool is_classes = model.task() == Task::kClassification;
  if (arguments.probabilities || arguments.reject) require_classes("probabilities are", model, arguments.model);
  const double load_seconds = loading.seconds(), load_cpu_seconds = loading.cpu_seconds();

  const Stopwatch compiling;
  const Predictor predictor(model, options.engine, options.kernels);
  const double compile_seconds = compiling.seconds();
  PredictCounters counters;
  const auto threads = options.threads == 0 ? cpu_cores() : static_cast<unsigned>(options.threads);
  const Stopwatch predicting;
  const AnyTargets answers = predictor.answers(rows, threads, &counters);
  const double seconds = predicting.seconds(), cpu_seconds = predicting.cpu_seconds();

  const std::span<const std::uint32_t> predicted = answers.view().classes();
  const std::size_t samples = truth.size();
  const std::vector<Score> scores = falsum::scores(answers.view(), truth);
  const Confusion confusion = is_classes ? confusion_of(truth.classes(), predicted, model.outputs()) : Confusion{};
  const Work work = work_of(model, rows, counters);
  const EngineChoice engine = predictor.choice(samples, rows.view().is_sparse());
  std::optional<Sureness> sureness;
  if (arguments.probabilities || arguments.reject ||
      (is_classes && model.calibration().method != CalibrationMethod::kNone)) {
    sureness = sureness_of(predictor.probabilities(rows, threads), truth.classes(), predicted, arguments.reject);
  }
  if (arguments.reject) warn_if_not_calibrated(model);

  if (arguments.json) {
    Json report = {{"model", arguments.model}, {"data", data.origin}, {"task", name_of(model.task())}};
    for (const auto& [name, value] : scores) report[name] = value;
    report["samples"] = samples;
    report["skipped_rows"] = data.skipped_rows;
    report["calibration"] = calibration_json(model.calibration());
    report["probabilities"] = sureness ? sureness_json(*sureness, samples, arguments.reject) : Json();
    report["seconds"] = seconds;
    report["cpu_seconds"] = cpu_seconds;
    report["load_seconds"] = load_seconds;
    report["load_cpu_seconds"] = load_cpu_seconds;
    report["compile_seconds"] = compile_seconds;
    report["engine"] = engine.name;
    report["engine_reason"] = engine.reason;
    report["engine_bytes"] = predictor.bytes();
    report["kernels"] = predictor.kernels();
    report["threads"] = threads;
    report["labels"] = labels;
    report["confusion"] = confusion;
    report["work"] = {{"list_entries_per_sample", work.list_entries},
                      {"entries_visited_per_sample", work.entries_visited},
                      {"words_compared_per_sample", work.words_compared},
                      {"bitmaps_joined_per_sample", work.bitmaps_joined},
                      {"columns_joined_per_sample", work.columns_joined},
                      {"full_work_per_sample", static_cast<std::uint64_t>(work.full)},
                      {"share", work.share()}};
    report["peak_rss_bytes"] = peak_rss_bytes();
    print_json(report);
    return 0;
  }
  print_scores(scores, data.origin, samples);
  if (sureness) {
    fmt::print("probabilities: log loss {:.4f}, calibration error {} ({})\n", sureness->score.log_loss,
               percent_text(sureness->score.calibration_error),
               model.calibration().method == CalibrationMethod::kNone ? "not calibrated"
                                                                      : calibration_text(model.calibration()));
  }
  if (arguments.reject) {
    fmt::print("with --reject {}: {} of the samples answered, {} of those correctly\n", *arguments.reject,
               percent_text(sureness->coverage(samples)),
               sureness->answered == 0 ? "-" : percent_text(sureness->answered_accuracy()));
  }
  fmt::print("{}, {} a sample; engine {}, kernels {}, {}\n", seconds_text(seconds),
             seconds_text(samples == 0 ? 0 : seconds / static_cast<double>(samples)), engine.name, predictor.kernels(),
             counted(threads, "thread", "threads"));
  if (arguments.explain_engine) fmt::print("{}\n", explanation(engine));
  if (!is_fuzzy(model.options())) {  // fuzzy clauses have no such index
    fmt::print("an index visits {} list entries a sample, {:.2g} of all {} literals of all clauses\n",
               with_commas(static_cast<std::uint64_t>(std::llround(work.list_entries))), work.share(),
               with_commas(static_cast<std::uint64_t>(work.full)));
  }
  constexpr std::size_t kMostShown = 20;  // wider tables are not readable; --json has them
  if (is_classes && labels.size() <= kMostShown) print_confusion(confusion, labels);
  return 0;
}

}  // namespace

Command add_evaluate(CommandLine& line) {
  auto arguments = std::make_shared<EvaluateArguments>();
  const Verb evaluate = line.add_verb("evaluate", "test a model on labelled data");
  evaluate.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  evaluate.add_text("DATA", arguments->data, "a file, or a built-in name (its test split)").required().type_name("");
  evaluate.add_flag("--probabilities", arguments->probabilities,
                    "report how good the probabilities are, also of a model that is not calibrated");
  add_reject(evaluate, arguments->reject);
  evaluate.add_flag("--json", arguments->json, "report as one JSON document");
  arguments->machine.add(evaluate, {"engine", "threads", "kernels"});
  add_explain_engine(evaluate, arguments->explain_engine);
  add_load_options(evaluate, arguments->data_options, false);
  return {evaluate, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace falsum::cli
