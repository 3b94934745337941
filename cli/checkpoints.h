// When checkpoints are written while learning: every so many epochs or minutes, when learning is stopped, and at the
// end. The generation before the newest is kept beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "falsum/error.h"
#include "falsum/machine.h"
#include "stopwatch.h"

namespace falsum::cli {

struct CheckpointRhythm {
  std::int64_t epochs = 1;  // 0: by the clock
  double minutes = 0;
};

/// "3": every three epochs; "10min" or "10 minutes": by the clock, also in the middle of an epoch.
CheckpointRhythm parse_rhythm(const std::string& text);

class Checkpoints {
 public:
  /// No path: no checkpoints.
  Checkpoints(std::string path, const CheckpointRhythm& rhythm, std::int64_t last_epoch)
      : path_(std::move(path)), rhythm_(rhythm), last_epoch_(last_epoch) {}

  void during_epoch(const Machine& machine);
  void after_epoch(const Machine& machine, bool complete);
  /// A disk that is full for a moment must not end hours of learning: the next checkpoint tries again, and what is
  /// still wrong at the end is said after the model is safe.
  const std::optional<FileError>& problem() const { return problem_; }

 private:
  void write(const Machine& machine);

  std::string path_;
  CheckpointRhythm rhythm_;
  std::int64_t last_epoch_;
  Stopwatch since_;
  std::optional<FileError> problem_;
};

/// The machine in a checkpoint or, when that cannot be read, in the generation before it; `note` says so then.
Machine resume(const std::string& path, const Options& run, std::string& note);

}  // namespace falsum::cli
