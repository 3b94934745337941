// Bit-sliced voting, written once over `Wide`: 512 bits, one per sample. A kernel file defines Wide for its instruction
// set and includes this file inside an anonymous namespace.
//
// Wide: load store ones operator& operator^ operator| sum(a, b, c) -> xor of three, carry(a, b, c) -> majority
//       up<n>(a) down<n>(a) -> each 64-bit word shifted to higher or lower bits

/// The AND of `length` columns, four at a time; lists are padded with a column of ones.
template <class Id>
inline Wide wide_conjunction(const std::uint64_t* columns, const Id* ids, std::uint32_t length) {
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

/// A tree of carry-save adders: sixteen numbers of one bit at a time carry one word worth sixteen, and the remainder
/// stays in four words.
struct CarrySave {
  Wide ones, twos, fours, eights;

  /// at(i), i = 0 .. 15, are the numbers.
  template <class At>
  Wide add_sixteen(const At& at) {
    const Wide eight_a = add_eight(at, 0);
    const Wide eight_b = add_eight(at, 8);
    return step(eights, eight_a, eight_b);
  }
  void finish(std::uint32_t plane, std::uint32_t planes, std::uint64_t* counters) const {
    ripple(ones, plane, planes, counters);
    ripple(twos, plane + 1, planes, counters);
    ripple(fours, plane + 2, planes, counters);
    ripple(eights, plane + 3, planes, counters);
  }

 private:
  static Wide step(Wide& kept, const Wide& a, const Wide& b) {
    const Wide over = carry(kept, a, b);
    kept = sum(kept, a, b);
    return over;
  }
  template <class At>
  Wide add_eight(const At& at, std::uint32_t i) {
    const Wide two_a = step(ones, at(i), at(i + 1)), two_b = step(ones, at(i + 2), at(i + 3));
    const Wide four_a = step(twos, two_a, two_b);
    const Wide two_c = step(ones, at(i + 4), at(i + 5)), two_d = step(ones, at(i + 6), at(i + 7));
    const Wide four_b = step(twos, two_c, two_d);
    return step(fours, four_a, four_b);
  }
};

template <class Id>
inline void sliced_votes_of(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const Id* ids,
                            std::uint32_t planes, std::uint64_t* counters) {
  const Wide none = Wide::ones() ^ Wide::ones();
  CarrySave kept = {none, none, none, none};
  Wide waiting[16];
  std::uint32_t filled = 0;
  for (const SlicedRun* run = runs; run != runs + run_count; ++run) {
    for (std::uint32_t c = 0; c < run->clauses; ++c, ids += run->length) {
      waiting[filled++] = wide_conjunction(columns, ids, run->length);
      if (filled < 16) continue;
      filled = 0;
      ripple(kept.add_sixteen([&](std::uint32_t i) { return waiting[i]; }), 4, planes, counters);
    }
  }
  for (std::uint32_t i = 0; i < filled; ++i) ripple(waiting[i], 0, planes, counters);
  kept.finish(0, planes, counters);
}

void sliced_votes(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const IdList& ids,
                  std::uint32_t planes, std::uint64_t* counters) {
  ids.wide ? sliced_votes_of(columns, runs, run_count, static_cast<const std::uint32_t*>(ids.ids), planes, counters)
           : sliced_votes_of(columns, runs, run_count, static_cast<const std::uint16_t*>(ids.ids), planes, counters);
}

template <class Id>
inline void sliced_outputs_of(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const Id* ids,
                              std::uint64_t* outputs) {
  for (const SlicedRun* run = runs; run != runs + run_count; ++run) {
    for (std::uint32_t c = 0; c < run->clauses; ++c, ids += run->length, outputs += 8) {
      wide_conjunction(columns, ids, run->length).store(outputs);
    }
  }
}
void sliced_outputs(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const IdList& ids,
                    std::uint64_t* outputs) {
  ids.wide ? sliced_outputs_of(columns, runs, run_count, static_cast<const std::uint32_t*>(ids.ids), outputs)
           : sliced_outputs_of(columns, runs, run_count, static_cast<const std::uint16_t*>(ids.ids), outputs);
}

void sliced_sum(const std::uint64_t* outputs, const std::uint8_t* members, const std::uint16_t* counts,
                std::uint32_t digits, std::uint32_t planes, std::uint64_t* counters, std::uint64_t* carries) {
  std::size_t carried = 0;  // from the plane before
  for (std::uint32_t p = 0; p < planes && (p < digits || carried > 0); ++p) {
    Wide kept = Wide::load(counters + 8 * p);
    std::size_t next = 0;
    const auto add = [&](const Wide& a, const Wide& b) {
      carry(kept, a, b).store(carries + 8 * next++);
      kept = sum(kept, a, b);
    };
    // In place: two are read before one is written.
    std::size_t i = 0;
    for (; i + 2 <= carried; i += 2) add(Wide::load(carries + 8 * i), Wide::load(carries + 8 * (i + 1)));
    const std::size_t count = p < digits ? counts[p] : 0;
    const auto member = [&](std::size_t m) { return Wide::load(outputs + 8 * std::size_t{members[m]}); };
    std::size_t m = 0;
    if (i < carried) add(Wide::load(carries + 8 * i), count > 0 ? member(m++) : Wide::ones() ^ Wide::ones());
    for (; m + 2 <= count; m += 2) add(member(m), member(m + 1));
    if (m < count) add(member(m), Wide::ones() ^ Wide::ones());
    kept.store(counters + 8 * p);
    members += count;
    carried = next;
  }
}

void sliced_difference(const std::uint64_t* plus, const std::uint64_t* minus, std::uint32_t planes,
                       std::uint64_t* out) {
  Wide over = Wide::ones() ^ Wide::ones();
  for (std::uint32_t p = 0; p < planes; ++p) {
    const Wide a = Wide::load(plus + 8 * p), b = Wide::load(minus + 8 * p) ^ Wide::ones();
    sum(a, b, over).store(out + 8 * p);
    over = carry(a, b, over);
  }
  over.store(out + 8 * planes);
}

void sliced_most(const std::uint64_t* value, std::uint32_t planes, std::uint32_t number, std::uint32_t number_planes,
                 std::uint64_t* best, std::uint64_t* numbers) {
  Wide larger = Wide::ones() ^ Wide::ones();  // borrows of best - value
  for (std::uint32_t p = 0; p < planes; ++p) {
    larger = carry(Wide::load(best + 8 * p) ^ Wide::ones(), Wide::load(value + 8 * p), larger);
  }
  for (std::uint32_t p = 0; p < planes; ++p) {
    const Wide old = Wide::load(best + 8 * p);
    (old ^ ((old ^ Wide::load(value + 8 * p)) & larger)).store(best + 8 * p);
  }
  for (std::uint32_t p = 0; p < number_planes; ++p) {
    const Wide old = Wide::load(numbers + 8 * p);
    ((number >> p) & 1 ? old | larger : old & (larger ^ Wide::ones())).store(numbers + 8 * p);
  }
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

template <bool kNegations>
inline void slice_rows(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
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
      if (kNegations) (truth ^ Wide::ones()).store(columns + 8 * (features + k));
    }
  }
}
void slice(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
           std::uint64_t* columns) {
  slice_rows<true>(rows, words_per_row, count, features, columns);
}
void slice_features(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
                    std::uint64_t* columns) {
  slice_rows<false>(rows, words_per_row, count, features, columns);
}

/// kLines lines stay in registers while the loop passes all rows.
template <std::size_t kLines>
inline void or_lines(const std::uint64_t* const* rows, std::size_t count, std::size_t line, std::uint64_t* words) {
  Wide all[kLines];
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLines; ++j) all[j] = Wide::load(words + 8 * (line + j));
  for (std::size_t i = 0; i < count; ++i) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kLines; ++j) all[j] = all[j] | Wide::load(rows[i] + 8 * (line + j));
  }
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLines; ++j) all[j].store(words + 8 * (line + j));
}

void bitwise_or(const std::uint64_t* const* rows, std::size_t count, std::size_t lines, std::uint64_t* words) {
  std::size_t line = 0;
  for (; line + kLinesAtOnce <= lines; line += kLinesAtOnce) or_lines<kLinesAtOnce>(rows, count, line, words);
  for (; line < lines; ++line) or_lines<1>(rows, count, line, words);
}
