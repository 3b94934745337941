#include "evaluate/lookahead.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace falsum {

LookaheadBlock::LookaheadBlock(const Bank& its_bank, const ClauseSlots& its_slots, const std::uint64_t* active_slots,
                               const Kernels& kernel_set)
    : bank(its_bank),
      slots(its_slots),
      active(active_slots),
      kernels(kernel_set),
      columns(kLookaheadWords * bank.literals()),
      outputs(kLookaheadWords * slots.slots()),
      candidate_index(slots.clauses()) {}

void LookaheadBlock::transpose(std::size_t first, const Examples& examples) {
  const std::size_t features = bank.features(), words = words_for(features);
  const std::size_t count = std::min(kUses, examples.size() - first);
  examples.will_need(first + kUses, kUses);
  if (examples.is_sparse()) {  // all false except the listed features
    std::uint64_t* const negated = columns.data() + kLookaheadWords * features;
    std::fill_n(columns.data(), kLookaheadWords * features, 0);
    std::fill_n(negated, kLookaheadWords * features, ~std::uint64_t{0});
    for (std::size_t u = 0; u < count; ++u) {
      const std::uint64_t bit = std::uint64_t{1} << (u % 64);
      for (const std::size_t k : examples.present(first + u)) {
        columns[kLookaheadWords * k + u / 64] |= bit;
        negated[kLookaheadWords * k + u / 64] &= ~bit;
      }
    }
    return;
  }
  constexpr std::size_t kAhead = 12;                      // samples come in random order
  constexpr std::size_t kTogether = 8 / kLookaheadWords;  // words of features that fill the eight matrices
  alignas(64) std::uint64_t squares[8 * 64] = {};
  for (std::size_t w = 0; w < words; w += kTogether) {
    const std::size_t last = std::min(w + kTogether, words);
    for (std::size_t u = 0; u < count; ++u) {
      // Not in a function: g++ 12 assumes that a function that only prefetches has no effect, and drops its calls.
      if (w == 0 && u + kAhead < count) {
        const std::uint64_t* const next = examples.features(first + u + kAhead).data();
        for (std::size_t v = 0; v < words + 7; v += 8) __builtin_prefetch(next + std::min(v, words - 1));
      }
      const std::uint64_t* const row = examples.features(first + u).data();
      std::uint64_t* const to = squares + 8 * (u % 64) + u / 64;
      for (std::size_t v = w; v < last; ++v) to[kLookaheadWords * (v - w)] = row[v];
    }
    for (std::size_t u = count; u < kUses; ++u) {  // transposing has left old bits there
      for (std::size_t v = w; v < last; ++v) squares[8 * (u % 64) + u / 64 + kLookaheadWords * (v - w)] = 0;
    }
    kernels.transpose(squares);
    for (std::size_t k = 64 * w; k < std::min(64 * last, features); ++k) {
      const std::uint64_t* const column = squares + 8 * (k % 64) + kLookaheadWords * (k / 64 - w);
      for (std::size_t group = 0; group < kLookaheadWords; ++group) {
        columns[kLookaheadWords * k + group] = column[group];
        columns[kLookaheadWords * (features + k) + group] = ~column[group];
      }
    }
  }
}

void LookaheadPart::evaluate(LearnCounters& counters) {
  const Bank& bank = block_.bank;
  const ClauseSlots& slots = block_.slots;
  most_ = std::max(most_, std::exchange(count_, 0));
  // Young clauses have hundreds of flips, old ones few: free the room.
  if (const std::size_t wanted = 64 * std::max<std::size_t>(1, words_for(most_)); wanted < room_ / 2) make_room(wanted);
  most_ = 0;
  constexpr std::size_t kAhead = 8;  // clauses; their literals are in random places of the memory
  for (std::size_t slot = 64 * first_; slot < 64 * last_; ++slot) {
    if (!slots.has_clause(slot)) continue;
    const ClauseId c = slots.clause_at(slot);
    if (bank.range().has(static_cast<ClauseId>(at(c) + kAhead)))
      bank.prefetch_included(static_cast<ClauseId>(at(c) + kAhead));
    const bool is_active = ((block_.active[slot / 64] >> (slot % 64)) & 1) != 0;
    const IdList literals = is_active ? bank.included(c) : IdList{nullptr, 0, false};
    std::uint64_t uses[kLookaheadWords];
    std::fill_n(uses, kLookaheadWords, is_active ? ~std::uint64_t{0} : 0);
    kernels_.conjunction(block_.columns.data(), literals, uses);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) block_.outputs[w * slots.slots() + slot] = uses[w];
    block_.candidate_index[at(c)] = 0;
    counters.columns_joined += literals.size;
  }
}

