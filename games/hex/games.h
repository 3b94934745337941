// Games: playing one, keeping many as text, and the rows that machines learn from. A game is a line: its moves, then
// the winner. A move that was searched for says black's chance before it in percent, and the best move if it is
// another: "c3 b2=48 d4=51:c4 ... black".
#pragma once

#include <string>
#include <vector>

#include "board.h"
#include "evaluator.h"
#include "falsum/bit_matrix.h"
#include "search.h"

namespace falsum::hex {

struct Searched {
  int chance = 50;  // black's, in percent
  std::size_t best = 0;
};
struct Game {
  std::vector<std::size_t> moves;
  std::vector<std::optional<Searched>> searched;  // before each move
  Colour winner = Colour::kBlack;
};

/// A game of self-play: a few random moves, then moves in proportion to their visits, then the best ones.
Game self_play(std::size_t size, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);

std::string games_text(std::size_t size, const std::vector<Game>& games);
/// Throws FileError for anything but finished games of this size.
std::vector<Game> games_of_text(std::size_t size, const std::string& text, const std::string& what);

/// Rows as their mover sees them (features.h), each also turned by 180 degrees.
struct Positions {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;
};
/// Who wins: positions whose search gave one of the players at least 50% + `margin`; label 0 if that was the mover. The
/// search sees more than the result of the game does, in which both sides go wrong later.
Positions value_positions(std::size_t size, const std::vector<Game>& games, int margin = 10);
/// Which move is best: all positions that were searched; the label is the cell.
Positions policy_positions(std::size_t size, const std::vector<Game>& games);

}  // namespace falsum::hex
