#include "start.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "checkpoints.h"
#include "falsum/data_digest.h"
#include "falsum/engines.h"
#include "falsum/error.h"
#include "json.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

/// A checkpoint determines the machine; an option with another value is a mistake of the user.
void require_same_machine(const StartFrom& from, const Options& resumed) {
  for (const OptionInfo* option : options_of(OptionScope::kMachine)) {
    const Json asked = value_of(from.machine.options, *option);
    const Json found = value_of(resumed, *option);
    if (from.machine.given(option->name) && asked != found) {
      throw ConfigError(fmt::format("{} is {} in checkpoint {} and cannot be changed on resuming, got {}", option->name,
                                    found.dump(), from.resume, asked.dump()));
    }
  }
}

/// Resuming with other data would learn an unwanted mixture.
void require_same_data(const Machine& machine, const std::string& checkpoint, const std::string& origin,
                       const DataDigest& data, bool calibrate) {
  if (!machine.data()) {
    return warn(fmt::format("checkpoint {} does not say what data it was learned from; continuing with {}", checkpoint,
                            origin));
  }
  const std::string differs = difference(*machine.data(), data);
  if (differs.empty()) return;
  const char* const hint = machine.data()->rows == data.rows ? ""
                           : calibrate ? " after --calibrate, whose share must be that of the first run"
                                       : "; if rows were held out, give --calibrate as in the first run";
  throw DataError(
      fmt::format("checkpoint {} was learned from other data: {} has {}{}", checkpoint, origin, differs, hint));
}

}  // namespace

Start start_machine(const StartFrom& from, TrainingJob& job, Team& team) {
  const Options& options = from.machine.options;
  const auto data = [&] {
    return digest(job.train.rows, job.train.targets.view(), job.labels, job.booleanizer.feature_names());
  };
  if (from.resume.empty()) {
    const Part part = team.part_of(options, job.outputs());
    Start start{Machine(options, job.booleanizer.features(), job.outputs(), part)};
    if (!from.checkpoint.empty() || !team.is_alone()) start.machine.set_data(data());
    return start;
  }
  Resumed resumed = resume(from.resume, options, team);
  if (!resumed.note.empty()) warn(resumed.note);
  Machine& machine = resumed.machine;
  if (machine.draws_changed()) {
    warn(
        fmt::format("checkpoint {} was made by an older falsum, which drew other random numbers; learning goes on with "
                    "those of this version",
                    resumed.path));
  }
  require_same_machine(from, machine.options());
  if (machine.options().task != job.task) {
    throw ConfigError(fmt::format("the task of checkpoint {} is {}: --task {} must be given to resume it", from.resume,
                                  name_of(machine.options().task), name_of(machine.options().task)));
  }
  if (machine.features() != job.booleanizer.features() || machine.outputs() != job.outputs()) {
    throw DataError(fmt::format("checkpoint {} has {} features and {} classes, but {} has {} and {}", from.resume,
                                machine.features(), machine.outputs(), job.train.origin, job.booleanizer.features(),
                                job.outputs()));
  }
  if (from.calibrate) hold_out(job, *from.calibrate, machine.options().seed);
  const DataDigest given = data();
  require_same_data(machine, resumed.path, job.train.origin, given, from.calibrate.has_value());
  machine.set_data(given);
  std::error_code error;
  const bool same = std::filesystem::equivalent(resumed.path, from.checkpoint, error);
  return {std::move(machine), same && !error};
}

}  // namespace falsum::cli
