#include "engine/lookahead.h"

#include <algorithm>

#include "literals/transpose.h"

namespace falsum {

LookaheadEvaluator::LookaheadEvaluator(const Bank& bank, const Kernels& kernels)
    : bank_(bank),
      kernels_(kernels),
      columns_(kLookaheadWords * bank.literals()),
      truths_(kLookaheadWords * bank.slots()),
      to_mend_index_(bank.clauses()) {}

void LookaheadEvaluator::prepare(std::size_t first, UseRows& rows, LearnCounters& counters) {
  first_ = first;
  const std::size_t features = bank_.features(), count = std::min(kUses, rows.uses().size() - first);
  std::uint64_t square[64];
  for (std::size_t w = 0; w < words_for(features); ++w) {
    for (std::size_t group = 0; group < kLookaheadWords; ++group) {
      for (std::size_t r = 0; r < 64; ++r) {
        const std::size_t u = 64 * group + r;
        square[r] = u < count ? rows.features(first + u)[w] : 0;
      }
      transpose64(square);
      for (std::size_t k = 64 * w; k < std::min(64 * w + 64, features); ++k) {
        columns_[kLookaheadWords * k + group] = square[k % 64];
        columns_[kLookaheadWords * (features + k) + group] = ~square[k % 64];
      }
    }
  }
  for (std::size_t c = 0; c < bank_.clauses(); ++c) {
    const IdList literals = bank_.included(static_cast<ClauseId>(c));
    std::uint64_t uses[kLookaheadWords];
    std::fill_n(uses, kLookaheadWords, ~std::uint64_t{0});
    kernels_.conjunction(columns_.data(), literals, uses);
    const std::size_t slot = bank_.slot(static_cast<ClauseId>(c));
    for (std::size_t w = 0; w < kLookaheadWords; ++w) truths_[w * bank_.slots() + slot] = uses[w];
    counters.columns_joined += literals.size;
  }
  std::fill(to_mend_index_.begin(), to_mend_index_.end(), 0);
  to_mend_.clear();
}

void LookaheadEvaluator::flipped(ClauseId clause, const IdList& literals, bool included) {
  if (included) {
    std::uint64_t uses[kLookaheadWords];
    std::fill_n(uses, kLookaheadWords, ~std::uint64_t{0});
    kernels_.conjunction(columns_.data(), literals, uses);
    std::uint64_t* const truths = truths_.data() + bank_.slot(clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) truths[w * bank_.slots()] &= uses[w];
    return;
  }
  std::uint32_t& index = to_mend_index_[at(clause)];
  if (index == 0) {
    to_mend_.push_back({clause, {}});
    index = static_cast<std::uint32_t>(to_mend_.size());
  }
  std::uint64_t* const candidates = to_mend_[index - 1].candidates;
  for (std::uint32_t i = 0; i < literals.size; ++i) {
    const std::uint64_t* const column = columns_.data() + kLookaheadWords * std::size_t{literals[i]};
    for (std::size_t w = 0; w < kLookaheadWords; ++w) candidates[w] |= ~column[w];
  }
}

void LookaheadEvaluator::mend(std::size_t u, LearnCounters& counters) {
  std::uint64_t to_come[kLookaheadWords] = {};  // the uses from u on: the others are past
  for (std::size_t w = u / 64; w < kLookaheadWords; ++w)
    to_come[w] = w == u / 64 ? ~std::uint64_t{0} << (u % 64) : ~std::uint64_t{0};
  for (Mend& m : to_mend_) {
    to_mend_index_[at(m.clause)] = 0;
    const IdList literals = bank_.included(m.clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) m.candidates[w] &= to_come[w];
    kernels_.conjunction(columns_.data(), literals, m.candidates);
    std::uint64_t* const truths = truths_.data() + bank_.slot(m.clause);
    for (std::size_t w = 0; w < kLookaheadWords; ++w) truths[w * bank_.slots()] |= m.candidates[w];
    counters.columns_joined += literals.size;
  }
  to_mend_.clear();
}

void LookaheadEvaluator::outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) {
  if (i % kUses == 0) prepare(i, rows, counters);
  const std::size_t u = i - first_;
  mend(u, counters);
  kernels_.pick(truths_.data() + u / 64 * bank_.slots(), static_cast<unsigned>(u % 64), bank_.slots() / 64, out);
}

}  // namespace falsum
