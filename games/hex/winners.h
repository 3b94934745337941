// Winner prediction: how often a machine names the winner of positions, by the number of stones. Labels are who won the
// game, or (5x5) who wins if both play best.
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

/// Random positions of `least` to `most` stones in which nobody has won, and their solved winners; rows for learning.
Positions solved_positions(std::size_t size, std::size_t count, std::size_t least, std::size_t most,
                           std::uint64_t seed);

}  // namespace falsum::hex
