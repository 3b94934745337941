// Monte Carlo tree search, one thread. Down the tree by PUCT where the evaluator knows how likely moves are, by UCT
// where it does not; at a leaf the evaluator's value, and up again. A leaf that was visited `patience` times gets
// children. Positions with a winner have their exact value.
//
// Children are tried in one order, the likely ones first: among those that were never tried the first has the highest
// score, so that a step down the tree looks at the children tried so far and one more.
//
// The same seed, evaluator and number of simulations give the same search.
#pragma once

#include <cstdint>
#include <vector>

#include "board.h"
#include "evaluator.h"

namespace falsum::hex {

struct SearchOptions {
  std::uint64_t simulations = 1000;  // at most; 0: as many as the seconds allow
  double seconds = 0;                // at most; 0: as many as the simulations need
  bool processor_time = false;       // whether seconds are those that the thread ran
  double exploration = 2;            // of PUCT
  double uct_exploration = 0.5;      // of UCT
  double caution = 0;                // PUCT: how much worse than its parent a move is thought to be before it is tried
  std::uint32_t patience = 5;
};

struct SearchResult {
  std::size_t move = 0;  // visited most
  double value = 0.5;    // chance of the player to move
  std::uint64_t simulations = 0;
  double seconds = 0;
  std::vector<std::size_t> cells;     // the moves,
  std::vector<std::uint32_t> visits;  // and how often each was tried
};

/// The game must not be over. Throws ConfigError without a limit.
SearchResult search(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);

/// Whether the second player should swap; and a first move after which it should not matter.
bool wants_swap(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);
std::size_t fair_first_move(const Board& board, Evaluator& evaluator, std::uint64_t seed);

}  // namespace falsum::hex
