// Bit-sliced voting, written once over `Wide`: 512 bits, one per sample. A kernel file defines Wide for its instruction
// set and includes this file inside an anonymous namespace.
//
// Wide: load store ones operator& operator^ sum(a, b, c) -> xor of three, carry(a, b, c) -> majority

/// The AND of `length` columns, four at a time; lists are padded with a column of ones.
inline Wide wide_conjunction(const std::uint64_t* columns, const std::uint32_t* ids, std::uint32_t length) {
  Wide a = Wide::load(columns + 8 * std::size_t{ids[0]}), b = Wide::load(columns + 8 * std::size_t{ids[1]});
  a = a & Wide::load(columns + 8 * std::size_t{ids[2]});
  b = b & Wide::load(columns + 8 * std::size_t{ids[3]});
  for (std::uint32_t i = 4; i < length; i += 4) {
    a = a & Wide::load(columns + 8 * std::size_t{ids[i]}) & Wide::load(columns + 8 * std::size_t{ids[i + 1]});
    b = b & Wide::load(columns + 8 * std::size_t{ids[i + 2]}) & Wide::load(columns + 8 * std::size_t{ids[i + 3]});
  }
  return a & b;
}

/// Adds `bits`, worth 2^plane each, to the counters.
inline void ripple(Wide bits, std::uint32_t plane, std::uint32_t planes, std::uint64_t* counters) {
  for (; plane < planes; ++plane) {
    const Wide old = Wide::load(counters + 8 * plane);
    (old ^ bits).store(counters + 8 * plane);
    bits = old & bits;
  }
}

void sliced_votes(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const std::uint32_t* ids,
                  std::uint32_t planes, std::uint64_t* counters) {
  const Wide none = Wide::ones() ^ Wide::ones();
  for (std::uint32_t p = 0; p < planes; ++p) none.store(counters + 8 * p);
  // A tree of carry-save adders: eight clauses at a time leave one word worth eight each, and the rest stays in three
  // words.
  Wide ones = none, twos = none, fours = none;
  Wide waiting[8];
  std::uint32_t filled = 0;
  for (const SlicedRun* run = runs; run != runs + run_count; ++run) {
    for (std::uint32_t c = 0; c < run->clauses; ++c, ids += run->length) {
      waiting[filled++] = wide_conjunction(columns, ids, run->length);
      if (filled < 8) continue;
      filled = 0;
      const Wide two_a = carry(ones, waiting[0], waiting[1]);
      ones = sum(ones, waiting[0], waiting[1]);
      const Wide two_b = carry(ones, waiting[2], waiting[3]);
      ones = sum(ones, waiting[2], waiting[3]);
      const Wide four_a = carry(twos, two_a, two_b);
      twos = sum(twos, two_a, two_b);
      const Wide two_c = carry(ones, waiting[4], waiting[5]);
      ones = sum(ones, waiting[4], waiting[5]);
      const Wide two_d = carry(ones, waiting[6], waiting[7]);
      ones = sum(ones, waiting[6], waiting[7]);
      const Wide four_b = carry(twos, two_c, two_d);
      twos = sum(twos, two_c, two_d);
      const Wide eight = carry(fours, four_a, four_b);
      fours = sum(fours, four_a, four_b);
      ripple(eight, 3, planes, counters);
    }
  }
  for (std::uint32_t i = 0; i < filled; ++i) ripple(waiting[i], 0, planes, counters);
  ripple(ones, 0, planes, counters);
  ripple(twos, 1, planes, counters);
  ripple(fours, 2, planes, counters);
}
