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
#include "falsum/predictor.h"
#include "interrupt.h"
#include "report.h"

namespace falsum::cli {

struct LabelledRows {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;  // class ids
  std::string origin;
};

struct Task {
  std::vector<std::string> labels;  // one per class
  Booleanizer booleanizer;
  Schema schema;          // how the training data were read
  ReadingReport reading;  // notes on anything unusual
  LabelledRows train;
  std::optional<LabelledRows> test;
  std::optional<LabelledRows> held_out;  // of the training data, for calibration
};

/// `test` empty: the test split of a built-in data set, or no test data for a file.
Task load_task(const std::string& data, const std::string& test, const DataOptions& options);

/// Moves that share of the training data, the same of every class, to task.held_out. Depends on data and seed only.
void hold_out(Task& task, double share, std::uint64_t seed);

/// check_memory() for the machine that learns this task; the message names a column if it alone is the cause.
void check_task_memory(const Options& options, const Task& task, const LearningUse& use);

struct EpochResult {
  EpochReport report;
  double train_seconds = 0, train_cpu_seconds = 0;
  std::optional<double> test_seconds, test_accuracy;  // unknown without test data or when interrupted
};

/// Learns until `epochs` are complete in total or `interrupt` asks to stop. `after_epoch` also sees an epoch
/// that was stopped half-way; `during_epoch` is called about ten times a second.
void learn(Machine& machine, const Task& task, std::int64_t epochs, const Interrupt& interrupt,
           const std::function<void(const EpochResult&)>& after_epoch, const std::function<void()>& during_epoch = {});

/// Accuracy on `data` with the machine's current clauses, unless `interrupt` asks to stop; also the seconds it took.
struct TestResult {
  std::optional<double> accuracy;
  double seconds = 0;
};
TestResult test(const Machine& machine, const LabelledRows& data, const Interrupt& interrupt);

/// The machine's clauses with everything that a self-contained model needs.
Model finished_model(const Machine& machine, const Task& task, std::optional<double> test_accuracy);

double share_correct(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& truth);

/// Task and machine as the two lines above a training table, and as the first keys of the JSON report.
std::string headline(const Task& task, const Machine& machine);
Json task_schema_json(const Task& task);
Json report_json(const Task& task, const Machine& machine);
Json epoch_json(const EpochResult& result);

/// The heading of the epochs' table, and one line of it.
std::string epoch_heading();
std::string epoch_line(const EpochResult& result);

}  // namespace falsum::cli
