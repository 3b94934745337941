#include "engine/lookahead.h"

#include <algorithm>

#include "literals/transpose.h"

namespace falsum {

LookaheadEvaluator::LookaheadEvaluator(const Bank& bank, const Kernels& kernels)
    : bank_(bank),
      kernels_(kernels),
      columns_(kLookaheadWords * bank.literals()),
      truths_(kLookaheadWords * bank.slots()),
      stale_(bank.clauses()) {}

void LookaheadEvaluator::begin(UseRows&) { first_ = 0; }

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
  for (std::size_t c = 0; c < bank_.clauses(); ++c) evaluate(static_cast<ClauseId>(c), counters);
  std::fill(stale_.begin(), stale_.end(), 0);
  to_mend_.clear();
}

void LookaheadEvaluator::evaluate(ClauseId clause, LearnCounters& counters) {
  const HotSet& hot = bank_.hot(clause);
  std::uint64_t all[kLookaheadWords];
  kernels_.conjunction(columns_.data(), hot.ids(), hot.included(), all);
  for (std::size_t w = 0; w < kLookaheadWords; ++w) truths_[w * bank_.slots() + bank_.slot(clause)] = all[w];
  counters.columns_joined += hot.included();
}

void LookaheadEvaluator::outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) {
  if (i % kUses == 0) {
    prepare(i, rows, counters);
  } else {
    for (const ClauseId clause : to_mend_) {
      evaluate(clause, counters);
      stale_[at(clause)] = false;
    }
    to_mend_.clear();
  }
  const std::size_t u = i - first_;
  kernels_.pick(truths_.data() + u / 64 * bank_.slots(), static_cast<unsigned>(u % 64), bank_.slots() / 64, out);
}

}  // namespace falsum
