// Fuzzy clauses, written once over `Lanes` (64 automata), `Wide` (512 samples) and `Slice` (as many samples as one
// register holds). A kernel file defines these and includes this file inside an anonymous namespace.
//
// Slice: load store kWords operator& operator^ operator|, sum and carry as Wide has them, and
//        carry_absent(kept, a, b): the complement of the carry of kept + not a + not b
// kLinesAtOnce: how many Wide or Lanes a loop may keep in registers. nibble_rows is that of fuzzy_row_body.h or the
// set's own.

inline std::uint64_t fuzzy_true_literals(const FuzzyPass& pass, std::size_t w, bool negated) {
  const std::uint64_t row = negated ? ~pass.row[w] : pass.row[w];
  return w + 1 == pass.words ? row & pass.last : row;
}

template <FuzzyKind kKind>
inline std::size_t fuzzy_pass_of(const FuzzyPass& pass) {
  const Lanes one = Lanes::broadcast(1), lowest = Lanes::broadcast(pass.lowest), limit = Lanes::broadcast(pass.limit);
  std::size_t flips = 0;
  for (std::size_t i = 0; i < 2 * pass.words; ++i) {
    const bool negated = i >= pass.words;
    const std::size_t w = negated ? i - pass.words : i;
    const std::uint64_t before = pass.included[i];
    Lanes states = Lanes::load(pass.states + 64 * i);
    if (kKind == FuzzyKind::kForget) {
      const Mask down = Mask::from_bits(fuzzy_true_literals(pass, w, !negated) & ~before);
      most(subtract_where(states, down, one), lowest).store(pass.states + 64 * i);
      continue;
    }
    const std::uint64_t up = kKind == FuzzyKind::kLearn ? fuzzy_true_literals(pass, w, negated)
                                                        : fuzzy_true_literals(pass, w, !negated) & ~before;
    states = add_where(states, Mask::from_bits(up), one);
    const std::uint64_t after = bits_of(at_least(states, limit));
    if (kKind == FuzzyKind::kLearn) {
      const Mask down = Mask::from_bits(fuzzy_true_literals(pass, w, !negated) & ~after);
      states = most(subtract_where(states, down, one), lowest);
    }
    states.store(pass.states + 64 * i);
    if (after == before) continue;
    pass.included[i] = after;
    pass.flips[flips].word = i;
    pass.flips[flips++].bits = before ^ after;
  }
  return flips;
}

std::size_t fuzzy_pass(const FuzzyPass& pass) {
  if (pass.kind == FuzzyKind::kLearn) return fuzzy_pass_of<FuzzyKind::kLearn>(pass);
  if (pass.kind == FuzzyKind::kForget) return fuzzy_pass_of<FuzzyKind::kForget>(pass);
  return fuzzy_pass_of<FuzzyKind::kIncludeMore>(pass);
}

/// Counters of one Slice: the lowest four planes stay in registers.
struct FuzzyCounters {
  static constexpr std::uint32_t kMost = 32;
  Slice ones, twos, fours, eights, over, upper[kMost];
  std::uint32_t upper_count;

  void ripple(Slice bits, std::uint32_t p) {
    for (; p < upper_count; ++p) {
      const Slice old = upper[p];
      upper[p] = old ^ bits;
      bits = old & bits;
    }
    over = over | bits;
  }
  void carry_eight(Slice bits) {  // into plane 3
    const Slice old = eights;
    eights = old ^ bits;
    ripple(old & bits, 0);
  }
};

inline Slice add_present(Slice& kept, const Slice& a, const Slice& b) {
  const Slice over = carry(a, b, kept);
  kept = sum(a, b, kept);
  return over;
}
/// The numbers are complements, and so is the carry: this takes no more instructions.
inline Slice add_absent(Slice& kept, const Slice& a, const Slice& b) {
  const Slice over = carry_absent(kept, a, b);
  kept = sum(a, b, kept);
  return over;
}

template <bool kAbsent>
inline Slice add_to(Slice& kept, const Slice& a, const Slice& b) {
  return kAbsent ? add_absent(kept, a, b) : add_present(kept, a, b);
}

template <bool kAbsent>
inline Slice add_eight(FuzzyCounters& counters, const std::uint64_t* columns, const std::uint32_t* ids) {
  const auto column = [&](std::size_t i) { return Slice::load(columns + 8 * std::size_t{ids[i]}); };
  const Slice two_a = add_to<kAbsent>(counters.ones, column(0), column(1));
  const Slice two_b = add_to<kAbsent>(counters.ones, column(2), column(3));
  const Slice four_a = add_to<kAbsent>(counters.twos, two_a, two_b);
  const Slice two_c = add_to<kAbsent>(counters.ones, column(4), column(5));
  const Slice two_d = add_to<kAbsent>(counters.ones, column(6), column(7));
  const Slice four_b = add_to<kAbsent>(counters.twos, two_c, two_d);
  return add_to<kAbsent>(counters.fours, four_a, four_b);
}

template <bool kAbsent>
inline void add_columns(FuzzyCounters& counters, const std::uint64_t* columns, const std::uint32_t* ids,
                        std::uint32_t count) {
  const auto plain = [](const Slice& bits) { return kAbsent ? bits ^ Slice::ones() : bits; };
  std::uint32_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const Slice eight_a = add_eight<kAbsent>(counters, columns, ids + i);
    const Slice eight_b = add_eight<kAbsent>(counters, columns, ids + i + 8);
    counters.ripple(plain(add_to<kAbsent>(counters.eights, eight_a, eight_b)), 0);
  }
  if (i < count) counters.carry_eight(plain(add_eight<kAbsent>(counters, columns, ids + i)));
}

