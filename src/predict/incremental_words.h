// The word of a clause in a position (falsum/incremental.h): the number of its false literals in the low bits, the sum
// of their ids above. The sum may wrap; the number never does, since it fits by construction. A word is 0 exactly when
// no literal is false.
#pragma once

#include <cstddef>
#include <cstdint>

namespace falsum {

template <class Word>
struct FalseLiterals {
  static constexpr unsigned kCountBits = sizeof(Word) == 4 ? 8 : 32;
  static constexpr Word kCountMask = static_cast<Word>((Word{1} << kCountBits) - 1);
  static constexpr Word of(std::size_t literal) {
    return static_cast<Word>((static_cast<Word>(literal) << kCountBits) | 1);
  }
  static constexpr std::size_t count(Word word) { return word & kCountMask; }
  /// Of a word whose count is 1.
  static constexpr std::size_t only(Word word) { return word >> kCountBits; }
  /// No literal is false, or one.
  static constexpr bool near(Word word) { return (word & (kCountMask ^ 1)) == 0; }
};

/// What a 32-bit word can hold.
constexpr std::size_t kMostNarrowCount = 255, kMostNarrowLiterals = std::size_t{1} << 24;

}  // namespace falsum
