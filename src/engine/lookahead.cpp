#include "engine/lookahead.h"

#include <algorithm>

#include "literals/transpose.h"

namespace falsum {

LookaheadEvaluator::LookaheadEvaluator(const Bank& bank, const Kernels& kernels)
    : bank_(bank), kernels_(kernels), columns_(bank.literals()), truths_(bank.slots()), stale_(bank.clauses()) {}

void LookaheadEvaluator::begin(UseRows&) { first_ = 0; }

void LookaheadEvaluator::prepare(std::size_t first, UseRows& rows, LearnCounters& counters) {
  first_ = first;
  const std::size_t features = bank_.features(), count = std::min(kUses, rows.uses().size() - first);
  std::uint64_t block[64];
  for (std::size_t w = 0; w < words_for(features); ++w) {
    for (std::size_t u = 0; u < 64; ++u) block[u] = u < count ? rows.features(first + u)[w] : 0;
    transpose64(block);
    for (std::size_t k = 64 * w; k < std::min(64 * w + 64, features); ++k) {
      columns_[k] = block[k % 64];
      columns_[features + k] = ~block[k % 64];
    }
  }
  for (std::size_t c = 0; c < bank_.clauses(); ++c) evaluate(static_cast<ClauseId>(c), counters);
  std::fill(stale_.begin(), stale_.end(), 0);
  to_mend_.clear();
}

void LookaheadEvaluator::evaluate(ClauseId clause, LearnCounters& counters) {
  const HotSet& hot = bank_.hot(clause);
  const std::uint32_t* const ids = hot.ids();
  const std::uint8_t* const states = hot.states();
  std::uint64_t all = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < hot.size(); ++i) {
    // A released literal is no longer part of the clause: all ones instead of its column.
    all &= columns_[ids[i]] | (static_cast<std::uint64_t>(states[i] >> 7) - 1);
  }
  counters.columns_joined += hot.size();
  truths_[bank_.slot(clause)] = all;
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
  kernels_.pick(truths_.data(), static_cast<unsigned>(i - first_), bank_.slots() / 64, out);
}

}  // namespace falsum
