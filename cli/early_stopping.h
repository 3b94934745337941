// Early stopping: rows held out of learning choose the epoch whose clauses are kept, or when to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line.h"
#include "falsum/machine.h"
#include "training.h"

namespace falsum::cli {

struct EarlyStoppingOptions {
  std::optional<double> validation;  // the share of the rows
  std::int64_t patience = 0;         // epochs without a better score before learning stops; 0: never
  bool keep_best = false;            // else the clauses of the last epoch

  /// --validation, --patience and --keep. The object must outlive the parsing.
  void add(const Verb& verb);
  /// Throws ConfigError for options that need others, or that cannot be together with checkpoints.
  void check(bool has_checkpoints, bool calibrate) const;

 private:
  bool keep_given_ = false;
};

class EarlyStopping {
 public:
  EarlyStopping(const EarlyStoppingOptions& options, Task task) : options_(options), task_(task) {}

  /// Returns false if it is time to stop.
  bool after_epoch(const Machine& machine, const EpochResult& result);

  /// The clauses to keep, with a description of how they were chosen: the best epoch's or the machine's.
  Model model(const Machine& machine, const TrainingJob& job, const std::vector<Score>& tested) const;

  /// "stopped after epoch 31: ...", or empty.
  std::string sentence(const Machine& machine) const;
  Json json() const;

 private:
  EarlyStoppingOptions options_;
  Task task_;
  std::optional<double> best_;
  std::uint64_t best_epoch_ = 0;
  double last_score_ = -1;
  bool stopped_ = false;
  std::optional<Model> best_model_;
  std::vector<Score> best_tested_;
};

}  // namespace falsum::cli
