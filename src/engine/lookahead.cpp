#include "engine/lookahead.h"

#include <algorithm>

#include "literals/transpose.h"

namespace falsum {

LookaheadBlock::LookaheadBlock(const Bank& machine_bank)
    : bank(machine_bank),
      columns(kLookaheadWords * bank.literals()),
      truths(kLookaheadWords * bank.slots()),
      to_mend_index(bank.clauses()) {}

void LookaheadBlock::transpose(std::size_t first, const UseRows& rows) {
  const std::size_t features = bank.features(), count = std::min(kUses, rows.uses().size() - first);
  std::uint64_t square[64];
  for (std::size_t w = 0; w < words_for(features); ++w) {
    for (std::size_t group = 0; group < kLookaheadWords; ++group) {
      for (std::size_t r = 0; r < 64; ++r) {
        const std::size_t u = 64 * group + r;
        square[r] = u < count ? rows.features(first + u)[w] : 0;
      }
      transpose64(square);
      for (std::size_t k = 64 * w; k < std::min(64 * w + 64, features); ++k) {
        columns[kLookaheadWords * k + group] = square[k % 64];
        columns[kLookaheadWords * (features + k) + group] = ~square[k % 64];
      }
    }
  }
}

void LookaheadPart::evaluate(LearnCounters& counters) {
  const Bank& bank = block_.bank;
  to_mend_.clear();
  for (std::size_t slot = 64 * first_; slot < 64 * last_; ++slot) {
    if (!bank.has_clause(slot)) continue;
    const ClauseId c = bank.clause_at(slot);
    const IdList literals = bank.included(c);
    std::uint64_t uses[kLookaheadWords];
    std::fill_n(uses, kLookaheadWords, ~std::uint64_t{0});
    kernels_.conjunction(block_.columns.data(), literals, uses);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) block_.truths[w * bank.slots() + slot] = uses[w];
    block_.to_mend_index[at(c)] = 0;
    counters.columns_joined += literals.size;
  }
}

void LookaheadPart::flipped(ClauseId clause, const IdList& literals, bool included) {
  if (included) {
    std::uint64_t uses[kLookaheadWords];
    std::fill_n(uses, kLookaheadWords, ~std::uint64_t{0});
    kernels_.conjunction(block_.columns.data(), literals, uses);
    std::uint64_t* const truths = block_.truths.data() + block_.bank.slot(clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) truths[w * block_.bank.slots()] &= uses[w];
    return;
  }
  std::uint32_t& index = block_.to_mend_index[at(clause)];
  if (index == 0) {
    to_mend_.push_back({clause, {}});
    index = static_cast<std::uint32_t>(to_mend_.size());
  }
  std::uint64_t* const candidates = to_mend_[index - 1].candidates;
  for (std::uint32_t i = 0; i < literals.size; ++i) {
    const std::uint64_t* const column = block_.columns.data() + kLookaheadWords * std::size_t{literals[i]};
    for (std::size_t w = 0; w < kLookaheadWords; ++w) candidates[w] |= ~column[w];
  }
}

void LookaheadPart::mend(std::size_t u, LearnCounters& counters) {
  std::uint64_t to_come[kLookaheadWords] = {};  // the uses from u on: the others are past
  for (std::size_t w = u / 64; w < kLookaheadWords; ++w)
    to_come[w] = w == u / 64 ? ~std::uint64_t{0} << (u % 64) : ~std::uint64_t{0};
  for (Mend& m : to_mend_) {
    block_.to_mend_index[at(m.clause)] = 0;
    const IdList literals = block_.bank.included(m.clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) m.candidates[w] &= to_come[w];
    kernels_.conjunction(block_.columns.data(), literals, m.candidates);
    std::uint64_t* const truths = block_.truths.data() + block_.bank.slot(m.clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) truths[w * block_.bank.slots()] |= m.candidates[w];
    counters.columns_joined += literals.size;
  }
  to_mend_.clear();
}

void LookaheadPart::outputs(std::size_t u, std::uint64_t* out, LearnCounters& counters) {
  mend(u, counters);
  const std::uint64_t* const truths = block_.truths.data() + u / 64 * block_.bank.slots() + 64 * first_;
  kernels_.pick(truths, static_cast<unsigned>(u % 64), words(), out);
}

}  // namespace falsum
