#include "winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "falsum/falsum.h"
#include "features.h"
#include "random.h"
#include "solver.h"
#include "train.h"

namespace falsum::hex {

std::vector<WinnerCounts> winner_counts(const Model& model, const std::vector<Game>& games, std::size_t least,
                                        std::size_t most) {
  const std::size_t size = size_of(model);
  const Predictor predictor(model);
  std::vector<WinnerCounts> by_stones(size * size + 1);
  std::vector<std::int32_t> votes(2);
  for (const Game& game : games) {
    Board board(size);
    for (const std::size_t move : game.moves) {
      board.play(move);
      if (board.over() || board.stones() < least || board.stones() > most) continue;
      predictor.votes(std::span<const std::uint64_t>(features_of(board)), votes);
      WinnerCounts& counts = by_stones[board.stones()];
      ++counts.positions;
      counts.right += (winners(votes, 2)[0] == 0) == (game.winner == board.to_move());
    }
  }
  return by_stones;
}

namespace {

/// Rows as the mover sees them, each also turned if `turns`.
class Labelled {
 public:
  Labelled(std::size_t size, bool turns) : size_(size), turns_(turns) {}
  void add(const Board& board, bool mover_wins) {
    rows_.push_back(features_of(board));
    labels_.push_back(mover_wins ? 0 : 1);
    if (!turns_) return;
    std::vector<std::uint64_t> turned(rows_.back().size());
    for_each(rows_.back(), [&](std::size_t k) {
      const std::size_t cells = size_ * size_, at = k / cells * cells + cells - 1 - k % cells;
      turned[at / 64] |= std::uint64_t{1} << (at % 64);
    });
    rows_.push_back(std::move(turned));
    labels_.push_back(labels_.back());
  }
  std::size_t size() const { return rows_.size(); }
  const std::vector<std::uint32_t>& labels() const { return labels_; }
  std::size_t stones(std::size_t r) const {
    std::size_t count = 0;
    for_each(rows_[r], [&](std::size_t /*feature*/) { ++count; });
    return count;
  }
  BitMatrix rows() const {
    BitMatrix all(rows_.size(), feature_count(size_));
    for (std::size_t r = 0; r < rows_.size(); ++r) std::ranges::copy(rows_[r], all.row(r).begin());
    return all;
  }

 private:
  template <class Visit>
  static void for_each(const std::vector<std::uint64_t>& row, const Visit& visit) {
    for (std::size_t w = 0; w < row.size(); ++w) {
      for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
        visit(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

  std::size_t size_;
  bool turns_;
  std::vector<std::vector<std::uint64_t>> rows_;
  std::vector<std::uint32_t> labels_;
};

/// Positions after random moves in which nobody has won.
void add_random(const WinnerTask& task, std::size_t count, std::uint64_t seed, Solver& solver, Labelled& to) {
  Random random(seed);
  for (std::size_t done = 0; done < count;) {
    Board board(task.size);
    const std::size_t stones = task.least + random.below(task.most - task.least + 1);
    while (!board.over() && board.stones() < stones) {
      const std::vector<std::size_t> free = board.legal_cells();
      board.play(free[random.below(free.size())]);
    }
    if (board.over()) continue;
    to.add(board, solver.winner(board) == board.to_move());
    ++done;
  }
}

void add_game(const WinnerTask& task, const Game& game, Solver* solver, Labelled& to) {
  Board board(task.size);
  for (const std::size_t move : game.moves) {
    board.play(move);
    if (board.over() || board.stones() < task.least || board.stones() > task.most) continue;
    to.add(board, (solver == nullptr ? game.winner : solver->winner(board)) == board.to_move());
  }
}

}  // namespace

WinnerReport learn_winners(const WinnerTask& task) {
  if (task.least > task.most || task.most >= task.size * task.size) {
    throw ConfigError(fmt::format("stones must be from least to most, below {} cells, got {} to {}",
                                  task.size * task.size, task.least, task.most));
  }
  if (task.results && task.games.empty()) throw ConfigError("results are those of games: name their file");
  std::optional<Solver> solver;
  if (!task.results) solver.emplace(task.size);
  Labelled learned(task.size, true), others(task.size, false);
  if (task.games.empty()) {
    add_random(task, task.positions, seed_of(task.seed, 0), *solver, learned);
    add_random(task, task.positions / 4, seed_of(task.seed, 1), *solver, others);
  } else {
    const std::vector<Game> games = games_of_text(task.size, read_text(task.games), task.games);
    for (std::size_t g = 0; g < games.size(); ++g) {
      add_game(task, games[g], solver ? &*solver : nullptr, g % 5 == 4 ? others : learned);
    }
    if (learned.size() == 0 || others.size() == 0) throw DataError("no game has a position with so many stones");
  }
  Options options;
  options.clauses = task.clauses;
  options.threshold = task.threshold;
  options.specificity = task.specificity;
  options.weighted = true;
  options.max_literals = task.max_literals;
  options.threads = 1;
  options.seed = task.seed;
  Machine machine(options, feature_count(task.size), 2);
  machine.learn(learned.rows(), Targets(learned.labels()), static_cast<std::uint64_t>(task.epochs));
  const Model model = machine.model();
  const std::vector<std::uint32_t> answers = Predictor(model).predict(others.rows());
  WinnerReport report;
  report.by_stones.resize(task.size * task.size);
  report.learned = learned.size();
  report.tested = answers.size();
  report.literals = static_cast<double>(model.included()) / static_cast<double>(model.clauses());
  for (std::size_t r = 0; r < answers.size(); ++r) {
    const bool right = answers[r] == others.labels()[r];
    WinnerCounts& counts = report.by_stones[others.stones(r)];
    ++counts.positions;
    counts.right += right;
    report.right += right;
    report.mover_wins += others.labels()[r] == 0;
  }
  return report;
}

}  // namespace falsum::hex
