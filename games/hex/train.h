// Training by self-play, in rounds. Round 0 plays with random rollouts, each later round with the machine of the round
// before; then a new machine learns who won from the positions of the last rounds. Every game has a seed of its own and
// searches have a fixed size, so the same settings give the same machines, bit for bit.
//
//   FOLDER/settings.json   what the machines depend on: another setting in the same folder is refused
//   FOLDER/round-3.games   the games of the round         FOLDER/round-3.falsum   the machine learned after it
//
// Files that are there are not made again: a run that was stopped goes on.
#pragma once

#include <cstdint>
#include <string>

namespace falsum::hex {

struct TrainSettings {
  std::size_t size = 7, rounds = 5, games = 1000, window = 3;  // window: rounds that a machine learns from
  std::uint64_t simulations = 200, rollouts = 400;             // a move, of the machine and in round 0
  std::int64_t clauses = 1000, threshold = 400, max_literals = 24, epochs = 8;
  double specificity = 6;
  std::uint64_t seed = 1;
};

/// Prints a line for each step. Throws ConfigError and FileError.
void train(const TrainSettings& settings, const std::string& folder);

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace falsum::hex
