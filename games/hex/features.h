// A position as features, seen by the player to move: for each cell whether a stone of the mover is there, then for
// each cell whether one of the other player is. The mover connects top and bottom: white sees the board mirrored and
// the colours exchanged, so that both colours are one problem and a machine learns each thing once. A move sets one
// feature in the view of black and one in that of white.
//
// Two machines judge a position: one says who wins (class 0: the mover), one which move a search would choose (a class
// for each cell).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "board.h"
#include "falsum/model.h"

namespace falsum::hex {

inline std::size_t feature_count(std::size_t size) { return 2 * size * size; }
/// The cell as this player sees it, and back.
inline std::size_t seen_by(const Board& board, Colour player, std::size_t cell) {
  return player == Colour::kBlack ? cell : board.mirrored(cell);
}

std::vector<std::uint64_t> features_of(const Board& board);

struct Machines {
  Model value, policy;
  std::size_t size = 0;  // of the board they were made for
};
/// From the two files `name`.value.falsum and `name`.policy.falsum. Throws ConfigError unless both are of Hex positions
/// of one size.
Machines load_machines(const std::string& name);
std::string value_path(const std::string& name);
std::string policy_path(const std::string& name);

/// The side of the board that a machine which says who wins was made for. Throws ConfigError for other models.
std::size_t size_of(const Model& value);

/// How many votes of difference one unit of the logistic function takes, by the model's temperature.
double vote_scale(const Model& model);

}  // namespace falsum::hex
