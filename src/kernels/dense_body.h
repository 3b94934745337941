// The dense pass, forgetting and the clause selection, written once over `Lanes`: 64 bytes, one automaton each. A
// kernel file defines Lanes and its Mask for its instruction set and then includes this file inside an anonymous
// namespace, so that every instantiation is private to that file.
//
// Lanes: load store broadcast most(a, b) select(mask, yes, no) at_least(a, b) -> Mask count_down(lanes, mask)
//        subtract_where(a, mask, b) add_where(a, mask, b) add_unless(a, mask, b), all saturating
//        cold() -> Mask: lanes below 128, top_bits() -> uint64, risen(before, after) -> uint64: top bits newly set
// Mask:  from_bits(uint64) both(a, b)
// Draws: Draws(key, first block), next() -> Lanes: the next 64 draws of a byte; draw_block(key, block, to): 16 of them
// and    below(Lanes, Lanes, threshold) -> uint64: which of their 64 16-bit numbers are below; gather_bits: see
// kernels.h

/// How many decrements a draw stands for, in vectors made once per pass, not once per block: a list of thresholds for
/// true literals and, if kTwo, another for false literals. The shorter list is padded with zeros, since no draw is
/// below 0.
template <bool kTwo, int kSize>
class Thresholds {
 public:
  Thresholds(const Decrements& true_list, const Decrements& false_list) {
    fill(true_list, when_true_);
    if constexpr (kTwo) fill(false_list, when_false_);
  }
  Lanes count(const Lanes& draws, const Mask& falses) const {
    Lanes count = chosen(kSize, falses);
#pragma GCC unroll 8
    for (int k = 0; k < kSize; ++k) count = count_down(count, at_least(draws, chosen(k, falses)));
    return count;
  }

 private:
  static void fill(const Decrements& list, Lanes* lanes) {
    for (std::uint32_t k = 0; k < kSize; ++k) lanes[k] = Lanes::broadcast(k < list.size ? list.value[k] : 0);
    lanes[kSize] = Lanes::broadcast(static_cast<std::uint8_t>(list.always + kSize));
  }
  Lanes chosen(int k, const Mask& falses) const {
    if constexpr (kTwo) {
      return select(falses, when_false_[k], when_true_[k]);
    } else {
      return when_true_[k];
    }
  }
  Lanes when_true_[kSize + 1], when_false_[kSize + 1];  // the last: how many if the draw is below all thresholds
};

/// The same for lists of any size, which do not fit into registers.
template <bool kTwo>
class ManyThresholds {
 public:
  ManyThresholds(const Decrements& true_list, const Decrements& false_list)
      : true_list_(true_list), false_list_(false_list) {}
  Lanes count(const Lanes& draws, const Mask& falses) const {
    const Lanes when_true = count_in(draws, true_list_);
    if constexpr (kTwo) {
      return select(falses, count_in(draws, false_list_), when_true);
    } else {
      return when_true;
    }
  }

 private:
  static Lanes count_in(const Lanes& draws, const Decrements& list) {
    Lanes count = Lanes::broadcast(static_cast<std::uint8_t>(list.always + list.size));
    for (std::uint32_t k = 0; k < list.size; ++k) {
      count = count_down(count, at_least(draws, Lanes::broadcast(list.value[k])));
    }
    return count;
  }
  const Decrements& true_list_;
  const Decrements& false_list_;
};

/// This row and the next one are fetched as one stream, so many words ahead: a burst of requests for a whole row would
/// wait for room, and hardware prefetches only within a page.
constexpr std::size_t kPrefetchWords = 16;
enum class Owes { kNobody, kFalse, kAll };  // which literals may be decremented: none, the false ones, all

template <DenseKind kKind, Owes kOwes, class List>
Risen dense_pass_of(const DensePass& p, const List& thresholds) {
  const Lanes lowest = Lanes::broadcast(p.lowest);
  Lanes step = Lanes::broadcast(1);
  const Thresholds<false, 1> withheld(kKind == DenseKind::kTypeIa ? *p.one : *p.owed, *p.owed);
  Draws owed_draws(p.key), reward_draws(p.reward_key);
  Risen all = {0, 0};
  const std::size_t ahead = p.words < kPrefetchWords ? p.words : kPrefetchWords;
  for (std::size_t w = 0; w < p.words; ++w) {
    const std::size_t coming = w + ahead;
    __builtin_prefetch(coming < p.words ? p.states + 64 * coming : p.next + 64 * (coming - p.words), 1);
    const Lanes before = Lanes::load(p.states + 64 * w);
    Lanes state = before;
    const Mask falses = Mask::from_bits(kKind == DenseKind::kSettle ? 0 : p.falsehoods[w]);
    if constexpr (kOwes != Owes::kNobody) {
      const Lanes draws = owed_draws.next();
      const Mask who = kOwes == Owes::kFalse ? both(before.cold(), falses) : before.cold();
      state = most(subtract_where(state, who, thresholds.count(draws, falses)), lowest);
    }
    // A hot lane may change with the others: it only has to stay above 127.
    if constexpr (kKind == DenseKind::kTypeIaBoosted) {
      // A literal is true if it is not false, except for the padding of the last word.
      if (w + 1 == p.words) step = select(Mask::from_bits(p.truths[w]), step, Lanes::broadcast(0));
      state = add_unless(state, falses, step);
    }
    if constexpr (kKind == DenseKind::kTypeIa) {
      const Mask truths = Mask::from_bits(p.truths[w]);
      state = add_where(state, truths, step);
      state = subtract_where(state, truths, withheld.count(reward_draws.next(), falses));  // 0 or 1
    }
    if constexpr (kKind == DenseKind::kTypeII) state = add_where(state, falses, step);
    state.store(p.states + 64 * w);
    // Most words have none, which a processor cannot predict: the entry is written in any case.
    const std::uint64_t bits = risen(before, state);
    p.risen[all.words] = {w, bits};
    all.words += bits != 0;
    all.literals += static_cast<std::size_t>(__builtin_popcountll(bits));
  }
  return all;
}

