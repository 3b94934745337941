#include "training.h"

#include <algorithm>
#include <utility>

#include "booleanize/mappings.h"
#include "falsum/cpu.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "falsum/pipeline.h"
#include "machine_options.h"
#include "progress.h"
#include "schema_report.h"
#include "stopwatch.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

/// Data too large for memory often have one column of ids; then the message names it.
template <class Work>
void naming_the_widest_column(const Booleanizer& booleanizer, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping());
    if (table == nullptr) throw;
    const auto widest =
        std::max_element(table->columns.begin(), table->columns.end(),
                         [](const auto& a, const auto& b) { return column_features(a) < column_features(b); });
    const std::size_t features = column_features(*widest);
    if (features < 1000 || 2 * features < booleanizer.features()) throw;
    const std::string name = column_name(*widest, static_cast<std::size_t>(widest - table->columns.begin()));
    throw DataError(
        fmt::format("{}; {} of the features are the different values of column {:?}, which --ignore leaves out",
                    error.what(), with_commas(features), name));
  }
}

LabelledRows load_test(const std::string& data, const DataOptions& options, const Task& task) {
  LoadOptions load = options.load;
  load.split = Split::kTest;
  load.schema = &task.schema;
  load.number.clear();  // these are in the schema
  load.ignore.clear();
  load.category.clear();
  const Source source = load_source(data, load);
  if (const std::string skipped = skipped_text(source.reading); !skipped.empty()) say(source.origin + ": " + skipped);
  return {task.booleanizer.transform(source), encode_labels(source, task.labels, task.schema.label_kind),
          source.origin};
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
    // The raw values are freed before the test data are loaded: text and images are far larger than their bits.
    Source source = load_source(data, reading.load);
    require_options_that_act(options, source);
    task.labels = classes_of(source);
    task.train.labels = encode_labels(source, task.labels);
    task.booleanizer = Booleanizer::fit(source, options.booleanize);
    naming_the_widest_column(task.booleanizer, [&] { task.train.rows = task.booleanizer.transform(source); });
    task.train.origin = source.origin;
    task.schema = std::move(source.schema);
    task.reading = std::move(source.reading);
  }
  const std::string test_data = test.empty() ? test_split_of(data) : test;
  if (!test_data.empty()) task.test = load_test(test_data, reading, task);
  return task;
}

void check_task_memory(const Options& options, const Task& task, const LearningUse& use) {
  naming_the_widest_column(task.booleanizer,
                           [&] { check_memory(options, task.booleanizer.features(), task.labels.size(), use); });
}

double share_correct(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& truth) {
  std::size_t correct = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) correct += predicted[i] == truth[i];
  return truth.empty() ? 0 : static_cast<double>(correct) / static_cast<double>(truth.size());
}

TestResult test(const Machine& machine, const LabelledRows& data, const Interrupt& interrupt) {
  const Stopwatch watch;
  const Predictor predictor(machine.model(), engine_for(machine.engine(), EngineTask::kPredict), machine.kernels());
  // Some rows at a time: a large machine takes seconds for all of them.
  const std::size_t clauses = machine.classes() * static_cast<std::size_t>(machine.options().clauses);
  const std::size_t together = std::max<std::size_t>(512 * machine.threads(), (std::size_t{1} << 27) / clauses);
  std::vector<std::uint32_t> predicted;
  for (std::size_t first = 0; first < data.rows.rows(); first += together) {
    if (interrupt.signal() != 0) return {std::nullopt, watch.seconds()};
    const std::size_t count = std::min(together, data.rows.rows() - first);
    const std::vector<std::uint32_t> some = predictor.predict(Rows(data.rows).part(first, count), machine.threads());
    predicted.insert(predicted.end(), some.begin(), some.end());
  }
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
      const TestResult tested = test(machine, *task.test, interrupt);
      if (tested.accuracy) {
        result.test_seconds = tested.seconds;
        result.test_accuracy = tested.accuracy;
        note = fmt::format("{} so far", percent_text(*tested.accuracy));
      }
    }
    progress.clear();
    after_epoch(result);
    if (!result.report.complete) return;
  }
}

Model finished_model(const Machine& machine, const Task& task, std::optional<double> test_accuracy) {
  return machine.model().described({task.labels, task.booleanizer, task.schema, task.train.origin, test_accuracy});
}

std::string headline(const Task& task, const Machine& machine) {
  const Options& options = machine.options();
  std::string text = schema_text(task.schema, task.booleanizer, task.train.origin, &task.reading);
  if (!text.empty()) text += "\n";
  text +=
      fmt::format("{}: {}, {}, {}", task.train.origin, counted(task.train.rows.rows(), "sample", "samples"),
                  counted(machine.features(), "feature", "features"), counted(machine.classes(), "class", "classes"));
  if (task.test) {
    text += fmt::format("; tested on {}: {}", task.test->origin, counted(task.test->rows.rows(), "sample", "samples"));
  } else {
    text += "; no test data, so no test accuracy (--test DATA)";
  }
  text += fmt::format("\n{} clauses per class, T {}, s {}, {} states{}, seed {}; engine {}, kernels {}, {}\n",
                      with_commas(static_cast<std::uint64_t>(options.clauses)), options.threshold, options.specificity,
                      options.states, unusual_options(options), options.seed, name_of(machine.engine()),
                      machine.kernels(), counted(machine.threads(), "thread", "threads"));
  return text;
}

Json task_schema_json(const Task& task) {
  Json json = schema_json(task.schema, task.booleanizer, &task.reading);
  json["rows"] = task.train.rows.rows();
  json["classes"] = task.labels.size();
  return json;
}

Json report_json(const Task& task, const Machine& machine) {
  Json json;
  json["data"] = task.train.origin;
  json["test_data"] = task.test ? Json(task.test->origin) : Json();
  json["samples"] = task.train.rows.rows();
  json["test_samples"] = task.test ? task.test->rows.rows() : 0;
  json["features"] = machine.features();
  json["classes"] = machine.classes();
  json["schema"] = task_schema_json(task);
  add_machine_options(json, machine.options());
  json["threads"] = machine.threads();
  json["engine"] = name_of(machine.engine());
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