void LookaheadPart::flipped(ClauseId clause, const IdList& literals, bool included) {
  std::uint64_t uses[kLookaheadWords], any = 0;
  if (included) {
    std::uint64_t* const outputs = block_.outputs.data() + block_.slots.slot(clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) uses[w] = outputs[w * block_.slots.slots()];
    kernels_.conjunction(block_.columns.data(), literals, uses);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) outputs[w * block_.slots.slots()] = uses[w];
    return;
  }
  // Where one of them was false, the clause may be true now.
  if (literals.size == 1) {
    const std::uint64_t* const column = block_.columns.data() + kLookaheadWords * literals[0];
    for (std::size_t w = 0; w < kLookaheadWords; ++w) any |= uses[w] = ~column[w] & to_come_[w];
  } else {
    std::fill_n(uses, kLookaheadWords, ~std::uint64_t{0});  // where all of them are true
    kernels_.conjunction(block_.columns.data(), literals, uses);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) any |= uses[w] = ~uses[w] & to_come_[w];
  }
  // Whether there are any, and whether the clause is in the list already, is unpredictable: so there are no branches.
  if (count_ == room_) make_room(std::max<std::size_t>(64, 2 * room_));
  std::uint32_t& index = block_.candidate_index[at(clause)];
  const bool is_new = index == 0;
  const std::size_t i = is_new ? count_ : index - 1;
  const std::uint64_t kept = is_new ? 0 : ~std::uint64_t{0};
  std::uint64_t* candidates = candidates_.data() + i;
  for (std::size_t w = 0; w < kLookaheadWords; ++w, candidates += stride())
    *candidates = (*candidates & kept) | uses[w];
  candidate_clauses_[i] = clause;
  count_ += is_new && any != 0;
  index = is_new && any == 0 ? 0 : static_cast<std::uint32_t>(i + 1);
}

/// A multiple of 64, and at least the number of clauses in the list.
void LookaheadPart::make_room(std::size_t clauses) {
  const LargeVector<std::uint64_t> old = std::move(candidates_);
  const std::size_t old_stride = stride();
  room_ = clauses;
  candidate_clauses_.resize(room_);
  candidates_.assign(kLookaheadWords * stride(), 0);
  for (std::size_t w = 0; w < kLookaheadWords && count_ > 0; ++w) {
    std::copy_n(old.data() + w * old_stride, count_, candidates_.data() + w * stride());
  }
}

void LookaheadPart::mend(std::size_t u, LearnCounters& counters) {
  if (count_ == 0) return;  // there may be no room yet to point into
  most_ = std::max(most_, count_);
  // Beyond the end of the list, the last word holds bits of clauses that were updated before.
  kernels_.gather_bits(candidates_.data() + u / 64 * stride(), static_cast<unsigned>(u % 64), words_for(count_),
                       due_.data());
  // From the back, so that the clause that takes a freed position has been processed already.
  for (std::size_t word = words_for(count_); word-- > 0;) {
    const std::size_t left = count_ - 64 * word;
    std::uint64_t due = due_[word] & (left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    while (due != 0) {
      const std::size_t i = 64 * word + static_cast<std::size_t>(std::bit_width(due)) - 1;
      due &= ~(std::uint64_t{1} << (i % 64));
      mend_one(i, counters);
    }
  }
}

/// Evaluates the candidates of clause i of the list again, and removes the clause from the list.
void LookaheadPart::mend_one(std::size_t i, LearnCounters& counters) {
  const std::size_t last = --count_;
  const ClauseId clause = candidate_clauses_[i];
  std::uint64_t uses[kLookaheadWords];
  for (std::size_t w = 0; w < kLookaheadWords; ++w) {
    uses[w] = candidates_[w * stride() + i] & to_come_[w];
    candidates_[w * stride() + i] = candidates_[w * stride() + last];
  }
  block_.candidate_index[at(candidate_clauses_[last])] = static_cast<std::uint32_t>(i + 1);
  block_.candidate_index[at(clause)] = 0;
  candidate_clauses_[i] = candidate_clauses_[last];
  const IdList literals = block_.bank.included(clause);
  kernels_.conjunction(block_.columns.data(), literals, uses);
  std::uint64_t* const outputs = block_.outputs.data() + block_.slots.slot(clause);
  for (std::size_t w = 0; w < kLookaheadWords; ++w) outputs[w * block_.slots.slots()] |= uses[w];
  counters.columns_joined += literals.size;
}

void LookaheadPart::outputs(std::size_t u, std::uint64_t* out, LearnCounters& counters) {
  std::fill_n(to_come_, u / 64, 0);
  to_come_[u / 64] = ~std::uint64_t{0} << (u % 64);
  std::fill(to_come_ + u / 64 + 1, std::end(to_come_), ~std::uint64_t{0});  // u may have gone back: see ShardedLearner
  mend(u, counters);
  const std::uint64_t* const outputs = block_.outputs.data() + u / 64 * block_.slots.slots() + 64 * first_;
  kernels_.gather_bits(outputs, static_cast<unsigned>(u % 64), words(), out);
}

}  // namespace falsum
