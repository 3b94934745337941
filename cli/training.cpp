#include "training.h"

#include <algorithm>
#include <utility>

#include "booleanize/mappings.h"
#include "data/option_text.h"
#include "falsum/cpu.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "falsum/hold_out.h"
#include "falsum/pipeline.h"
#include "falsum/row_weights.h"
#include "machine_options.h"
#include "parse_number.h"
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

/// Packed: a text is learned a little faster than as sparse rows. Rows of a mapped file stay there.
AnyRows rows_of(const Booleanizer& booleanizer, const Source& source) {
  if (source.packed() != nullptr) return booleanizer.rows(source);
  return booleanizer.transform(source);
}

LabelledRows load_test(const std::string& data, const DataOptions& options, const TrainingJob& job) {
  LoadOptions load = options.load;
  load.split = Split::kTest;
  load.schema = &job.schema;
  load.weight.clear();  // test rows count once
  load.number.clear();  // these are in the schema
  load.ignore.clear();
  load.category.clear();
  const Source source = load_source(data, load);
  if (const std::string skipped = skipped_text(source.reading); !skipped.empty()) say(source.origin + ": " + skipped);
  return {rows_of(job.booleanizer, source), targets_of(source, job.task, job.labels, job.schema.label_kind),
          source.origin};
}

/// The test split that belongs to a built-in training split; empty for a file.
std::string test_split_of(const std::string& data) {
  if (!is_builtin(data) || data.ends_with(":test")) return "";
  return data.substr(0, data.find(':')) + ":test";
}

}  // namespace

TrainingJob load_job(const std::string& data, const std::string& test, const DataOptions& options, Task kind) {
  TrainingJob job;
  job.task = kind;
  DataOptions reading = options;
  reading.load.levels = options.booleanize.levels;
  reading.load.split = Split::kTrain;
  reading.load.task = kind;
  {
    // The raw values are freed before the test data are loaded: text and images are far larger than their bits.
    Source source = load_source(data, reading.load);
    require_options_that_act(options, source);
    job.labels = outputs_of(source, kind);
    job.train.targets = targets_of(source, kind, job.labels);
    job.booleanizer = Booleanizer::fit(source, options.booleanize, job.task);
    naming_the_widest_column(job.booleanizer, [&] { job.train.rows = rows_of(job.booleanizer, source); });
    job.train.origin = source.origin;
    job.schema = std::move(source.schema);
    job.reading = std::move(source.reading);
  }
  const std::string test_data = test.empty() ? test_split_of(data) : test;
  if (!test_data.empty()) job.test = load_test(test_data, reading, job);
  return job;
}

void weigh_classes(TrainingJob& job, const std::string& text) {
  const Targets targets = job.train.targets.view();
  if (targets.task() != Task::kClassification) {
    throw ConfigError(fmt::format("--class-weight is for classes, and the task is {}", name_of(targets.task())));
  }
  if (text == "balanced") {
    job.class_weights = balanced_class_weights(targets, job.labels.size());
  } else {
    job.class_weights.assign(job.labels.size(), 1);
    for (const std::string& part : split_list(text)) {
      const std::size_t equals = part.rfind('=');
      if (equals == std::string::npos) {
        throw ConfigError(fmt::format("class-weight must be balanced or LABEL=WEIGHT,..., got {:?}", part));
      }
      const auto label = std::ranges::find(job.labels, part.substr(0, equals));
      if (label == job.labels.end()) {
        throw ConfigError(fmt::format("class-weight names the label {:?}, which {} does not have",
                                      part.substr(0, equals), job.train.origin));
      }
      const double weight = parse_number<double>("class-weight", part.substr(equals + 1), "finite and at least 0");
      if (weight < 0) {  // it is finite
        throw ConfigError(fmt::format("class-weight must be finite and at least 0, got {}", part));
      }
      job.class_weights[static_cast<std::size_t>(label - job.labels.begin())] = weight;
    }
  }
  job.train.targets.set_weights(times_class_weights(targets, job.class_weights));
  check_row_weights(job.train.targets.view().weights(), targets.size());
}

void hold_out(TrainingJob& job, double share, std::uint64_t seed) {
  const std::vector<bool> held = [&] {
    const Targets targets = job.train.targets.view();
    if (targets.task() == Task::kClassification) return held_out_rows(targets.classes(), share, seed);
    return held_out_rows(std::vector<std::uint32_t>(targets.size()), share, seed);  // no classes to keep apart
  }();
  std::vector<bool> learned = held;
  learned.flip();
  const auto some = [&](const std::vector<bool>& wanted) {
    return LabelledRows{job.train.rows.some(wanted), job.train.targets.part(wanted), job.train.origin};
  };
  job.held_out = some(held);
  job.train = some(learned);
}

