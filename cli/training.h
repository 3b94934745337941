// From DATA to a trained machine: what `train` and `quickstart` share.
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
  LabelledRows train;
  std::optional<LabelledRows> test;
};

/// `test` empty: the test split of a built-in data set, or no test data for a file.
Task load_task(const std::string& data, const std::string& test, const DataOptions& options);

struct EpochResult {
  EpochReport report;
  double train_seconds = 0, train_cpu_seconds = 0;
  std::optional<double> test_seconds, test_accuracy;  // unknown without test data or when interrupted
};

/// Learns until `epochs` are complete in total or `interrupt` asks to stop. `after_epoch` also sees an epoch
/// that was stopped half-way; `during_epoch` is called every few thousand samples.
void learn(Machine& machine, const Task& task, std::int64_t epochs, const Interrupt& interrupt,
           const std::function<void(const EpochResult&)>& after_epoch, const std::function<void()>& during_epoch = {});

/// Accuracy on `data` with the machine's clauses as they are now; also the seconds it took.
struct TestResult {
  double accuracy = 0, seconds = 0;
};
TestResult test(const Machine& machine, const LabelledRows& data);

/// The machine's clauses with all that makes a model useful on its own.
Model finished_model(const Machine& machine, const Task& task, std::optional<double> test_accuracy);

double share_correct(const std::vector<std::uint32_t>& predicted, const std::vector<std::uint32_t>& truth);

/// Task and machine as the two lines above a training table, and as the first keys of the JSON report.
std::string headline(const Task& task, const Machine& machine);
Json report_json(const Task& task, const Machine& machine);
Json epoch_json(const EpochResult& result);

/// The heading of the epochs' table, and one line of it.
std::string epoch_heading();
std::string epoch_line(const EpochResult& result);

}  // namespace falsum::cli
