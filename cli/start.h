// The machine that learning begins with: a new one, or that of a checkpoint if options, task and data are its own.
#pragma once

#include <optional>
#include <string>

#include "falsum/machine.h"
#include "machine_options.h"
#include "team.h"
#include "training.h"

namespace falsum::cli {

struct StartFrom {
  const MachineOptions& machine;
  const std::string& resume;               // the checkpoint to go on from; empty: a new machine
  const std::string& checkpoint;           // the one to write; empty: none
  const std::optional<double>& calibrate;  // the share of the rows that is held out
};

struct Start {
  Machine machine;
  bool is_saved = false;  // --checkpoint holds it already
};

/// On resuming, the rows that the first run held out are held out again, by the seed of the checkpoint.
Start start_machine(const StartFrom& from, TrainingJob& job, Team& team);

}  // namespace falsum::cli