void check_job_memory(const Options& options, const TrainingJob& job, const LearningUse& use) {
  naming_the_widest_column(job.booleanizer,
                           [&] { check_memory(options, job.booleanizer.features(), job.outputs(), use); });
}

std::string score_title(std::string_view name) {
  if (name == "rmse") return "RMSE";
  if (name == "mae") return "MAE";
  if (name == "r2") return "R2";
  if (name == "f1") return "F1";
  std::string title(name);
  std::ranges::replace(title, '_', ' ');
  return title;
}

std::string score_text(const std::vector<Score>& scores) {
  if (scores.empty()) return "-";
  const auto& [name, value] = scores.front();
  return name == "accuracy" ? percent_text(value) : fmt::format("{:.5g}", value);
}

std::string clauses_text(const Options& options) {
  return fmt::format("{} clauses {}", with_commas(static_cast<std::uint64_t>(options.clauses)),
                     has_one_bank(options)               ? "in all"
                     : options.task == Task::kMultilabel ? "per label"
                                                         : "per class");
}

std::string outputs_text(const Options& options, std::size_t outputs) {
  if (options.task == Task::kRegression) return "numbers";
  if (options.task == Task::kMultilabel) return counted(outputs, "label", "labels");
  return counted(outputs, "class", "classes");
}

TestResult test(const Machine& machine, const LabelledRows& data, const Interrupt& interrupt) {
  const Stopwatch watch;
  const Predictor predictor(machine.model(), engine_for(machine.engine(), EngineTask::kPredict), machine.kernels());
  // Some rows at a time: a large machine takes seconds for all of them.
  const std::size_t clauses =
      count_banks(machine.options(), machine.outputs()) * static_cast<std::size_t>(machine.options().clauses);
  const std::size_t together = std::max<std::size_t>(512 * machine.threads(), (std::size_t{1} << 27) / clauses);
  std::vector<std::uint32_t> classes;
  std::vector<std::int32_t> votes;
  const auto append = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
  for (std::size_t first = 0; first < data.rows.rows(); first += together) {
    if (interrupt.signal() != 0) return {{}, watch.seconds()};
    const Rows some = Rows(data.rows).part(first, std::min(together, data.rows.rows() - first));
    if (predictor.task() == Task::kClassification) {  // faster than votes
      append(classes, predictor.predict(some, machine.threads()));
    } else {
      append(votes, predictor.votes(some, machine.threads()));
    }
  }
  const AnyTargets answers = votes.empty() ? AnyTargets(std::move(classes)) : predictor.answers(votes);
  return {scores(answers.view(), data.targets.view()), watch.seconds()};
}

void learn(Machine& machine, const TrainingJob& job, std::int64_t epochs, const Interrupt& interrupt, Team& team,
           const std::function<bool(const EpochResult&)>& after_epoch, const std::function<void()>& during_epoch) {
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
    result.report = machine.learn_epoch(job.train.rows, job.train.targets.view(), [&](double done) {
      progress.update(overall(done), note);
      if (during_epoch) during_epoch();
      return interrupt.signal() == 0 || !team.is_alone();
    });
    result.train_seconds = watch.seconds();
    result.train_cpu_seconds = watch.cpu_seconds();
    if (team.end_epoch(machine, result.report, interrupt.signal() != 0) && interrupt.signal() == 0) {
      interrupt.ask(SIGTERM);  // another process was asked
    }
    if (result.report.complete && job.test) {
      const Machine& whole = team.whole(machine);
      const TestResult tested = team.is_first() ? test(whole, *job.test, interrupt) : TestResult();
      if (!tested.scores.empty()) {
        result.test_seconds = tested.seconds;
        result.test_scores = tested.scores;
        note = fmt::format("{} so far", score_text(tested.scores));
      }
    }
    if (result.report.complete && job.validated) {
      result.validation_scores = test(machine, *job.held_out, interrupt).scores;
    }
    progress.clear();
    if (!after_epoch(result) || !result.report.complete) return;
  }
}

Model finished_model(const Machine& machine, const TrainingJob& job, const std::vector<Score>& test_scores) {
  return finished_model(machine.model(), job, test_scores);
}

Model finished_model(const Model& learned, const TrainingJob& job, const std::vector<Score>& test_scores) {
  Description description = {job.labels, job.booleanizer, job.schema, job.train.origin};
  if (!test_scores.empty()) {
    (test_scores.front().name == "accuracy" ? description.test_accuracy : description.test_rmse) =
        test_scores.front().value;
  }
  return learned.described(std::move(description));
}

