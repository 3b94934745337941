// Monte Carlo tree search, one thread. Down the tree by PUCT where the evaluator knows chances of moves (priors: odds
// of each child to the power 1 / temperature; a child that was never visited has the chance that the evaluator gave
// it), by UCT where it does not; at a leaf the evaluator's value, and up again. Positions with a winner have their
// exact value.
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
  double exploration = 0.6;          // of PUCT
  double uct_exploration = 0.5;      // of UCT
  double temperature = 2;            // of the priors
};

struct SearchResult {
  std::size_t move = 0;  // visited most
  double value = 0.5;    // chance of the player to move
  std::uint64_t simulations = 0;
  double seconds = 0;
  std::vector<std::size_t> cells;     // the moves,
  std::vector<std::uint32_t> visits;  // how often each was tried,
  std::vector<double> chances;        // and the mover's chance after it
};

/// The game must not be over. Throws ConfigError without a limit.
SearchResult search(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);

/// Whether the second player should swap; and a first move after which it should not matter.
bool wants_swap(const Board& board, Evaluator& evaluator, const SearchOptions& options, std::uint64_t seed);
std::size_t fair_first_move(const Board& board, Evaluator& evaluator, std::uint64_t seed);

}  // namespace falsum::hex
