// Winner prediction: how often a machine names the winner of positions, by the number of stones. Labels are who won the
// game, or (small boards) who wins if both play best.
#pragma once

#include <cstdint>
#include <string>

#include "falsum/model.h"
#include "games.h"

namespace falsum::hex {

struct WinnerCounts {
  std::size_t positions = 0, right = 0;
};

/// Positions of the games with `least` to `most` stones. by_stones[n]: those with n stones.
std::vector<WinnerCounts> winner_counts(const Model& model, const std::vector<Game>& games, std::size_t least,
                                        std::size_t most);

/// Which positions are learned and tested, and how they are labelled.
struct WinnerTask {
  std::size_t size = 5, positions = 10000, tests = 2500, least = 4, most = 18;  // stones
  std::string games;     // a file of games: their positions; else positions after random moves
  bool results = false;  // of games: the label is who won the game, not who wins if both play best
  bool tuning = false;   // others are tested than without it
  std::uint64_t seed = 1;
  std::size_t reach = 3;  // distances from the edges that are features (reach.h)
  std::int64_t clauses = 1000, threshold = 400, max_literals = 24, epochs = 6;
  double specificity = 6;
};
struct WinnerReport {
  std::vector<WinnerCounts> by_stones;  // of positions that were not learned
  std::size_t learned = 0, tested = 0, right = 0, mover_wins = 0;
  double literals = 0;  // of a clause
};

/// Learns positions (each also turned by 180 degrees) and names the winners of others: `tests` after random moves, or
/// those of every fifth game. No tested position is learned, also not turned. Throws ConfigError and FileError.
WinnerReport learn_winners(const WinnerTask& task);

}  // namespace falsum::hex
