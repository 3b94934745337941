// When checkpoints are written while learning: every so many epochs or minutes, when learning is stopped, and at the
// end. The generation before the newest is kept beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "falsum/error.h"
#include "falsum/machine.h"
#include "stopwatch.h"
#include "support/file.h"

namespace falsum::cli {

struct CheckpointRhythm {
  std::int64_t epochs = 1;  // 0: by the clock
  double minutes = 0;
};

/// "3": every three epochs; "10min" or "10 minutes": by the clock, also in the middle of an epoch.
CheckpointRhythm parse_rhythm(const std::string& text);

/// A disk that is full for a moment must not end hours of learning: what is wrong is told when it happens, once for
/// each kind of failure; the next checkpoint tries again, and the state at the end is tried in any case.
class Checkpoints {
 public:
  struct Place {
    std::string path;        // empty: no checkpoints
    bool is_saved = false;   // the file holds the machine as it is: it was resumed from there
    bool overwrite = false;  // what the file holds is another training's, to be kept as FILE.replaced
  };
  /// `stopping`: nobody waits for a rhythm any more, nor for the disk; finish() is near.
  Checkpoints(Place place, const CheckpointRhythm& rhythm, std::function<bool()> stopping,
              std::function<void(const std::string&)> tell)
      : place_(std::move(place)),
        rhythm_(rhythm),
        stopping_(std::move(stopping)),
        tell_(std::move(tell)),
        saved_(place_.is_saved) {}

  void during_epoch(const Machine& machine);
  void after_epoch(const Machine& machine, bool complete);
  /// Whatever the rhythm, unless a stop is asked for: the file holds the machine as it is.
  void catch_up(const Machine& machine);
  /// The last call of all: the file holds the machine as it is, or `unsaved` says why not. What else there is to save
  /// comes before it: after a stop the disk is busy with this file for as long as it takes (support/file.h: NewFile).
  void finish(const Machine& machine);

  bool saved() const { return !place_.path.empty() && saved_; }
  const std::optional<std::string>& unsaved() const { return problem_; }
  const std::vector<std::string>& problems() const { return problems_; }  // all that there were, each once

 private:
  void save(const Machine& machine);
  void write(const Machine& machine);
  void put_in_place();
  void try_to(const std::function<void()>& save);

  Place place_;
  CheckpointRhythm rhythm_;
  std::function<bool()> stopping_;
  std::function<void(const std::string&)> tell_;
  Stopwatch since_;
  bool saved_;
  std::optional<NewFile> written_;  // all of it, when learning was stopped meanwhile: finish() puts it in place
  std::optional<std::string> problem_;
  std::vector<std::string> problems_;
};

struct Resumed {
  Machine machine;
  std::string path;  // what it was read from
  std::string note;  // why it is not the one asked for
};

/// The machine in a checkpoint or, when that cannot be read, in the generation before it.
Resumed resume(const std::string& path, const Options& run);

}  // namespace falsum::cli