void fuzzy_count(const std::uint64_t* columns, const FuzzyIds& ids, std::uint64_t start, std::uint32_t planes,
                 std::uint64_t* out) {
  const Slice all = Slice::ones(), none = all ^ all;
  const auto constant = [&](std::uint32_t p) { return (start >> p) & 1 ? all : none; };
  for (std::size_t part = 0; part < 8; part += Slice::kWords) {
    FuzzyCounters counters;
    counters.ones = constant(0);
    counters.twos = constant(1);
    counters.fours = constant(2);
    counters.eights = constant(3);
    counters.over = none;
    counters.upper_count = planes - 4;
    for (std::uint32_t p = 4; p < planes; ++p) counters.upper[p - 4] = constant(p);
    add_columns<true>(counters, columns + part, ids.positive, ids.positives);
    add_columns<false>(counters, columns + part, ids.negated, ids.negations);
    counters.ones.store(out + part);
    counters.twos.store(out + 8 + part);
    counters.fours.store(out + 16 + part);
    counters.eights.store(out + 24 + part);
    for (std::uint32_t p = 4; p < planes; ++p) counters.upper[p - 4].store(out + 8 * p + part);
    counters.over.store(out + 8 * planes + part);
  }
}

void fuzzy_flip(const std::uint64_t* column, bool negated, bool joins, std::uint32_t planes, std::uint64_t* counters) {
  Wide bits = Wide::load(column);
  if (!negated) bits = bits ^ Wide::ones();
  const Wide turned = joins ? Wide::ones() ^ Wide::ones() : Wide::ones();
  for (std::uint32_t p = 0; p < planes; ++p) {
    const Wide old = Wide::load(counters + 8 * p);
    (old ^ bits).store(counters + 8 * p);
    bits = (old ^ turned) & bits;  // a carry, or a borrow
  }
}

void fuzzy_vote(const std::uint64_t* counters, std::uint32_t planes, std::uint32_t value_planes, bool add,
                std::uint32_t sum_planes, std::uint64_t* sums, std::uint64_t* truths) {
  const Wide all = Wide::ones(), none = all ^ all;
  Wide over = Wide::load(counters + 8 * planes);
  for (std::uint32_t p = value_planes; p < planes; ++p) over = over | Wide::load(counters + 8 * p);
  const Wide truth = over ^ all;
  truth.store(truths);
  // The value is not counter + 1, so its negative is counter - 2^value_planes.
  const Wide turned = add ? all : none, above = add ? none : truth;
  Wide carried = add ? truth : none;
  for (std::uint32_t p = 0; p < sum_planes; ++p) {
    const Wide more = p < value_planes ? (Wide::load(counters + 8 * p) ^ turned) & truth : above;
    const Wide old = Wide::load(sums + 8 * p);
    sum(old, more, carried).store(sums + 8 * p);
    carried = carry(old, more, carried);
  }
}

/// The sign of a sum plus a number.
inline Wide sign_after(const std::uint64_t* sums, std::uint32_t planes, std::uint64_t number) {
  const Wide all = Wide::ones(), none = all ^ all;
  Wide carried = none, sign = none;
  for (std::uint32_t p = 0; p < planes; ++p) {
    const Wide old = Wide::load(sums + 8 * p), digit = (number >> p) & 1 ? all : none;
    sign = sum(old, digit, carried);
    carried = carry(old, digit, carried);
  }
  return sign;
}

void fuzzy_active(const std::uint64_t* sums, std::uint32_t sum_planes, std::uint64_t threshold,
                  const std::uint64_t* labels, std::uint64_t* active) {
  const Wide label = Wide::load(labels);
  const Wide below = sign_after(sums, sum_planes, ~threshold + 1),
             at_most = sign_after(sums, sum_planes, threshold - 1);
  ((label & below) | ((label ^ Wide::ones()) & (at_most ^ Wide::ones()))).store(active);
}

/// The rows of the table for the nibbles that are not 0, in any order. Returns how many there are.
std::size_t nibble_rows(const std::uint64_t* sample, std::size_t words, std::uint32_t* rows);

template <std::size_t kLines>
inline void add_lines(const NibbleTable& table, std::size_t at, const std::uint32_t* rows, std::size_t count,
                      std::uint8_t* values) {
  Lanes sum[kLines];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLines; ++i) sum[i] = Lanes::load(table.base + at + 64 * i);
  for (std::size_t r = 0; r < count; ++r) {
    const std::uint8_t* const row = table.table + table.stride * rows[r] + at;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLines; ++i) sum[i] = plus(sum[i], Lanes::load(row + 64 * i));
  }
  const Mask all = Mask::from_bits(~std::uint64_t{0});
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLines; ++i) {
    subtract_where(Lanes::load(table.most + at + 64 * i), all, sum[i]).store(values + at + 64 * i);
  }
}

/// The lines from `at` on: at most kLines.
template <std::size_t kLines>
inline void add_last_lines(const NibbleTable& table, std::size_t at, const std::uint32_t* rows, std::size_t count,
                           std::uint8_t* values) {
  if (table.stride - at == 64 * kLines) return add_lines<kLines>(table, at, rows, count, values);
  if constexpr (kLines > 1) add_last_lines<kLines - 1>(table, at, rows, count, values);
}

std::size_t nibble_votes(const NibbleTable& table, const std::uint64_t* sample, std::uint32_t* rows,
                         std::uint8_t* values) {
  const std::size_t count = nibble_rows(sample, table.words, rows), stride = table.stride;
  std::size_t at = 0;
  for (; at + 64 * kLinesAtOnce <= stride; at += 64 * kLinesAtOnce) {
    add_lines<kLinesAtOnce>(table, at, rows, count, values);
  }
  add_last_lines<kLinesAtOnce - 1>(table, at, rows, count, values);
  return count;
}
