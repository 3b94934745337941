// The dense pass and the clause selection, written once over `Lanes`: 64 bytes, one automaton each. A kernel
// file defines Lanes and its Mask for its instruction set and then includes this file inside an anonymous
// namespace, so that every instantiation is private to it.
//
// Lanes: load store broadcast subtract_saturating add_saturating most select(mask, a, b) less(a, b) -> Mask
//        count_up(lanes, mask) top_bits() -> uint64 top_mask() -> Mask random(key, index of a draw16)
// Mask:  from_bits(uint64)
// and    draws_below, forget, pick: see kernels.h

inline Lanes decrements_of(const Lanes& draws, const Decrements& d) {
  Lanes count = Lanes::broadcast(static_cast<std::uint8_t>(d.always < 255 ? d.always : 255));
  for (std::uint32_t k = 0; k < d.size; ++k) count = count_up(count, less(draws, Lanes::broadcast(d.value[k])));
  return count;
}

constexpr std::size_t kPrefetchWords = 16;

template <DenseKind kKind>
bool dense_pass_of(const DensePass& p) {
  constexpr bool kReward = kKind == DenseKind::kRewardAll || kKind == DenseKind::kRewardSome;
  const Lanes lowest = Lanes::broadcast(p.lowest);
  const Lanes zero = Lanes::broadcast(0), step = Lanes::broadcast(1);
  const bool owes = p.owed->always != 0 || p.owed->size != 0;
  std::uint64_t any = 0;
  for (std::size_t w = 0; w < p.words; ++w) {
    // A row is longer than a page, and hardware fetches ahead within a page only.
    __builtin_prefetch(p.states + 64 * (w + kPrefetchWords), 1);
    Lanes state = Lanes::load(p.states + 64 * w);
    const Mask hot = state.top_mask();
    const std::uint64_t before = state.top_bits();
    if (kReward || owes) {
      const Lanes draws = Lanes::random(p.key, static_cast<std::uint32_t>(32 * w));
      Lanes count = zero;
      if constexpr (kReward) {
        const Mask falses = Mask::from_bits(p.falsehoods[w]);
        if (owes) {
          // Two lists at once: a lane follows the one that its literal decides on. Either may be the longer.
          count = select(falses, Lanes::broadcast(static_cast<std::uint8_t>(p.owed_and_one->always)),
                         Lanes::broadcast(static_cast<std::uint8_t>(p.owed->always)));
          std::uint32_t k = 0;
          for (; k < p.owed->size && k < p.owed_and_one->size; ++k) {
            const Lanes value =
                select(falses, Lanes::broadcast(p.owed_and_one->value[k]), Lanes::broadcast(p.owed->value[k]));
            count = count_up(count, less(draws, value));
          }
          for (std::uint32_t j = k; j < p.owed->size; ++j) {
            count = count_up(count, less(draws, select(falses, zero, Lanes::broadcast(p.owed->value[j]))));
          }
          for (std::uint32_t j = k; j < p.owed_and_one->size; ++j) {
            count = count_up(count, less(draws, select(falses, Lanes::broadcast(p.owed_and_one->value[j]), zero)));
          }
        } else {
          count = select(falses, decrements_of(draws, *p.one), zero);
        }
      } else {
        count = decrements_of(draws, *p.owed);
      }
      state = most(subtract_saturating(state, select(hot, zero, count)), lowest);
    }
    // A hot lane may go up with the others: it only has to stay above 127.
    if constexpr (kKind == DenseKind::kRewardAll) {
      state = add_saturating(state, select(Mask::from_bits(p.truths[w]), step, zero));
    }
    if constexpr (kKind == DenseKind::kRewardSome) {
      const Lanes again = Lanes::random(p.reward_key, static_cast<std::uint32_t>(32 * w));
      const Lanes withheld = decrements_of(again, *p.one);  // 0 or 1
      state = add_saturating(state, select(Mask::from_bits(p.truths[w]), subtract_saturating(step, withheld), zero));
    }
    if constexpr (kKind == DenseKind::kIncludeMore) {
      state = add_saturating(state, select(Mask::from_bits(p.falsehoods[w]), step, zero));
    }
    state.store(p.states + 64 * w);
    p.included[w] = state.top_bits() & ~before;
    any |= p.included[w];
  }
  return any != 0;
}

bool dense_pass(const DensePass& p) {
  switch (p.kind) {
    case DenseKind::kSettle:
      return dense_pass_of<DenseKind::kSettle>(p);
    case DenseKind::kRewardAll:
      return dense_pass_of<DenseKind::kRewardAll>(p);
    case DenseKind::kRewardSome:
      return dense_pass_of<DenseKind::kRewardSome>(p);
    case DenseKind::kIncludeMore:
      return dense_pass_of<DenseKind::kIncludeMore>(p);
  }
  return false;
}

void unflagged(const std::uint8_t* flags, std::size_t words, std::uint64_t* out) {
  for (std::size_t w = 0; w < words; ++w) out[w] = ~Lanes::load(flags + 64 * w).top_bits();
}

void select(DrawKey key, std::uint32_t threshold, std::size_t first, std::size_t words, std::uint64_t* out) {
  for (std::size_t w = 0; w < words; ++w) {
    out[w] = threshold > 0xffff ? ~std::uint64_t{0}
                                : draws_below(key, static_cast<std::uint32_t>(64 * (first + w)),
                                              static_cast<std::uint16_t>(threshold));
  }
}
