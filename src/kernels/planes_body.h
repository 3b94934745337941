// Bit planes to sums, as a loop that compilers vectorise.

void tally(const std::uint64_t* planes, std::uint32_t plane_count, std::int32_t worth, std::int32_t* sums) {
  for (std::uint32_t p = 0; p < plane_count; ++p) {
    const std::uint32_t value = static_cast<std::uint32_t>(worth) << p;
    for (std::size_t half = 0; half < 16; ++half) {  // 32 samples at a time: vectors have 32-bit shifts
      const auto bits = static_cast<std::uint32_t>(planes[8 * p + half / 2] >> (32 * (half % 2)));
      for (std::uint32_t j = 0; j < 32; ++j) {
        const std::uint32_t more = (0u - ((bits >> j) & 1)) & value;
        sums[32 * half + j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[32 * half + j]) + more);
      }
    }
  }
}
