// Games: playing one, keeping many as text (a line each: "c3 b2 ... winner"), and the rows that a machine learns from.
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
  Colour winner = Colour::kBlack;
};

/// A game of self-play: a few random moves, then moves in proportion to their visits, then the best ones.
Game self_play(std::size_t size, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);

std::string games_text(std::size_t size, const std::vector<Game>& games);
/// Throws FileError for anything but finished games of this size.
std::vector<Game> games_of_text(std::size_t size, const std::string& text, const std::string& what);

/// Every position of the games after the first move, each as four rows: as it is, turned by 180 degrees, and both with
/// the colours exchanged (and the board mirrored). Labels: who won.
struct Positions {
  BitMatrix rows;
  std::vector<std::uint32_t> labels;
};
Positions positions_of(std::size_t size, const std::vector<Game>& games);

}  // namespace falsum::hex