std::string headline(const TrainingJob& job, const Machine& machine) {
  const Options& options = machine.options();
  std::string text = schema_text(job.schema, job.booleanizer, job.train.origin, &job.reading);
  if (!text.empty()) text += "\n";
  text += fmt::format("{}: {}, {}, {}", job.train.origin, counted(job.train.rows.rows(), "sample", "samples"),
                      counted(machine.features(), "feature", "features"), outputs_text(options, machine.outputs()));
  if (weights_differ(job.train.targets.view().weights())) text += " with weights";
  if (job.held_out)
    text += fmt::format("; {} held out {}", with_commas(job.held_out->rows.rows()),
                        job.validated ? "to choose the epoch" : "for calibration");
  if (job.test) {
    text += fmt::format("; tested on {}: {}", job.test->origin, counted(job.test->rows.rows(), "sample", "samples"));
  } else {
    text += fmt::format("; no test data, so no test {} (--test DATA)", score_title(score_names(job.task).front()));
  }
  text +=
      fmt::format("\n{}, T {}, s {}, {} states{}, seed {}; engine {}, kernels {}, {}\n", clauses_text(options),
                  options.threshold, specificity_text(options), options.states, unusual_options(options), options.seed,
                  name_of(machine.engine()), machine.kernels(), counted(machine.threads(), "thread", "threads"));
  return text;
}

Json job_schema_json(const TrainingJob& job) {
  Json json = schema_json(job.schema, job.booleanizer, &job.reading);
  json["rows"] = job.train.rows.rows();
  json["classes"] = job.outputs();
  return json;
}

Json report_json(const TrainingJob& job, const Machine& machine) {
  Json json;
  json["data"] = job.train.origin;
  json["test_data"] = job.test ? Json(job.test->origin) : Json();
  json["samples"] = job.train.rows.rows();
  json["held_out_samples"] = job.held_out ? job.held_out->rows.rows() : 0;
  json["test_samples"] = job.test ? job.test->rows.rows() : 0;
  json["features"] = machine.features();
  json["classes"] = machine.outputs();
  json["schema"] = job_schema_json(job);
  json["row_weights"] = weights_differ(job.train.targets.view().weights());
  json["class_weights"] = job.class_weights.empty() ? Json() : Json(job.class_weights);
  add_machine_options(json, machine.options());
  json["threads"] = machine.threads();
  json["engine"] = name_of(machine.engine());
  json["kernels"] = machine.kernels();
  json["version"] = version();
  return json;
}

Json epoch_json(const EpochResult& result, Task task) {
  const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  const LearnCounters& counters = result.report.counters;
  Json json = {{"epoch", result.report.epoch},
               {"complete", result.report.complete},
               {"train_seconds", result.train_seconds},
               {"train_cpu_seconds", result.train_cpu_seconds},
               {"test_seconds", or_null(result.test_seconds)},
               {"mean_clause_length", result.report.mean_clause_length},
               {"flips", counters.flips},
               {"type_1a", counters.type_1a},
               {"type_1b", counters.type_1b},
               {"type_2", counters.type_2},
               {"evaluations", counters.evaluations},
               {"words_compared", counters.words_compared},
               {"entries_visited", counters.entries_visited},
               {"columns_joined", counters.columns_joined},
               {"sums", result.report.sums},
               {"summed_bytes", result.report.summed_bytes}};
  for (const std::string_view name : score_names(task)) json[fmt::format("test_{}", name)] = Json();
  for (const auto& [name, value] : result.test_scores) json[fmt::format("test_{}", name)] = value;
  for (const auto& [name, value] : result.validation_scores) json[fmt::format("validation_{}", name)] = value;
  return json;
}

// Fixed widths: lines are printed one by one, as the epochs end. Without test data there is no column for them.
std::string epoch_heading(const TrainingJob& job) {
  const std::string tested =
      job.test ? fmt::format("  {:>9}  {:>13}", "test", "test " + score_title(score_names(job.task).front())) : "";
  return fmt::format("{:>5}  {:>9}{}  {:>13}  {:>13}{}\n", "epoch", "train", tested, "clause length", "flips",
                     job.validated ? "  validation" : "");
}

std::string epoch_line(const TrainingJob& job, const EpochResult& result) {
  const std::string tested =
      job.test ? fmt::format("  {:>9}  {:>13}", result.test_seconds ? seconds_text(*result.test_seconds) : "-",
                             score_text(result.test_scores))
               : "";
  return fmt::format("{:>5}  {:>9}{}  {:>13.1f}  {:>13}{}\n", result.report.epoch, seconds_text(result.train_seconds),
                     tested, result.report.mean_clause_length, with_commas(result.report.counters.flips),
                     !result.report.complete ? "  (stopped)"
                     : result.validation_scores.empty()
                         ? ""
                         : fmt::format("  {:>10}", score_text(result.validation_scores)));
}

}  // namespace falsum::cli