template <DenseKind kKind>
Risen dense_pass_of(const DensePass& p) {
  constexpr bool kTwo = kKind == DenseKind::kTypeIaBoosted || kKind == DenseKind::kTypeIa;
  const Decrements& owed = *p.owed;
  const Decrements& when_false = kTwo ? *p.owed_and_one : owed;
  if (owed.size + owed.always == 0) {
    constexpr Owes kOwes = kTwo ? Owes::kFalse : Owes::kNobody;
    return dense_pass_of<kKind, kOwes>(p, Thresholds<false, 1>(when_false, when_false));
  }
  switch (owed.size > when_false.size ? owed.size : when_false.size) {
    case 0:
    case 1:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 1>(owed, when_false));
    case 2:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 2>(owed, when_false));
    case 3:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 3>(owed, when_false));
    case 4:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 4>(owed, when_false));
    case 5:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 5>(owed, when_false));
    case 6:
      return dense_pass_of<kKind, Owes::kAll>(p, Thresholds<kTwo, 6>(owed, when_false));
    default:
      return dense_pass_of<kKind, Owes::kAll>(p, ManyThresholds<kTwo>(owed, when_false));
  }
}

Risen dense_pass(const DensePass& p) {
  switch (p.kind) {
    case DenseKind::kSettle:
      return dense_pass_of<DenseKind::kSettle>(p);
    case DenseKind::kTypeIaBoosted:
      return dense_pass_of<DenseKind::kTypeIaBoosted>(p);
    case DenseKind::kTypeIa:
      return dense_pass_of<DenseKind::kTypeIa>(p);
    case DenseKind::kTypeII:
      return dense_pass_of<DenseKind::kTypeII>(p);
  }
  return {};
}

std::size_t forget(const HotStates* clauses, std::size_t count, std::uint8_t lowest, LostWord* lost) {
  const Lanes step = Lanes::broadcast(1);
  const Lanes above_lowest = Lanes::broadcast(static_cast<std::uint8_t>(lowest + 1));
  std::size_t words = 0;
  for (std::size_t c = 0; c < count; ++c) {
    std::uint8_t* const states = clauses[c].states;
    const std::size_t size = clauses[c].size;
    if (clauses[c].once == 0) continue;
    const Lanes limit = Lanes::broadcast(static_cast<std::uint8_t>(clauses[c].once - 1));
    Draws draws(clauses[c].key);
    for (std::size_t i = 0; i < size; i += 64) {
      const std::uint64_t inside = size - i < 64 ? (std::uint64_t{1} << (size - i)) - 1 : ~std::uint64_t{0};
      const Lanes before = Lanes::load(states + i);
      const Mask down = both(at_least(limit, draws.next()), at_least(before, above_lowest));
      const Lanes after = subtract_where(before, both(down, Mask::from_bits(inside)), step);
      after.store(states + i);
      // Whether one leaves is unpredictable: the entry is written in any case.
      const std::uint64_t bits = risen(after, before);
      lost[words] = {static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(i / 64), bits};
      words += bits != 0;
    }
  }
  return words;
}

void unflagged(const std::uint8_t* flags, std::size_t words, std::uint64_t* out) {
  for (std::size_t w = 0; w < words; ++w) out[w] = ~Lanes::load(flags + 64 * w).top_bits();
}

void select(DrawKey key, std::uint32_t threshold, std::size_t first, std::size_t words, std::uint64_t* out) {
  Draws draws(key, 8 * first);
  for (std::size_t w = 0; w < words; ++w) {
    const Lanes low = draws.next(), high = draws.next();
    out[w] = threshold > 0xffff ? ~std::uint64_t{0} : below(low, high, static_cast<std::uint16_t>(threshold));
  }
}

template <class Id>
void draw_of(DrawKey key, const Id* ids, std::size_t size, std::uint8_t* out) {
  for (std::size_t i = 0; i < size; ++i) {
    std::uint8_t block[16];
    draw_block(key, ids[i] / 16, block);
    out[i] = block[ids[i] % 16];
  }
}
void draw(DrawKey key, const IdList& ids, std::uint8_t* out) {
  ids.wide ? draw_of(key, static_cast<const std::uint32_t*>(ids.ids), ids.size, out)
           : draw_of(key, static_cast<const std::uint16_t*>(ids.ids), ids.size, out);
}
