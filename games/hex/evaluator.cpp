#include "evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "falsum/error.h"
#include "falsum/incremental.h"
#include "falsum/predictor.h"
#include "features.h"
#include "random.h"

namespace falsum::hex {
namespace {

/// The board is filled at random; then one of the players is connected, whatever the order of the moves was.
class Rollout final : public Evaluator {
 public:
  void set(const Board& /*board*/) override {}
  void play(Colour /*colour*/, std::size_t /*cell*/) override {}
  void back() override {}
  void reseed(std::uint64_t seed) override { random_ = Random(seed); }

  double value(const Board& board) override {
    const std::size_t n = board.size(), cells = board.cells();
    free_.clear();
    for (std::size_t cell = 0; cell < cells; ++cell) {
      black_[cell] = board.has(Colour::kBlack, cell);
      if (board.empty(cell)) free_.push_back(static_cast<std::uint8_t>(cell));
    }
    const bool black_next = board.to_move() == Colour::kBlack;
    std::size_t blacks = (free_.size() + (black_next ? 1 : 0)) / 2;
    for (std::size_t i = 0; i < free_.size(); ++i) {  // choose which of the free cells are black's
      const bool black = random_.below(free_.size() - i) < blacks;
      black_[free_[i]] = black;
      blacks -= black;
    }
    return black_connects(n) ? 1 : 0;
  }
  bool children(const Board& /*board*/, std::span<const std::size_t> /*cells*/, std::span<double> /*out*/) override {
    return false;
  }

 private:
  bool black_connects(std::size_t n) {
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < n; ++cell) {
      if (black_[cell]) stack_[count++] = static_cast<std::uint8_t>(cell), black_[cell] = false;
    }
    const std::vector<Neighbours>& near = neighbours(n);
    while (count > 0) {
      const std::uint8_t cell = stack_[--count];
      if (cell >= n * (n - 1)) return true;
      for (std::uint8_t i = 0; i < near[cell].count; ++i) {
        const std::uint8_t next = near[cell].cells[i];
        if (black_[next]) stack_[count++] = next, black_[next] = false;
      }
    }
    return false;
  }

  Random random_{0};
  std::vector<std::uint8_t> free_;
  std::array<bool, kMostCells> black_{};
  std::array<std::uint8_t, kMostCells> stack_{};
};

class Recompute final : public Evaluator {
 public:
  explicit Recompute(const Model& model) : predictor_(model), chance_(model) {}
  void set(const Board& /*board*/) override {}
  void play(Colour /*colour*/, std::size_t /*cell*/) override {}
  void back() override {}
  void reseed(std::uint64_t /*seed*/) override {}

  double value(const Board& board) override { return chance(features_of(board)); }
  bool children(const Board& board, std::span<const std::size_t> cells, std::span<double> out) override {
    std::vector<std::uint64_t> row = features_of(board);
    flip(row, turn_feature(board.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t k = stone_feature(board.size(), board.to_move(), cells[i]);
      flip(row, k);
      out[i] = chance(row);
      flip(row, k);
    }
    return true;
  }

 private:
  static void flip(std::vector<std::uint64_t>& row, std::size_t k) { row[k / 64] ^= std::uint64_t{1} << (k % 64); }
  double chance(std::span<const std::uint64_t> row) const {
    std::array<std::int32_t, 2> votes{};
    predictor_.votes(row, votes);
    return chance_(votes[0], votes[1]);
  }

  Predictor predictor_;
  WinChance chance_;
};

class Incremental final : public Evaluator {
 public:
  Incremental(const Model& model, std::size_t size)
      : position_(model), chance_(model), size_(size), votes_(position_.features() * 2) {}
  void set(const Board& board) override {
    position_.set(features_of(board));
    played_.clear();
  }
  void play(Colour colour, std::size_t cell) override {
    played_.push_back(stone_feature(size_, colour, cell));
    position_.flip(played_.back());
    position_.flip(turn_feature(size_));
  }
  void back() override {
    position_.flip(turn_feature(size_));
    position_.flip(played_.back());
    played_.pop_back();
  }
  void reseed(std::uint64_t /*seed*/) override {}
  double value(const Board& /*board*/) override { return chance_(position_.votes(0), position_.votes(1)); }
  bool children(const Board& board, std::span<const std::size_t> cells, std::span<double> out) override {
    position_.flip(turn_feature(size_));  // the other player is to move after each of them
    position_.successors(votes_);
    position_.flip(turn_feature(size_));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t k = stone_feature(size_, board.to_move(), cells[i]);
      out[i] = chance_(votes_[2 * k], votes_[2 * k + 1]);
    }
    return true;
  }

 private:
  IncrementalPredictor position_;
  WinChance chance_;
  std::size_t size_;
  std::vector<std::int32_t> votes_;
  std::vector<std::size_t> played_;
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const std::string& kind, std::shared_ptr<const Model> model,
                                          std::size_t size) {
  if (kind == "rollout") return std::make_unique<Rollout>();
  if (kind != "recompute" && kind != "incremental") {
    throw ConfigError(fmt::format("evaluator must be rollout, recompute or incremental, got {}", kind));
  }
  if (!model) throw ConfigError(fmt::format("evaluator {} needs a model", kind));
  if (size_of(*model) != size) {
    throw ConfigError(
        fmt::format("the model is for boards of size {}, but the board has size {}", size_of(*model), size));
  }
  if (kind == "recompute") return std::make_unique<Recompute>(*model);
  return std::make_unique<Incremental>(*model, size);
}

}  // namespace falsum::hex
