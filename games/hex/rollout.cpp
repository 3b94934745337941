#include "rollout.h"

#include <bit>

namespace falsum::hex {
namespace {

__extension__ using TwoWords = unsigned __int128;

template <class Word>
std::size_t count_of(Word bits) {
  if constexpr (sizeof(Word) == 8) {
    return static_cast<std::size_t>(std::popcount(bits));
  } else {
    return count_of(static_cast<std::uint64_t>(bits)) + count_of(static_cast<std::uint64_t>(bits >> 64));
  }
}

template <class Word>
struct Edges {
  Word all = 0, top = 0, bottom = 0, not_left = 0, not_right = 0;
  explicit Edges(std::size_t n) {
    for (std::size_t cell = 0; cell < n * n; ++cell) {
      const Word bit = Word{1} << cell;
      all |= bit;
      if (cell < n) top |= bit;
      if (cell >= n * (n - 1)) bottom |= bit;
      if (cell % n != 0) not_left |= bit;
      if (cell % n != n - 1) not_right |= bit;
    }
  }
};

template <class Word>
const Edges<Word>& edges(std::size_t n) {
  static const std::vector<Edges<Word>> all = [] {
    std::vector<Edges<Word>> sizes;
    for (std::size_t size = 0; size <= kMostSize && size * size <= 8 * sizeof(Word); ++size) sizes.emplace_back(size);
    return sizes;
  }();
  return all[n];
}

template <class Word>
bool top_reaches_bottom(Word stones, std::size_t n) {
  const Edges<Word>& edge = edges<Word>(n);
  for (Word reached = stones & edge.top;;) {
    const Word leftwards = reached & edge.not_left, rightwards = reached & edge.not_right;
    const Word next = (reached | reached << n | reached >> n | leftwards >> 1 | rightwards << 1 | leftwards << (n - 1) |
                       rightwards >> (n - 1)) &
                      stones;
    if (next & edge.bottom) return true;
    if (next == reached) return false;
    reached = next;
  }
}

template <class Word>
Word stones_of(const Board& board, Colour colour) {
  const std::array<std::uint64_t, 2>& words = board.stones(colour);
  if constexpr (sizeof(Word) == 8) {
    return words[0];
  } else {
    return words[0] | Word{words[1]} << 64;
  }
}

/// The bit that has `before` others of these below it.
template <class Word>
Word nth_bit(Word bits, std::size_t before) {
  for (; before > 0; --before) bits &= bits - 1;
  return bits & ~(bits - 1);
}

}  // namespace

/// `wanted` of the free cells, every choice as likely as any other: each cell by a coin, then too many or too few are
/// made right by cells drawn evenly.
template <class Word>
Word Rollout::share(Word free, std::size_t count, std::size_t wanted) {
  Word coins = random_();
  if constexpr (sizeof(Word) > 8) coins |= Word{random_()} << 64;
  Word chosen = free & coins;
  std::size_t have = count_of(chosen);
  for (; have > wanted; --have) chosen ^= nth_bit<Word>(chosen, random_.below(have));
  for (; have < wanted; ++have) chosen ^= nth_bit<Word>(free & ~chosen, random_.below(count - have));
  return chosen;
}

bool Rollout::black_wins(const Board& board) {
  const std::size_t n = board.size(), count = board.cells() - board.stones();
  const std::size_t blacks = (count + (board.to_move() == Colour::kBlack ? 1 : 0)) / 2;
  const auto play = [&]<class Word>(Word /*kind*/) {
    const Word black = stones_of<Word>(board, Colour::kBlack), white = stones_of<Word>(board, Colour::kWhite);
    const Word free = edges<Word>(n).all & ~(black | white);
    return top_reaches_bottom<Word>(black | share(free, count, blacks), n);
  };
  return board.cells() <= 64 ? play(std::uint64_t{}) : play(TwoWords{});
}

}  // namespace falsum::hex
