// Bit-sliced voting, written once over `Wide`: 512 bits, one per sample. A kernel file defines Wide for its instruction
// set and includes this file inside an anonymous namespace.
//
// Wide: load store ones operator& operator^ operator| sum(a, b, c) -> xor of three, carry(a, b, c) -> majority
//       up<n>(a) down<n>(a) -> each 64-bit word shifted to higher or lower bits

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
  // A tree of carry-save adders: eight clauses at a time carry one word worth eight, and the remainder stays in three
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

/// Swaps the quadrants of size x size in a 64 x 64 bit matrix, for the eight matrices that lie side by side in the
/// lanes.
template <int kSize>
inline void swap_quadrants(std::uint64_t* m, std::uint64_t mask_word) {
  std::uint64_t masks[8];
  for (std::uint64_t& word : masks) word = mask_word;
  const Wide mask = Wide::load(masks);
  for (unsigned r = 0; r < 64; r = (r + kSize + 1) & ~static_cast<unsigned>(kSize)) {
    std::uint64_t* const upper = m + 8 * r;
    std::uint64_t* const lower = m + 8 * (r + kSize);
    const Wide a = Wide::load(upper), b = Wide::load(lower);
    const Wide swapped = (down<kSize>(a) ^ b) & mask;
    (a ^ up<kSize>(swapped)).store(upper);
    (b ^ swapped).store(lower);
  }
}

void transpose(std::uint64_t* squares) {
  swap_quadrants<32>(squares, 0x00000000ffffffffu);
  swap_quadrants<16>(squares, 0x0000ffff0000ffffu);
  swap_quadrants<8>(squares, 0x00ff00ff00ff00ffu);
  swap_quadrants<4>(squares, 0x0f0f0f0f0f0f0f0fu);
  swap_quadrants<2>(squares, 0x3333333333333333u);
  swap_quadrants<1>(squares, 0x5555555555555555u);
}

void slice(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
           std::uint64_t* columns) {
  // Lane g of word r is sample 64 g + r, so transposing all eight matrices at once gives whole columns.
  alignas(64) std::uint64_t square[8 * 64];
  for (std::size_t w = 0; 64 * w < features; ++w) {
    for (std::size_t r = 0; r < 64; ++r) {
      for (std::size_t g = 0; g < 8; ++g) {
        const std::size_t sample = 64 * g + r;
        square[8 * r + g] = sample < count ? rows[sample * words_per_row + w] : 0;
      }
    }
    transpose(square);
    for (std::size_t k = 64 * w; k < 64 * w + 64 && k < features; ++k) {
      const Wide truth = Wide::load(square + 8 * (k % 64));
      truth.store(columns + 8 * k);
      (truth ^ Wide::ones()).store(columns + 8 * (features + k));
    }
  }
}

void bitwise_or(const std::uint64_t* const* rows, std::size_t count, std::size_t lines, std::uint64_t* words) {
  std::size_t line = 0;
  for (; line + 4 <= lines; line += 4) {  // four lines stay in registers while the loop passes all rows
    std::uint64_t* const out = words + 8 * line;
    Wide a = Wide::load(out), b = Wide::load(out + 8), c = Wide::load(out + 16), d = Wide::load(out + 24);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* const row = rows[i] + 8 * line;
      a = a | Wide::load(row);
      b = b | Wide::load(row + 8);
      c = c | Wide::load(row + 16);
      d = d | Wide::load(row + 24);
    }
    a.store(out);
    b.store(out + 8);
    c.store(out + 16);
    d.store(out + 24);
  }
  for (; line < lines; ++line) {
    Wide a = Wide::load(words + 8 * line);
    for (std::size_t i = 0; i < count; ++i) a = a | Wide::load(rows[i] + 8 * line);
    a.store(words + 8 * line);
  }
}
