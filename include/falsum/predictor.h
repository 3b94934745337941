// Predictor: a Model compiled for one engine. Compiling happens once, here; every call after that only
// reads, so one Predictor serves any number of threads.
//
//   scan   the clauses' include masks, each left at its first falsified word (the paper's baseline)
//   index  the paper's inclusion lists, packed: walk the lists of the false literals
//   bitmap clauses as bits, falsified by a sample's unusual literals: for single samples
//   sliced 512 samples at once, a bit each: for batches
//
// Votes are the unclipped class sums; empty clauses do not vote; ties go to the lowest class.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "falsum/model.h"
#include "falsum/rows.h"
#include "falsum/targets.h"

namespace falsum {

/// Deterministic counts of the work of prediction, as in the paper's remarks.
struct PredictCounters {
  std::uint64_t samples = 0;
  std::uint64_t words_compared = 0;   // scan: 64-literal words looked at
  std::uint64_t entries_visited = 0;  // index, bitmap: inclusion list entries walked
  std::uint64_t bitmaps_joined = 0;   // bitmap: bitmaps of literals joined
  std::uint64_t columns_joined = 0;   // sliced: literals' columns ANDed, 512 samples each
  PredictCounters& operator+=(const PredictCounters& other);
};

/// The engine chosen, and the reason.
struct EngineChoice {
  std::string name, reason;
};

class VoteEngine;
struct Kernels;

class Predictor {
 public:
  explicit Predictor(const Model& model, Engine engine = Engine::kAuto, const std::string& kernels = "auto");
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  /// outputs() votes for each row, row by row. `threads` 0: all cores. Throws DataError for a wrong number of features,
  /// and for sparse rows whose features do not ascend or are out of range.
  std::vector<std::int32_t> votes(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  // Each task has its own answers; a call for another task than the model's is a ConfigError.

  /// Classification: class ids, one per row: the output with most votes.
  std::vector<std::uint32_t> predict(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  /// outputs() probabilities for each row, by the model's calibration, or by the law of learning (calibration.h). The
  /// predicted class has the largest.
  std::vector<double> probabilities(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  /// Multilabel: for each row the labels that apply: those with more votes for them than against. A label without any
  /// vote does not apply.
  BitMatrix labels(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  /// Regression: the number of each row, within the range of the targets that it was learned from.
  std::vector<double> numbers(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  /// Whatever the task's answers are.
  AnyTargets answers(const Rows& rows, unsigned threads = 1, PredictCounters* counters = nullptr) const;
  /// The answers that these votes are, outputs() for each row.
  AnyTargets answers(std::span<const std::int32_t> votes) const;

  /// Writes the votes of one row to outputs() elements. The row is packed features, or the ascending list of true
  /// features.
  void votes(std::span<const std::uint64_t> row, std::span<std::int32_t> out) const;
  void votes(std::span<const std::uint32_t> row, std::span<std::int32_t> out) const;

  Task task() const { return task_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t features() const { return features_; }
  /// The name of the engine that predicts this many rows at once: kAuto uses one for batches and another for single
  /// rows.
  std::string engine(std::size_t rows) const { return choice(rows).name; }
  /// The same with a sentence that gives the reason; `sparse` for sparse rows.
  EngineChoice choice(std::size_t rows, bool sparse = false) const;
  std::string kernels() const;
  std::uint64_t bytes() const;  // memory of the compiled engine

 private:
  void check_columns(std::size_t columns) const;
  void require_task(Task task) const;
  /// Checks the rows; then calls use(first row, block, counters) for every block of them, on up to `threads` threads.
  template <class Use>
  void for_each_block(const Rows& rows, unsigned threads, PredictCounters* counters, const Use& use) const;

  std::size_t features_ = 0;
  std::size_t outputs_ = 0;
  Task task_ = Task::kClassification;
  NumberRange range_;
  std::int64_t threshold_ = 1;
  Calibration calibration_;
  const Kernels* kernels_ = nullptr;
  std::unique_ptr<const VoteEngine> engine_;
};

/// The output with the most votes in each row of votes, the lowest on ties.
std::vector<std::uint32_t> winners(std::span<const std::int32_t> votes, std::size_t outputs);

}  // namespace falsum
