// Hex: two players put stones on a rhombus of n x n cells in turn. Black connects top and bottom, white left and right;
// one of them always does, and no stone is ever removed.
//
//   a b c        neighbours of b2: b1 c1 a2 c2 a3 b3
// 1 \ . . .
//  2 \ . . .     cell = row * n + column; "a1" is column a, row 1
//   3 \ . . .
//
// Stones are bits of 64-bit words, two for each player; groups are a union-find over the cells and the four edges, so a
// move costs a few finds and the winner is known after each. A board is copied in less than a microsecond: searches
// copy it instead of taking moves back.
//
// Swap: instead of a second stone white may take black's first stone: it becomes a white stone at the mirrored cell
// (column and row exchanged), and black moves next.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace falsum::hex {

constexpr std::size_t kLeastSize = 2, kMostSize = 11;
constexpr std::size_t kMostCells = kMostSize * kMostSize;
constexpr std::size_t kSwap = kMostCells;  // as a move

enum class Colour : std::uint8_t { kBlack = 0, kWhite = 1 };
constexpr Colour other(Colour colour) { return colour == Colour::kBlack ? Colour::kWhite : Colour::kBlack; }
constexpr std::size_t id(Colour colour) { return static_cast<std::size_t>(colour); }
inline const char* name_of(Colour colour) { return colour == Colour::kBlack ? "black" : "white"; }

class Board {
 public:
  /// Throws ConfigError for a size that is not from 2 to 11.
  explicit Board(std::size_t size);

  std::size_t size() const { return size_; }
  std::size_t cells() const { return size_ * size_; }
  Colour to_move() const { return to_move_; }
  std::size_t moves() const { return moves_; }  // a swap counts as one
  std::size_t stones() const { return stones_; }

  bool has(Colour colour, std::size_t cell) const { return (bits_[id(colour)][cell / 64] >> (cell % 64)) & 1; }
  /// A bit for each cell.
  const std::array<std::uint64_t, 2>& stones(Colour colour) const { return bits_[id(colour)]; }
  bool empty(std::size_t cell) const { return !has(Colour::kBlack, cell) && !has(Colour::kWhite, cell); }
  std::optional<Colour> winner() const { return winner_; }
  bool over() const { return winner_.has_value(); }
  bool can_swap() const { return moves_ == 1 && stones_ == 1; }
  /// Whether the player to move may make this move: a cell, or kSwap.
  bool legal(std::size_t move) const { return !over() && (move == kSwap ? can_swap() : move < cells() && empty(move)); }
  /// Without the swap.
  std::vector<std::size_t> legal_cells() const;

  /// The move must be legal.
  void play(std::size_t move);
  /// A stone of any colour, whoever is to move; the cell must be empty. The other colour is to move.
  void put(Colour colour, std::size_t cell);

  std::size_t mirrored(std::size_t cell) const { return cell % size_ * size_ + cell / size_; }
  std::string text() const;  // the board as lines
  /// "c2", "swap-pieces"; and back: no value for a text that is no move of this board.
  std::string name(std::size_t move) const;
  std::optional<std::size_t> move_named(const std::string& text) const;

 private:
  std::uint8_t find(std::uint8_t node);
  void join(std::uint8_t a, std::uint8_t b);

  std::uint8_t size_;
  Colour to_move_ = Colour::kBlack;
  std::uint8_t moves_ = 0, stones_ = 0;
  std::optional<Colour> winner_;
  std::array<std::array<std::uint64_t, 2>, 2> bits_{};
  std::array<std::uint8_t, kMostCells + 4> parent_;  // the last four: top, bottom, left, right
};

/// The neighbours of a cell on a board of this size, at most six.
struct Neighbours {
  std::array<std::uint8_t, 6> cells;
  std::uint8_t count = 0;
};
const std::vector<Neighbours>& neighbours(std::size_t size);

}  // namespace falsum::hex
