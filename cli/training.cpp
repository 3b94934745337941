#include "training.h"

#include <fmt/format.h>

#include <utility>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "machine_options.h"
#include "progress.h"
#include "stopwatch.h"

namespace falsum::cli {

namespace {

void require_classes(const Source& source, const std::vector<std::string>& labels) {
  if (source.labels.empty()) {
    throw DataError(source.origin + " has no labels, and training needs at least 2 different ones");
  }
  if (labels.size() < 2) {
    throw DataError(fmt::format("{} has only the label {} in all its {}, and training needs at least 2 different ones",
                                source.origin, labels.front(), counted(source.rows(), "row", "rows")));
  }
}

LabelledRows load_test(const std::string& data, const DataOptions& options, const Task& task) {
  LoadOptions load = options.load;
  load.split = Split::kTest;
  const Source source = load_source(data, load);
  return {task.booleanizer.transform(source), encode_labels(source, task.labels), source.origin};
}

/// The test split that belongs to a built-in training split; empty for a file.
std::string test_split_of(const std::string& data) {
  if (!is_builtin(data) || data.ends_with(":test")) return "";
  return data.substr(0, data.find(':')) + ":test";
}

}  // namespace

Task load_task(const std::string& data, const std::string& test, const DataOptions& options) {
  Task task;
  DataOptions reading = options;
  reading.load.levels = options.booleanize.levels;
  reading.load.split = Split::kTrain;
  {
    // The raw values go before the test data come: text and images are far larger than their bits.
    const Source source = load_source(data, reading.load);
    task.labels = distinct_labels(source.labels);
    require_classes(source, task.labels);
    task.train.labels = encode_labels(source, task.labels);
    task.booleanizer = Booleanizer::fit(source, options.booleanize);
    task.train.rows = task.booleanizer.transform(source);
    task.train.origin = source.origin;
  }
  const std::string test_data = test.empty() ? test_split_of(data) : test;
  if (!test_data.empty()) task.test = load_test(test_data, reading, task);
  return task;
}

double share_correct(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& truth) {
  std::size_t correct = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) correct += predicted[i] == truth[i];
  return truth.empty() ? 0 : static_cast<double>(correct) / static_cast<double>(truth.size());
}

TestResult test(const Machine& machine, const LabelledRows& data) {
  const Stopwatch watch;
  // Looking ahead is for learning only.
  const std::string engine = machine.engine() == "lookahead" ? "auto" : machine.engine();
  const Predictor predictor(machine.model(), engine, machine.kernels());
  const std::vector<std::uint32_t> predicted = predictor.predict(data.rows, machine.threads());
  return {share_correct(predicted, data.labels), watch.seconds()};
}

void learn(Machine& machine, const Task& task, std::int64_t epochs, const Interrupt& interrupt,
           const std::function<void(const EpochResult&)>& after_epoch, const std::function<void()>& during_epoch) {
  const std::uint64_t first = machine.epoch();
  const auto last = static_cast<std::uint64_t>(epochs);
  std::string note;
  Progress progress("");
  while (machine.epoch() < last && interrupt.signal() == 0) {
    const std::uint64_t before = machine.epoch();
    progress.set_title(fmt::format("epoch {}/{}", before + 1, last));
    const auto overall = [&](double done) {
      return (static_cast<double>(before - first) + done) / static_cast<double>(last - first);
    };
    const Stopwatch watch;
    EpochResult result;
    result.report = machine.learn_epoch(task.train.rows, task.train.labels, [&](double done) {
      progress.update(overall(done), note);
      if (during_epoch) during_epoch();
      return interrupt.signal() == 0;
    });
    result.train_seconds = watch.seconds();
    result.train_cpu_seconds = watch.cpu_seconds();
    if (result.report.complete && task.test) {
      const TestResult tested = test(machine, *task.test);
      result.test_seconds = tested.seconds;
      result.test_accuracy = tested.accuracy;
      note = fmt::format("{} so far", percent_text(tested.accuracy));
    }
    progress.clear();
    after_epoch(result);
    if (!result.report.complete) return;
  }
}

