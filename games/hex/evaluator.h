// Evaluator: what a search asks about positions. It follows the search from position to position (play, back), so that
// one that evaluates incrementally need not look at whole positions.
//
//   rollout      random moves until the end: who won; every move is as good as another
//   recompute    a machine's votes, by Predictor: the position and each of its children as rows
//   incremental  the same votes, by IncrementalPredictor: two flips a move, all children at once
//
// recompute and incremental give the same numbers, so that searches of equal size choose the same moves.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "board.h"
#include "falsum/model.h"

namespace falsum::hex {

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual void set(const Board& board) = 0;
  /// A stone of the player to move; and the last one back.
  virtual void play(Colour colour, std::size_t cell) = 0;
  virtual void back() = 0;
  /// Black's chance to win here; `board` is the position that set, play and back led to.
  virtual double value(const Board& board) = 0;
  /// Black's chance after a move to each of the `cells`. False if it knows nothing about them.
  virtual bool children(const Board& board, std::span<const std::size_t> cells, std::span<double> out) = 0;
  /// For what is drawn at random.
  virtual void reseed(std::uint64_t seed) = 0;
};

/// kind: "rollout", "recompute" or "incremental"; the latter two need a model of this size. Throws ConfigError.
std::unique_ptr<Evaluator> make_evaluator(const std::string& kind, std::shared_ptr<const Model> model,
                                          std::size_t size);

}  // namespace falsum::hex
