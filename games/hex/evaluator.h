// Evaluator: what a search asks about positions.
//
//   rollout      random moves until the end: who won; every move is as good as another
//   recompute    two machines (features.h) say who wins and which moves a search would choose, by Predictor; the value
//   is
//                mixed with that of a rollout
//   incremental  the same numbers, by IncrementalPredictor: it flips the features in which a position differs from the
//                last one that it was asked about
//
// recompute and incremental give the same numbers, so that searches of equal size choose the same moves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "board.h"
#include "features.h"

namespace falsum::hex {

/// What machines were asked: positions, and by how many features each differed from the one before.
struct EvaluatorWork {
  std::uint64_t positions = 0, flips = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Black's chance to win here, or a guess of it.
  virtual double value(const Board& board) = 0;
  /// How likely the player to move chooses each of the `cells`, which are all free ones; the sum is 1. False, and
  /// nothing written, if it knows nothing about moves.
  virtual bool priors(const Board& board, std::span<const std::uint8_t> cells, std::span<float> out) = 0;
  /// For what is drawn at random.
  virtual void reseed(std::uint64_t seed) = 0;
  virtual EvaluatorWork work() const { return {}; }
};

struct Judgement {
  double rollouts = 1;     // share of a rollout in the value; 0: the machine's alone
  double temperature = 1;  // of the priors, times the policy machine's own
};

/// kind: "rollout", "recompute" or "incremental"; the latter two need machines of this size. Throws ConfigError.
std::unique_ptr<Evaluator> make_evaluator(const std::string& kind, std::shared_ptr<const Machines> machines,
                                          std::size_t size, const Judgement& judgement);

}  // namespace falsum::hex
