// Fuzzy clauses on one sample, for the sets that have no vectors for it. Included inside the anonymous namespace of a
// set.

void fuzzy_misses(const std::uint64_t* row, const std::uint64_t* included, std::size_t words, std::size_t clauses,
                  std::uint32_t* misses) {
  for (std::size_t c = 0; c < clauses; ++c, included += 2 * words) {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < words; ++w) {
      sum += bits_on((included[w] & ~row[w]) | (included[words + w] & row[w]));
    }
    misses[c] = static_cast<std::uint32_t>(sum);
  }
}

/// Four at a time: their number is unpredictable, but a quarter of it less so.
std::size_t nibble_rows(const std::uint64_t* sample, std::size_t words, std::uint32_t* rows) {
  constexpr std::uint64_t kLowest = 0x1111111111111111u;
  std::size_t count = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t bits = sample[w];
    std::uint64_t on = (bits | bits >> 1 | bits >> 2 | bits >> 3) & kLowest;
    const std::size_t size = bits_on(on);
    for (std::size_t i = 0; i < size; i += 4) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < 4; ++j, on &= on - 1) {
        const auto at = static_cast<unsigned>(__builtin_ctzll(on | std::uint64_t{1} << 63));
        rows[count + i + j] = static_cast<std::uint32_t>(256 * w + 4 * at + ((bits >> at) & 15));
      }
    }
    count += size;
  }
  return count;
}
