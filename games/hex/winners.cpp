#include "winners.h"

#include <algorithm>

#include "falsum/predictor.h"
#include "features.h"
#include "random.h"
#include "solver.h"

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

Positions solved_positions(std::size_t size, std::size_t count, std::size_t least, std::size_t most,
                           std::uint64_t seed) {
  Positions all{BitMatrix(count, feature_count(size)), {}};
  Solver solver;
  Random random(seed);
  while (all.labels.size() < count) {
    Board board(size);
    const std::size_t stones = least + random.below(most - least + 1);
    while (!board.over() && board.stones() < stones) {
      const std::vector<std::size_t> free = board.legal_cells();
      board.play(free[random.below(free.size())]);
    }
    if (board.over()) continue;
    std::ranges::copy(features_of(board), all.rows.row(all.labels.size()).begin());
    all.labels.push_back(solver.winner(board) == board.to_move() ? 0 : 1);
  }
  return all;
}

}  // namespace falsum::hex
