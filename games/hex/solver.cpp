#include "solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "falsum/error.h"

namespace falsum::hex {
namespace {

/// Three states a cell in base 3 fit 64 bits for up to 40 cells. Whoever is to move follows from the stones if they
/// alternate; after other sequences the two positions differ in this bit.
std::uint64_t key_of(const Board& board) {
  std::uint64_t key = board.to_move() == Colour::kBlack ? 0 : 1;
  for (std::size_t cell = 0; cell < board.cells(); ++cell) {
    key = 3 * key + (board.has(Colour::kBlack, cell) ? 1 : board.has(Colour::kWhite, cell) ? 2 : 0);
  }
  return key;
}

}  // namespace

Colour Solver::winner(const Board& board) {
  if (board.cells() > 36) throw ConfigError(fmt::format("size must be at most 6 to be solved, got {}", board.size()));
  if (board.over()) return *board.winner();
  return mover_wins(board) ? board.to_move() : other(board.to_move());
}

bool Solver::mover_wins(const Board& board) {
  const std::uint64_t key = key_of(board);
  if (const auto known = solved_.find(key); known != solved_.end()) return known->second;
  std::vector<std::size_t> cells = board.legal_cells();
  const auto from_centre = [&](std::size_t cell) {  // good moves first
    const auto twice = [&](std::size_t x) {
      return std::abs(2 * static_cast<int>(x) - static_cast<int>(board.size()) + 1);
    };
    return twice(cell / board.size()) + twice(cell % board.size());
  };
  std::ranges::stable_sort(cells, {}, from_centre);
  bool wins = false;
  for (const std::size_t cell : cells) {
    Board next = board;
    next.play(cell);
    wins = next.over() ? next.winner() == board.to_move() : !mover_wins(next);
    if (wins) break;
  }
  if (solved_.size() >= most_) {
    throw ConfigError(
        fmt::format("the position needs more than {} positions to be solved: try one with more stones", most_));
  }
  solved_.emplace(key, wins);
  return wins;
}

}  // namespace falsum::hex