Model finished_model(const Machine& machine, const Task& task, std::optional<double> test_accuracy) {
  Model model = machine.model();
  model.labels = task.labels;
  model.booleanizer = task.booleanizer;
  model.provenance.falsum_version = version();
  model.provenance.data = task.train.origin;
  model.provenance.samples = task.train.rows.rows();
  model.provenance.epochs = machine.epoch();
  if (test_accuracy) model.provenance.test_accuracy = *test_accuracy;
  return model;
}

std::string headline(const Task& task, const Machine& machine) {
  const Options& options = machine.options();
  std::string text =
      fmt::format("{}: {}, {}, {}", task.train.origin, counted(task.train.rows.rows(), "sample", "samples"),
                  counted(machine.features(), "feature", "features"), counted(machine.classes(), "class", "classes"));
  if (task.test) {
    text += fmt::format("; tested on {}: {}", task.test->origin, counted(task.test->rows.rows(), "sample", "samples"));
  } else {
    text += "; no test data, so no test accuracy (--test DATA)";
  }
  text += fmt::format("\n{} clauses per class, T {}, s {}, {} states{}, seed {}; engine {}, kernels {}, {}\n",
                      with_commas(static_cast<std::uint64_t>(options.clauses)), options.threshold, options.specificity,
                      options.states, options.boost ? "" : ", not boosted", options.seed, machine.engine(),
                      machine.kernels(), counted(machine.threads(), "thread", "threads"));
  return text;
}

Json report_json(const Task& task, const Machine& machine) {
  Json json;
  json["data"] = task.train.origin;
  json["test_data"] = task.test ? Json(task.test->origin) : Json();
  json["samples"] = task.train.rows.rows();
  json["test_samples"] = task.test ? task.test->rows.rows() : 0;
  json["features"] = machine.features();
  json["classes"] = machine.classes();
  for (const std::string_view name : kLearnedWith) json[std::string(name)] = value_of(machine.options(), name);
  json["threads"] = machine.threads();
  json["engine"] = machine.engine();
  json["kernels"] = machine.kernels();
  json["version"] = version();
  return json;
}

Json epoch_json(const EpochResult& result) {
  const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  const LearnCounters& counters = result.report.counters;
  return {{"epoch", result.report.epoch},
          {"complete", result.report.complete},
          {"train_seconds", result.train_seconds},
          {"train_cpu_seconds", result.train_cpu_seconds},
          {"test_seconds", or_null(result.test_seconds)},
          {"test_accuracy", or_null(result.test_accuracy)},
          {"mean_clause_length", result.report.mean_clause_length},
          {"flips", counters.flips},
          {"type_1a", counters.type_1a},
          {"type_1b", counters.type_1b},
          {"type_2", counters.type_2},
          {"evaluations", counters.evaluations},
          {"words_compared", counters.words_compared},
          {"entries_visited", counters.entries_visited},
          {"columns_joined", counters.columns_joined}};
}

// Fixed widths: lines are printed one by one, as the epochs end.
std::string epoch_heading() {
  return fmt::format("{:>5}  {:>9}  {:>9}  {:>13}  {:>13}  {:>13}\n", "epoch", "train", "test", "test accuracy",
                     "clause length", "flips");
}

std::string epoch_line(const EpochResult& result) {
  return fmt::format("{:>5}  {:>9}  {:>9}  {:>13}  {:>13.1f}  {:>13}{}\n", result.report.epoch,
                     seconds_text(result.train_seconds), result.test_seconds ? seconds_text(*result.test_seconds) : "-",
                     result.test_accuracy ? percent_text(*result.test_accuracy) : "-", result.report.mean_clause_length,
                     with_commas(result.report.counters.flips), result.report.complete ? "" : "  (stopped)");
}

}  // namespace falsum::cli
