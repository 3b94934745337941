#include "evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "falsum/error.h"
#include "falsum/incremental.h"
#include "falsum/predictor.h"
#include "rollout.h"

namespace falsum::hex {
namespace {

class Rollouts final : public Evaluator {
 public:
  double value(const Board& board) override { return rollout_.black_wins(board) ? 1 : 0; }
  bool priors(const Board& /*board*/, std::span<const std::uint8_t> /*cells*/, std::span<float> /*out*/) override {
    return false;
  }
  void reseed(std::uint64_t seed) override { rollout_.reseed(seed); }

 private:
  Rollout rollout_;
};

/// Votes of a position, from nothing.
class Afresh {
 public:
  explicit Afresh(const Model& model) : predictor_(model), votes_(model.outputs()) {}
  std::span<const std::int32_t> votes(Colour /*mover*/, std::span<const std::uint64_t> row) {
    predictor_.votes(row, votes_);
    ++positions_;
    return votes_;
  }
  EvaluatorWork work() const { return {positions_, 0}; }

 private:
  Predictor predictor_;
  std::vector<std::int32_t> votes_;
  std::uint64_t positions_ = 0;
};

/// Votes of a position, from those of the last one with the same player to move: what that player sees differs in the
/// few stones between them.
class Following {
 public:
  explicit Following(const Model& model) : black_(model), white_(black_.index()) {}
  std::span<const std::int32_t> votes(Colour mover, std::span<const std::uint64_t> row) {
    IncrementalPredictor& position = mover == Colour::kBlack ? black_ : white_;
    position.set(row);
    ++positions_;
    return position.votes();
  }
  EvaluatorWork work() const { return {positions_, black_.counters().flips + white_.counters().flips}; }

 private:
  IncrementalPredictor black_, white_;
  std::uint64_t positions_ = 0;
};

template <class Votes>
class Judge final : public Evaluator {
 public:
  Judge(const Machines& machines, const Judgement& judgement)
      : judgement_(judgement),
        value_(machines.value),
        policy_(machines.policy),
        value_scale_(vote_scale(machines.value)),
        policy_scale_(static_cast<float>(vote_scale(machines.policy) * judgement.temperature)) {}

  double value(const Board& board) override {
    double black = 0;
    if (judgement_.rollouts > 0) black += judgement_.rollouts * (rollout_.black_wins(board) ? 1 : 0);
    if (judgement_.rollouts < 1) {
      const std::span<const std::int32_t> votes = value_.votes(board.to_move(), features_of(board));
      const double mover = 1 / (1 + std::exp((static_cast<double>(votes[1]) - votes[0]) / value_scale_));
      black += (1 - judgement_.rollouts) * (board.to_move() == Colour::kBlack ? mover : 1 - mover);
    }
    return black;
  }

  bool priors(const Board& board, std::span<const std::uint8_t> cells, std::span<float> out) override {
    const Colour mover = board.to_move();
    const std::span<const std::int32_t> votes = policy_.votes(mover, features_of(board));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out[i] = static_cast<float>(votes[seen_by(board, mover, cells[i])]) / policy_scale_;
    }
    const float most = *std::ranges::max_element(out);
    float all = 0;
    for (float& prior : out) all += prior = std::exp(prior - most);
    for (float& prior : out) prior /= all;
    return true;
  }
  void reseed(std::uint64_t seed) override { rollout_.reseed(seed); }
  EvaluatorWork work() const override {
    const EvaluatorWork value = value_.work(), policy = policy_.work();
    return {value.positions + policy.positions, value.flips + policy.flips};
  }

 private:
  Judgement judgement_;
  Votes value_, policy_;
  double value_scale_;
  float policy_scale_;
  Rollout rollout_;
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const std::string& kind, std::shared_ptr<const Machines> machines,
                                          std::size_t size, const Judgement& judgement) {
  if (kind == "rollout") return std::make_unique<Rollouts>();
  if (kind != "recompute" && kind != "incremental") {
    throw ConfigError(fmt::format("evaluator must be rollout, recompute or incremental, got {}", kind));
  }
  if (!machines) throw ConfigError(fmt::format("evaluator {} needs machines", kind));
  if (machines->size != size) {
    throw ConfigError(
        fmt::format("the machines are for boards of size {}, but the board has size {}", machines->size, size));
  }
  if (kind == "recompute") return std::make_unique<Judge<Afresh>>(*machines, judgement);
  return std::make_unique<Judge<Following>>(*machines, judgement);
}

}  // namespace falsum::hex
