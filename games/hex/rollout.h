// A rollout: random moves until the end. Since one of the players is connected on every full board, whatever the order
// of the moves was, the free cells are shared out at random and one fill from an edge says who won.
//
// Stones are bits of one word up to 8x8 and of two on larger boards; a fill spreads to all neighbours at once.
#pragma once

#include <cstdint>

#include "board.h"
#include "random.h"

namespace falsum::hex {

class Rollout {
 public:
  void reseed(std::uint64_t seed) { random_ = Random(seed); }
  bool black_wins(const Board& board);

 private:
  template <class Word>
  Word share(Word free, std::size_t count, std::size_t wanted);

  Random random_{0};
};

}  // namespace falsum::hex
