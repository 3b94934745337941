#include "checkpoints.h"

#include <fmt/format.h>

#include <filesystem>

#include "parse_number.h"
#include "support/file.h"

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
  if (rhythm_.epochs == 0 && since_.seconds() >= 60 * rhythm_.minutes) write(machine);
}

void Checkpoints::after_epoch(const Machine& machine, bool complete) {
  const auto epoch = static_cast<std::int64_t>(machine.epoch());
  if (!complete || epoch == last_epoch_ || (rhythm_.epochs > 0 && epoch % rhythm_.epochs == 0)) {
    write(machine);
  } else {
    during_epoch(machine);
  }
}

void Checkpoints::write(const Machine& machine) {
  if (path_.empty()) return;
  problem_.reset();
  try {
    write_file_keeping_previous(path_, machine.checkpoint());
  } catch (const FileError& error) {
    problem_ = error;
  }
  since_ = Stopwatch();
}

Machine resume(const std::string& path, const Options& run, std::string& note) {
  const auto read = [&](const std::string& from) {
    return Machine::from_checkpoint(read_file(from), run, "checkpoint " + from);
  };
  try {
    return read(path);
  } catch (const FileError& error) {
    const std::string previous = previous_path(path);
    if (!std::filesystem::exists(previous)) throw;
    note = fmt::format("{}; going on from the one before, {}", error.what(), previous);
    return read(previous);
  }
}

}  // namespace falsum::cli
