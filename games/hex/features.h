// A position as features: for each cell whether a black stone is there, then for each cell whether a white stone is,
// then whether white is to move. A move flips two of them. Class 0: black wins; class 1: white wins.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board.h"
#include "falsum/model.h"

namespace falsum::hex {

inline std::size_t feature_count(std::size_t size) { return 2 * size * size + 1; }
inline std::size_t stone_feature(std::size_t size, Colour colour, std::size_t cell) {
  return id(colour) * size * size + cell;
}
inline std::size_t turn_feature(std::size_t size) { return 2 * size * size; }

std::vector<std::uint64_t> features_of(const Board& board);

/// The side of the board that a model was made for. Throws ConfigError for a model that is not of Hex positions: two
/// classes, and the features above.
std::size_t size_of(const Model& model);

/// Black's chance to win from the votes, by the model's temperature: a logistic function of the votes' difference.
class WinChance {
 public:
  explicit WinChance(const Model& model);
  double operator()(std::int32_t black, std::int32_t white) const;
  /// How many votes of difference one unit of the logistic function takes.
  double scale() const { return scale_; }

 private:
  double scale_;
};

}  // namespace falsum::hex
