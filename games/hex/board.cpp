#include "board.h"

#include <fmt/format.h>

#include "falsum/error.h"

namespace falsum::hex {
namespace {

constexpr std::uint8_t kTop = kMostCells, kBottom = kTop + 1, kLeft = kTop + 2, kRight = kTop + 3;

std::vector<Neighbours> make_neighbours(std::size_t size) {
  constexpr int kSteps[6][2] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};
  std::vector<Neighbours> all(size * size);
  const int n = static_cast<int>(size);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      Neighbours& mine = all[static_cast<std::size_t>(row * n + column)];
      for (const auto& step : kSteps) {
        const int r = row + step[0], c = column + step[1];
        if (r < 0 || r >= n || c < 0 || c >= n) continue;
        mine.cells[mine.count++] = static_cast<std::uint8_t>(r * n + c);
      }
    }
  }
  return all;
}

}  // namespace

const std::vector<Neighbours>& neighbours(std::size_t size) {
  static const std::vector<std::vector<Neighbours>> all = [] {
    std::vector<std::vector<Neighbours>> sizes(kMostSize + 1);
    for (std::size_t n = kLeastSize; n <= kMostSize; ++n) sizes[n] = make_neighbours(n);
    return sizes;
  }();
  return all[size];
}

Board::Board(std::size_t size) : size_(static_cast<std::uint8_t>(size)) {
  if (size < kLeastSize || size > kMostSize) {
    throw ConfigError(fmt::format("size must be from {} to {}, got {}", kLeastSize, kMostSize, size));
  }
  for (std::size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<std::uint8_t>(i);
}

std::uint8_t Board::find(std::uint8_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void Board::join(std::uint8_t a, std::uint8_t b) { parent_[find(a)] = find(b); }

void Board::put(Colour colour, std::size_t cell) {
  bits_[id(colour)][cell / 64] |= std::uint64_t{1} << (cell % 64);
  ++stones_;
  ++moves_;
  to_move_ = other(colour);
  const auto node = static_cast<std::uint8_t>(cell);
  const bool black = colour == Colour::kBlack;
  const std::size_t along = black ? cell / size_ : cell % size_;
  if (along == 0) join(node, black ? kTop : kLeft);
  if (along + 1 == size_) join(node, black ? kBottom : kRight);
  const Neighbours& near = neighbours(size_)[cell];
  for (std::uint8_t i = 0; i < near.count; ++i) {
    if (has(colour, near.cells[i])) join(node, near.cells[i]);
  }
  if (!winner_ && (black ? find(kTop) == find(kBottom) : find(kLeft) == find(kRight))) winner_ = colour;
}

void Board::play(std::size_t move) {
  if (move != kSwap) return put(to_move_, move);
  std::size_t cell = 0;
  while (empty(cell)) ++cell;
  const std::size_t there = mirrored(cell);
  *this = Board(size_);
  put(Colour::kWhite, there);
  ++moves_;
}

std::vector<std::size_t> Board::legal_cells() const {
  std::vector<std::size_t> free;
  for (std::size_t cell = 0; cell < cells() && !over(); ++cell) {
    if (empty(cell)) free.push_back(cell);
  }
  return free;
}

std::string Board::text() const {
  std::string text = "  ";
  for (std::size_t column = 0; column < size_; ++column) text += fmt::format(" {}", static_cast<char>('a' + column));
  text += "\n";
  for (std::size_t row = 0; row < size_; ++row) {
    text += fmt::format("{:>{}} \\", row + 1, row + 2);
    for (std::size_t column = 0; column < size_; ++column) {
      const std::size_t cell = row * size_ + column;
      text += has(Colour::kBlack, cell) ? " B" : has(Colour::kWhite, cell) ? " W" : " .";
    }
    text += fmt::format(" \\ {}\n", row + 1);
  }
  return text;
}

std::string Board::name(std::size_t move) const {
  if (move == kSwap) return "swap-pieces";
  return fmt::format("{}{}", static_cast<char>('a' + move % size_), move / size_ + 1);
}

std::optional<std::size_t> Board::move_named(const std::string& text) const {
  if (text == "swap-pieces" || text == "swap") return kSwap;
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  const int column = (text[0] | 0x20) - 'a';
  std::size_t row = 0;
  for (const char digit : text.substr(1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    row = 10 * row + static_cast<std::size_t>(digit - '0');
  }
  if (column < 0 || column >= size_ || row < 1 || row > size_) return std::nullopt;
  return (row - 1) * size_ + static_cast<std::size_t>(column);
}

}  // namespace falsum::hex
