// Training by self-play, in rounds. Round 0 plays with random rollouts, each later round with the machines of the round
// before; then new machines learn from the positions of the last rounds who wins and which move the search chose. Every
// game has a seed of its own and searches have a fixed size, so the same settings give the same machines, bit for bit.
//
//   FOLDER/settings.json   what the machines depend on: another setting in the same folder is refused
//   FOLDER/round-3.games   the games of the round
//   FOLDER/round-3.value.falsum, FOLDER/round-3.policy.falsum   the machines learned after it
//
// Files that are there are not made again: a run that was stopped goes on.
#pragma once

#include <cstdint>
#include <string>

namespace falsum::hex {

struct MachineSettings {
  std::int64_t clauses, threshold, max_literals, epochs;
  double specificity;
};

struct TrainSettings {
  std::size_t size = 7, rounds = 4, games = 500, window = 2;  // window: rounds that machines learn from
  std::uint64_t simulations = 400, rollouts = 1000;           // a move, with machines and in round 0
  double rollout_share = 1;                                   // of the value of a position (evaluator.h)
  MachineSettings value{500, 400, 24, 4, 6}, policy{100, 200, 16, 20, 6};
  std::uint64_t seed = 1;
};

/// Prints a line for each step. Throws ConfigError and FileError.
void train(const TrainSettings& settings, const std::string& folder);

std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);

}  // namespace falsum::hex
