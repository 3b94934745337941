// Counters of clauses in bit planes, written once over `Wide` (sliced_body.h), a bit per clause.
//
// nonzero_words(Wide) -> a bit for each of the 8 words that is not 0

/// kPlanes: the number of planes, or 0 for any.
template <std::uint32_t kPlanes>
inline void step_counters_of(const CounterSteps& s) {
  const std::uint32_t planes = kPlanes == 0 ? s.planes : kPlanes;
  std::uint64_t words = 0;
  for (std::size_t line = 0; line < s.lines; ++line) {
    std::uint64_t* const counters = s.counters + 8 * line * planes;
    const Wide up = Wide::load(s.up + 8 * line);
    Wide moved = up | Wide::load(s.down + 8 * line), before = up ^ up, after = before;
#pragma GCC unroll 8
    for (std::uint32_t p = 0; p < planes; ++p) {
      const Wide old = Wide::load(counters + 8 * p), now = old ^ moved;
      now.store(counters + 8 * p);
      before = before | old;
      after = after | now;
      moved = moved & (now ^ up);  // a carry leaves 0, a borrow leaves 1
    }
    const Wide turned = before ^ after;
    turned.store(s.turned + 8 * line);
    words |= std::uint64_t{nonzero_words(turned)} << (8 * (line % 8));
    if (line % 8 == 7 || line + 1 == s.lines) {
      s.turned_words[line / 8] = words;
      words = 0;
    }
  }
}

/// Few are on and nobody knows which, so that three are written at a time, whether there are so many or not.
inline std::uint32_t* list_bits(std::uint64_t bits, std::uint32_t first, std::uint32_t* to) {
  for (;;) {
    for (int i = 0; i < 3; ++i) {
      *to = first + static_cast<std::uint32_t>(__builtin_ctzll(bits | std::uint64_t{1} << 63));
      to += bits != 0;
      bits &= bits - 1;
    }
    if (bits == 0) return to;
  }
}

LowCounters low_counters(const std::uint64_t* counters, std::uint32_t planes, std::size_t lines, std::uint32_t* zeros,
                         std::uint32_t* ones) {
  std::uint32_t *zero = zeros, *one = ones;
  for (std::size_t line = 0; line < lines; ++line, counters += 8 * planes) {
    Wide several = Wide::load(counters + 8);
    for (std::uint32_t p = 2; p < planes; ++p) several = several | Wide::load(counters + 8 * p);
    const Wide odd = Wide::load(counters), low = several ^ Wide::ones();
    alignas(64) std::uint64_t zero_bits[8], one_bits[8];
    (low & odd).store(one_bits);
    (low & (odd ^ Wide::ones())).store(zero_bits);
    for (std::uint32_t w = 0; w < 8; ++w) {
      const auto first = static_cast<std::uint32_t>(512 * line) + 64 * w;
      zero = list_bits(zero_bits[w], first, zero);
      one = list_bits(one_bits[w], first, one);
    }
  }
  return {static_cast<std::size_t>(zero - zeros), static_cast<std::size_t>(one - ones)};
}

void step_counters(const CounterSteps& s) {
  switch (s.planes) {
    case 3:
      return step_counters_of<3>(s);
    case 4:
      return step_counters_of<4>(s);
    case 5:
      return step_counters_of<5>(s);
    default:
      return step_counters_of<0>(s);
  }
}
