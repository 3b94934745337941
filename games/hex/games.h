// Games: playing one, keeping many as text, and the rows that a machine learns from. A game is a line: its moves, each
// that was searched for with black's chance before it in percent, and the winner: "c3 b2=48 ... black".
#pragma once

#include <string>
#include <vector>

#include "board.h"
#include "evaluator.h"
#include "falsum/bit_matrix.h"
#include "search.h"

namespace falsum::hex {

struct Game {
  std::vector<std::size_t> moves;
  std::vector<std::optional<int>> chances;  // black's before each move, in percent, where it was searched for
  Colour winner = Colour::kBlack;
};

/// A game of self-play: a few random moves, then moves in proportion to their visits, then the best ones.
Game self_play(std::size_t size, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);

std::string games_text(std::size_t size, const std::vector<Game>& games);
/// Throws FileError for anything but finished games of this size.
std::vector<Game> games_of_text(std::size_t size, const std::string& text, const std::string& what);

/// Positions of the games whose search gave one of the players at least 50% + `margin`, each as four rows: as it is,
/// turned by 180 degrees, and both with the colours exchanged (and the board mirrored). Labels: whom the search gave
/// more. It sees more than the result of the game does, in which both sides go wrong later.
struct Positions {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;
};
Positions positions_of(std::size_t size, const std::vector<Game>& games, int margin = 10);

}  // namespace falsum::hex
