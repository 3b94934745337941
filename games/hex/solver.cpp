#include "solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "falsum/error.h"
#include "random.h"

namespace falsum::hex {
namespace {

constexpr std::size_t kMostKnown = 4'000'000;  // then the table begins anew

Solver::Cells lowest(Solver::Cells cells) { return cells & (~cells + 1); }

}  // namespace

Solver::Solver(std::size_t size) : size_(size) {
  if (size < kLeastSize || size > kMostSize) {
    throw ConfigError(fmt::format("size must be from {} to {} to be solved, got {}", kLeastSize, kMostSize, size));
  }
  Cells left = 0, right = 0, top = 0, bottom = 0;
  for (std::size_t cell = 0; cell < size * size; ++cell) {
    const Cells bit = Cells{1} << cell;
    all_ |= bit;
    if (cell % size == 0) left |= bit;
    if (cell % size + 1 == size) right |= bit;
    if (cell < size) top |= bit;
    if (cell + size >= size * size) bottom |= bit;
  }
  not_left_ = all_ & ~left;
  not_right_ = all_ & ~right;
  sides_[id(Colour::kBlack)] = {top, bottom};
  sides_[id(Colour::kWhite)] = {left, right};
}

std::size_t Solver::Hash::operator()(const Position& position) const {
  return static_cast<std::size_t>(Random(Random(position.stones[0])() ^ position.stones[1])()) + position.mover;
}

Colour Solver::winner(const Board& board) {
  if (board.over()) return *board.winner();
  const Position position = {{board.stones(Colour::kBlack)[0], board.stones(Colour::kWhite)[0]},
                             static_cast<std::uint8_t>(id(board.to_move()))};
  return solve(position).mover_wins ? board.to_move() : other(board.to_move());
}

Solver::Cells Solver::near(Cells cells) const {
  const Cells leftwards = cells & not_left_, rightwards = cells & not_right_;
  return (cells << size_ | cells >> size_ | leftwards >> 1 | rightwards << 1 | leftwards << (size_ - 1) |
          rightwards >> (size_ - 1)) &
         all_;
}

bool Solver::connected(Cells stones, Cells empty, const Sides& sides, Cells& carrier) const {
  struct Group {
    Cells liberties, carrier;
    bool last;
  };
  Group reached[40];
  std::size_t count = 0, done = 0;
  Cells left = stones;
  const auto whole = [&](Cells group) {  // takes it from those left
    for (Cells more = group; more != 0;) {
      more = near(group) & stones & ~group;
      group |= more;
    }
    left &= ~group;
    return group;
  };
  const Cells edge = stones & sides.first;
  Cells root = 0;
  for (Cells rest = edge; rest != 0; rest &= left) root |= whole(lowest(rest));
  reached[count++] = {(near(root) | sides.first) & empty, 0, (root & sides.last) != 0};
  Cells groups[40];
  std::size_t others = 0;
  while (left != 0) groups[others++] = whole(lowest(left));
  for (; done < count; ++done) {
    const Group from = reached[done];
    if (from.last) return carrier = from.carrier, true;
    const auto link = [&](Cells liberties, bool last) {
      const Cells free = from.liberties & liberties & ~from.carrier;
      const Cells first = lowest(free), second = lowest(free & ~first);
      if (second == 0) return false;
      reached[count++] = {liberties, from.carrier | first | second, last};
      return true;
    };
    if (link(sides.last & empty, true)) return carrier = reached[count - 1].carrier, true;
    for (std::size_t g = 0; g < others;) {
      if (link(near(groups[g]) & empty, (groups[g] & sides.last) != 0)) {
        groups[g] = groups[--others];
      } else {
        ++g;
      }
    }
  }
  return false;
}

void Solver::add_distances(Cells from, Cells stones, Cells empty, std::uint8_t* sums) const {
  Cells seen = from & (stones | empty), fresh = seen;
  for (std::uint8_t distance = 1; fresh != 0; ++distance) {
    for (Cells more = fresh & stones; more != 0;) {  // through stones at no cost
      more = near(more) & (stones | empty) & ~seen;
      seen |= more;
      fresh |= more;
      more &= stones;
    }
    for (Cells cells = fresh & empty; cells != 0; cells &= cells - 1) sums[std::countr_zero(cells)] += distance;
    fresh = near(fresh) & (stones | empty) & ~seen;
    seen |= fresh;
  }
  for (Cells cells = empty & ~seen; cells != 0; cells &= cells - 1) sums[std::countr_zero(cells)] += 20;
}

Solver::Result Solver::solve(const Position& position) {
  if (const auto known = known_.find(position); known != known_.end()) return known->second;
  const Result result = search(position);
  if (known_.size() >= kMostKnown) known_.clear();
  known_.emplace(position, result);
  return result;
}

Solver::Result Solver::search(const Position& position) {
  ++positions_;
  const std::size_t me = position.mover, them = 1 - me;
  const Cells mine = position.stones[me], theirs = position.stones[them], empty = all_ & ~(mine | theirs);
  Cells carrier = 0;
  if (connected(theirs, empty, sides_[them], carrier)) return {false, carrier};
  for (Cells cells = empty; cells != 0; cells &= cells - 1) {
    const Cells move = lowest(cells);
    if (connected(mine | move, empty & ~move, sides_[me], carrier)) return {true, carrier | move};
  }
  Cells wanted = empty, loses = 0;
  const auto threat = [&](Cells needs) {
    wanted &= needs;
    loses |= needs;
  };
  for (Cells cells = empty; cells != 0; cells &= cells - 1) {
    const Cells move = lowest(cells);
    if (connected(theirs | move, empty & ~move, sides_[them], carrier)) threat(carrier | move);
  }
  std::uint8_t sums[64] = {};
  if (wanted != 0) {
    add_distances(sides_[me].first, mine, empty, sums);
    add_distances(sides_[me].last, mine, empty, sums);
    add_distances(sides_[them].first, theirs, empty, sums);
    add_distances(sides_[them].last, theirs, empty, sums);
  }
  while (wanted != 0) {  // the cell that is on the shortest ways of both players
    int best = std::countr_zero(wanted);
    for (Cells cells = wanted; cells != 0; cells &= cells - 1) {
      if (sums[std::countr_zero(cells)] < sums[best]) best = std::countr_zero(cells);
    }
    const Cells move = Cells{1} << best;
    Position next = position;
    next.stones[me] |= move;
    next.mover = static_cast<std::uint8_t>(them);
    const Result answer = solve(next);
    if (!answer.mover_wins) return {true, answer.carrier | move};
    wanted &= ~move;
    threat(answer.carrier);
  }
  return {false, loses};
}

}  // namespace falsum::hex
