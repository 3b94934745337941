#include "winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "falsum/falsum.h"
#include "features.h"
#include "random.h"
#include "reach.h"
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

using Row = std::vector<std::uint64_t>;

template <class Visit>
void for_each(const Row& row, const Visit& visit) {
  for (std::size_t w = 0; w < row.size(); ++w) {
    for (std::uint64_t bits = row[w]; bits != 0; bits &= bits - 1) {
      visit(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
}

/// By 180 degrees: for the mover the same position.
Row turned(const Row& row, std::size_t size) {
  Row all(row.size());
  for_each(row, [&](std::size_t k) {
    const std::size_t cells = size * size, at = k / cells * cells + cells - 1 - k % cells;
    all[at / 64] |= std::uint64_t{1} << (at % 64);
  });
  return all;
}

/// Positions as the mover sees them, and whether the mover wins.
class Labelled {
 public:
  Labelled(std::size_t size, std::size_t reach) : size_(size), reach_(reach) {}
  void add(const Row& row, bool mover_wins) {
    rows_.push_back(row);
    labels_.push_back(mover_wins ? 0 : 1);
  }
  std::size_t size() const { return rows_.size(); }
  const std::vector<std::uint32_t>& labels() const { return labels_; }
  std::size_t stones(std::size_t r) const {
    std::size_t count = 0;
    for_each(rows_[r], [&](std::size_t /*feature*/) { ++count; });
    return count;
  }
  BitMatrix rows() const {
    BitMatrix all(rows_.size(), reach_feature_count(size_, reach_));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::ranges::copy(with_reach(rows_[r], size_, reach_), all.row(r).begin());
    }
    return all;
  }

 private:
  std::size_t size_, reach_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> labels_;
};

/// The positions that are tested, and the others, which are learned: each also turned, and none that is tested.
struct Split {
  explicit Split(const WinnerTask& task)
      : size(task.size), learned(task.size, task.reach), tested(task.size, task.reach) {}
  void test(const Board& board, bool mover_wins) {
    const Row row = features_of(board);
    known.insert({row, turned(row, size)});
    tested.add(row, mover_wins);
  }
  /// After all that are tested.
  void learn(const Board& board, bool mover_wins) {
    const Row row = features_of(board);
    if (known.contains(row)) return;
    learned.add(row, mover_wins);
    learned.add(turned(row, size), mover_wins);
  }

  std::size_t size;
  Labelled learned, tested;
  std::set<Row> known;
};

/// Positions after random moves in which nobody has won.
template <class Add>
void for_each_random(const WinnerTask& task, std::size_t count, std::uint64_t seed, Solver& solver, const Add& add) {
  Random random(seed);
  for (std::size_t done = 0; done < count;) {
    Board board(task.size);
    const std::size_t stones = task.least + random.below(task.most - task.least + 1);
    while (!board.over() && board.stones() < stones) {
      const std::vector<std::size_t> free = board.legal_cells();
      board.play(free[random.below(free.size())]);
    }
    if (board.over()) continue;
    add(board, solver.winner(board) == board.to_move());
    ++done;
  }
}

template <class Add>
void for_each_in(const WinnerTask& task, const Game& game, std::optional<Solver>& solver, const Add& add) {
  Board board(task.size);
  for (const std::size_t move : game.moves) {
    board.play(move);
    if (board.over() || board.stones() < task.least || board.stones() > task.most) continue;
    add(board, (solver ? solver->winner(board) : game.winner) == board.to_move());
  }
}

/// Tuning leaves the test positions alone: others after random moves, other games.
Split positions_of(const WinnerTask& task) {
  std::optional<Solver> solver;
  if (!task.results) solver.emplace(task.size);
  Split split(task);
  const auto test = [&](const Board& board, bool mover_wins) { split.test(board, mover_wins); };
  const auto learn = [&](const Board& board, bool mover_wins) { split.learn(board, mover_wins); };
  if (task.games.empty()) {
    for_each_random(task, task.tests, seed_of(task.seed, task.tuning ? 2 : 1), *solver, test);
    for_each_random(task, task.positions, seed_of(task.seed, 0), *solver, learn);
  } else {
    const std::vector<Game> games = games_of_text(task.size, read_text(task.games), task.games);
    const auto visit = [&](bool tested, const auto& add) {
      for (std::size_t g = 0; g < games.size(); ++g) {
        if (task.tuning && g % 5 == 4) continue;
        if ((g % 5 == (task.tuning ? 3 : 4)) == tested) for_each_in(task, games[g], solver, add);
      }
    };
    visit(true, test);
    visit(false, learn);
  }
  if (split.learned.size() == 0 || split.tested.size() == 0) {
    throw DataError("there is no position with so many stones to learn, or none to test");
  }
  return split;
}

}  // namespace

WinnerReport learn_winners(const WinnerTask& task) {
  if (task.least > task.most || task.most >= task.size * task.size) {
    throw ConfigError(fmt::format("stones must be from least to most, below {} cells, got {} to {}",
                                  task.size * task.size, task.least, task.most));
  }
  if (task.results && task.games.empty()) throw ConfigError("results are those of games: name their file");
  const Split split = positions_of(task);
  Options options;
  options.clauses = task.clauses;
  options.threshold = task.threshold;
  options.specificity = task.specificity;
  options.weighted = true;
  options.max_literals = task.max_literals;
  options.threads = 1;
  options.seed = task.seed;
  Machine machine(options, reach_feature_count(task.size, task.reach), 2);
  machine.learn(split.learned.rows(), Targets(split.learned.labels()), static_cast<std::uint64_t>(task.epochs));
  const Model model = machine.model();
  const std::vector<std::uint32_t> answers = Predictor(model).predict(split.tested.rows());
  WinnerReport report;
  report.by_stones.resize(task.size * task.size);
  report.learned = split.learned.size();
  report.tested = answers.size();
  report.literals = static_cast<double>(model.included()) / static_cast<double>(model.clauses());
  for (std::size_t r = 0; r < answers.size(); ++r) {
    const bool right = answers[r] == split.tested.labels()[r];
    WinnerCounts& counts = report.by_stones[split.tested.stones(r)];
    ++counts.positions;
    counts.right += right;
    report.right += right;
    report.mover_wins += split.tested.labels()[r] == 0;
  }
  return report;
}

}  // namespace falsum::hex
