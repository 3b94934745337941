// From DATA to a trained machine: shared by `train` and `quickstart`.
//
//   load_source -> labels -> Booleanizer::fit -> transform -> Machine -> learn_epoch, test, learn_epoch, ...
//
// Everything that can be wrong with the data is found here, before the first sample is learned.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data_options.h"
#include "falsum/machine.h"
#include "falsum/memory.h"
#include "falsum/pipeline.h"
#include "falsum/predictor.h"
#include "interrupt.h"
#include "report.h"
#include "team.h"

namespace falsum::cli {

struct LabelledRows {
  AnyRows rows;
  AnyTargets targets;
  std::string origin;
};

struct TrainingJob {
  Task task = Task::kClassification;
  std::vector<std::string> labels;    // one per class or label; none in regression
  std::vector<double> class_weights;  // one per class, or none
  std::size_t outputs() const { return count_outputs(labels); }
  Booleanizer booleanizer;
  Schema schema;          // how the training data were read
  ReadingReport reading;  // notes on anything unusual
  LabelledRows train;
  std::optional<LabelledRows> test;
  std::optional<LabelledRows> held_out;  // of the training data, for calibration or to choose the epoch
  bool validated = false;                // the latter
};

/// Multiplies the weights of the rows by those of their classes: `text` is "balanced" or "a=2,b=1"; a class that it
/// leaves out has 1.
void weigh_classes(TrainingJob& job, const std::string& text);

/// `test` empty: the test split of a built-in data set, or no test data for a file.
TrainingJob load_job(const std::string& data, const std::string& test, const DataOptions& options, Task task);

/// Moves that share of the training data, the same of every class, to job.held_out. Depends on data and seed only.
void hold_out(TrainingJob& job, double share, std::uint64_t seed);

/// check_memory() for the machine that learns this job; the message names a column if it alone is the cause.
void check_job_memory(const Options& options, const TrainingJob& job, const LearningUse& use);

struct EpochResult {
  EpochReport report;
  double train_seconds = 0, train_cpu_seconds = 0;
  std::optional<double> test_seconds;
  std::vector<Score> test_scores;        // none without test data or when interrupted
  std::vector<Score> validation_scores;  // none without rows that the epoch is chosen by
};

/// Learns until `epochs` are complete in total or `interrupt` asks to stop; in a team, that of any process, and at the
/// end of an epoch. `after_epoch` also sees an epoch
/// that was stopped half-way, and ends learning by returning false; `during_epoch` is called about ten times a second.
void learn(Machine& machine, const TrainingJob& job, std::int64_t epochs, const Interrupt& interrupt, Team& team,
           const std::function<bool(const EpochResult&)>& after_epoch, const std::function<void()>& during_epoch = {});

/// Scores on `data` with the machine's current clauses, unless `interrupt` asks to stop; also the seconds it took.
struct TestResult {
  std::vector<Score> scores;
  double seconds = 0;
};
TestResult test(const Machine& machine, const LabelledRows& data, const Interrupt& interrupt);

/// The machine's clauses with everything that a self-contained model needs.
Model finished_model(const Machine& machine, const TrainingJob& job, const std::vector<Score>& test_scores);
/// The same of clauses of an earlier epoch.
Model finished_model(const Model& learned, const TrainingJob& job, const std::vector<Score>& test_scores);

/// "94.62%", or the number of an error; "-" if there is no score.
std::string score_text(const std::vector<Score>& scores);
/// "accuracy", "RMSE": for headings and sentences.
std::string score_title(std::string_view name);
/// "2,000 clauses per class", "2,000 clauses in all"
std::string clauses_text(const Options& options);
/// "10 classes", "4 labels", "a number"
std::string outputs_text(const Options& options, std::size_t outputs);

/// Task and machine as the two lines above a training table, and as the first keys of the JSON report.
std::string headline(const TrainingJob& job, const Machine& machine);
Json job_schema_json(const TrainingJob& job);
Json report_json(const TrainingJob& job, const Machine& machine);
Json epoch_json(const EpochResult& result, Task task);

/// The heading of the epochs' table, and one line of it.
std::string epoch_heading(const TrainingJob& job);
std::string epoch_line(const TrainingJob& job, const EpochResult& result);

}  // namespace falsum::cli
