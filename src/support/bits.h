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

/// visit(index) for every set bit from `first` up to, not including, `last`.
template <class Visit>
inline void for_each_bit_between(const std::uint64_t* words, std::size_t first, std::size_t last, Visit&& visit) {
  for (std::size_t w = first / 64; 64 * w < last; ++w) {
    std::uint64_t word = words[w];
    if (64 * w < first) word &= ~std::uint64_t{0} << (first % 64);
    if (last - 64 * w < 64) word &= (std::uint64_t{1} << (last % 64)) - 1;
    for_each_bit(word, 64 * w, visit);
  }
}

inline std::size_t count_bits(const std::uint64_t* words, std::size_t count) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < count; ++w) n += static_cast<std::size_t>(std::popcount(words[w]));
  return n;
}

}  // namespace falsum
