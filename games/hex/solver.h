// Who wins a position if both play best, on boards up to 8x8: 6x6 with a few stones takes milliseconds.
//
// A win comes with the empty cells that it needs (its carrier). So the player to move need only try cells that are in
// the carrier of every threat of the other player: elsewhere the threat stays. A move that loses tells one more
// carrier; when no cell is left, the position is lost, and the carriers together are that of the other player's win.
//
// Leaves are found early: a chain of groups from edge to edge is connected, whoever moves, if each link has two empty
// cells of its own. A threat is a move after which there is such a chain.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "board.h"

namespace falsum::hex {

class Solver {
 public:
  static constexpr std::size_t kMostSize = 8;
  using Cells = std::uint64_t;  // a bit for each

  /// Throws ConfigError for a larger board.
  explicit Solver(std::size_t size);

  Colour winner(const Board& board);
  /// Positions that were looked at, of all boards so far.
  std::uint64_t positions() const { return positions_; }

 private:
  struct Sides {
    Cells first, last;  // the cells of the two edges that a player connects
  };
  struct Result {
    bool mover_wins;
    Cells carrier;
  };
  struct Position {
    Cells stones[2];
    std::uint8_t mover;
    bool operator==(const Position&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Position& position) const;
  };

  Result solve(const Position& position);
  Result search(const Position& position);
  Cells near(Cells cells) const;
  /// Whether a player with these stones is connected, whoever moves; then `carrier` is what that needs.
  bool connected(Cells stones, Cells empty, const Sides& sides, Cells& carrier) const;
  /// For each cell how far it is from these: steps over empty cells, none over stones.
  void add_distances(Cells from, Cells stones, Cells empty, std::uint8_t* sums) const;

  std::size_t size_;
  Cells not_left_ = 0, not_right_ = 0, all_ = 0;
  Sides sides_[2];
  std::uint64_t positions_ = 0;
  std::unordered_map<Position, Result, Hash> known_;
};

}  // namespace falsum::hex
