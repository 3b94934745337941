#include "checkpoints.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include "parse_number.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

CheckpointRhythm parse_rhythm(const std::string& text) {
  std::size_t digits = text.find_first_not_of("0123456789.");
  if (digits == std::string::npos)
    return {parse_number_within<std::int64_t>("checkpoint-every", text, 1, 1000000000), 0};
  std::string unit = text.substr(digits);
  unit.erase(0, unit.find_first_not_of(' '));
  if (unit == "min" || unit == "minute" || unit == "minutes") {
    const double minutes = parse_number<double>("checkpoint-every", text.substr(0, digits), "more than 0");
    if (minutes > 0) return {0, minutes};
  }
  throw ConfigError(fmt::format("checkpoint-every must be a number of epochs (5) or of minutes (10min), got {}", text));
}

void Checkpoints::during_epoch(const Machine& machine) {
  saved_ = false;
  written_.reset();
  if (!stopping_() && rhythm_.epochs == 0 && since_.seconds() >= 60 * rhythm_.minutes) save(machine);
}

void Checkpoints::after_epoch(const Machine& machine, bool complete) {
  if (!complete) return;  // nothing was learned since during_epoch()
  during_epoch(machine);
  if (!stopping_() && rhythm_.is_due(machine.epoch())) save(machine);
}

void Checkpoints::catch_up(const Machine& machine) {
  if (!stopping_() && !saved_) save(machine);
}

void Checkpoints::finish(const Machine& machine) {
  if (saved_) return;
  try_to([&] {
    if (!written_) write(machine);
    put_in_place();
  });
}

void Checkpoints::save(const Machine& machine) {
  try_to([&] {
    write(machine);
    if (!stopping_()) put_in_place();
  });
}

void Checkpoints::write(const Machine& machine) {
  NewFile file(place_.path, stopping_);
  machine.checkpoint([&](std::string_view bytes) { file.write(bytes); });
  written_ = std::move(file);
}

void Checkpoints::put_in_place() {
  NewFile file = *std::exchange(written_, std::nullopt);
  if (place_.overwrite) keep_replaced(place_.path);
  file.put_in_place(NewFile::Before::kIsKept);
  place_.overwrite = false;
  saved_ = true;
}

void Checkpoints::try_to(const std::function<void()>& save) {
  if (place_.path.empty()) return;
  std::string problem;
  try {
    save();
  } catch (const FileError& error) {
    problem = error.what();
  } catch (const std::bad_alloc&) {
    problem = fmt::format("cannot write {}: not enough memory for a checkpoint", place_.path);
  }
  problem_ = problem.empty() ? std::nullopt : std::optional(problem);
  if (problem_ && std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) {
    problems_.push_back(problem);
    tell_(problem);
  }
  since_ = Stopwatch();
}

namespace {

Machine part_of(const std::string& bytes, const Options& run, const std::string& what, Team& team) {
  if (team.is_alone()) return Machine::from_checkpoint(bytes, run, what);
  const CheckpointFacts facts = facts_of_checkpoint(bytes, what);
  const std::string_view whole[] = {bytes};
  return Machine::join(whole, run, team.part_of(facts.options, facts.outputs));
}

}  // namespace

Resumed resume(const std::string& path, const Options& run, Team& team) {
  const auto read = [&](const std::string& from, std::string note) {
    // The stop that wrote it may not have flushed it. From now on it is the checkpoint to fall back on.
    bring_to_disk(from);
    return Resumed{part_of(read_file(from), run, "checkpoint " + from, team), from, std::move(note)};
  };
  try {
    return read(path, "");
  } catch (const FileError& error) {
    const std::string previous = previous_path(path);
    if (!std::filesystem::exists(previous)) throw;
    return read(previous, fmt::format("{}; resuming from the previous one, {}", error.what(), previous));
  }
}

}  // namespace falsum::cli
