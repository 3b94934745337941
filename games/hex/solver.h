// Who wins a position if both play best: by trying all moves, with a table of positions that were solved. For small
// boards: 5x5 with a few stones takes milliseconds.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "board.h"

namespace falsum::hex {

class Solver {
 public:
  explicit Solver(std::size_t most_positions = 20'000'000) : most_(most_positions) {}
  /// The board has at most 36 cells. Throws ConfigError for larger ones and when the table is full.
  Colour winner(const Board& board);
  std::size_t positions() const { return solved_.size(); }

 private:
  bool mover_wins(const Board& board);

  std::size_t most_;
  std::unordered_map<std::uint64_t, bool> solved_;
};

}  // namespace falsum::hex
