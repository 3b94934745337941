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
#include "team.h"

namespace falsum::cli {

struct CheckpointRhythm {
  std::int64_t epochs = 1;  // 0: by the clock
  double minutes = 0;
  bool is_due(std::uint64_t epoch) const { return epochs > 0 && static_cast<std::int64_t>(epoch) % epochs == 0; }
};

/// "3": every three epochs; "10min" or "10 minutes": by the clock, also in the middle of an epoch.
CheckpointRhythm parse_rhythm(const std::string& text);

/// A disk that is full for a moment must not end hours of learning. A failure is reported when it happens, once for
/// each kind; the next checkpoint tries again, and the final state is written in any case.
class Checkpoints {
 public:
  struct Place {
    std::string path;        // empty: no checkpoints
    bool is_saved = false;   // the file holds the current machine: it was resumed from there
    bool overwrite = false;  // the file is of another training; keep it as FILE.replaced
  };
  /// `stopping`: no more regular checkpoints and no waiting for the disk; finish() follows soon.
  Checkpoints(Place place, const CheckpointRhythm& rhythm, std::function<bool()> stopping,
              std::function<void(const std::string&)> tell)
      : place_(std::move(place)),
        rhythm_(rhythm),
        stopping_(std::move(stopping)),
        tell_(std::move(tell)),
        saved_(place_.is_saved) {}

  void during_epoch(const Machine& machine);
  void after_epoch(const Machine& machine, bool complete);
  /// Writes the current machine in any case, unless a stop is requested.
  void catch_up(const Machine& machine);
  /// The last call: afterwards the file holds the current machine, or `unsaved` says why not. Save everything else
  /// before: after a stop the disk is busy with this file for a while (support/file.h: NewFile).
  void finish(const Machine& machine);

  bool saved() const { return !place_.path.empty() && saved_; }
  const std::optional<std::string>& unsaved() const { return problem_; }
  const std::vector<std::string>& problems() const { return problems_; }  // all problems so far, each once

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
  std::optional<NewFile> written_;  // complete, if learning was stopped meanwhile: finish() puts it in place
  std::optional<std::string> problem_;
  std::vector<std::string> problems_;
};

struct Resumed {
  Machine machine;
  std::string path;  // the file that was read
  std::string note;  // why it is not the requested file
};

/// The team's part of the machine in a checkpoint or, if that cannot be read, in the previous generation.
Resumed resume(const std::string& path, const Options& run, Team& team);

}  // namespace falsum::cli
