// Words of 64 bits: counting and walking.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace falsum {

constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

/// Calls visit(index) for every set bit of `word`, lowest first; index counts from `base`.
template <class Visit>
inline void for_each_bit(std::uint64_t word, std::size_t base, Visit&& visit) {
  for (; word != 0; word &= word - 1) visit(base + static_cast<std::size_t>(std::countr_zero(word)));
}
template <class Visit>
inline void for_each_bit(const std::uint64_t* words, std::size_t count, Visit&& visit) {
  for (std::size_t w = 0; w < count; ++w) for_each_bit(words[w], w * 64, visit);
}

inline std::size_t count_bits(const std::uint64_t* words, std::size_t count) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < count; ++w) n += static_cast<std::size_t>(std::popcount(words[w]));
  return n;
}

}  // namespace falsum
