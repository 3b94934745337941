#include "evaluate/evaluator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "evaluate/lookahead.h"

namespace falsum {

std::unique_ptr<Evaluator> make_evaluator(Engine engine, const Bank& bank, const ClauseSlots& slots,
                                          const std::uint64_t* active, const Kernels& kernels) {
  if (engine == Engine::kScan) return std::make_unique<ScanEvaluator>(bank, slots, active);
  if (engine == Engine::kLookahead)
    return std::make_unique<LookaheadEvaluator>(bank, slots, active, kernels, 0, slots.words());
  assert(engine == Engine::kIndex);
  return std::make_unique<IndexEvaluator>(bank, slots, active, kernels);
}

ScanEvaluator::ScanEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active)
    : bank_(bank), slots_(slots), active_(active), included_(bank.clauses() * bank.words()) {
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const ClauseId clause = static_cast<ClauseId>(c);
    flipped(clause, bank.included(clause), true);
  }
}

void ScanEvaluator::flipped(ClauseId clause, const IdList& literals, bool) {
  std::uint64_t* const words = included_.data() + at(clause) * bank_.words();
  for (std::uint32_t i = 0; i < literals.size; ++i) words[literals[i] / 64] ^= std::uint64_t{1} << (literals[i] % 64);
}

void ScanEvaluator::outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) {
  const std::uint64_t* falsehoods = examples_->literals(i).falsehoods();
  const std::size_t words = bank_.words();
  std::fill(out, out + slots_.words(), 0);
  for (std::size_t c = 0; c < bank_.clauses(); ++c) {
    const std::size_t slot = slots_.slot(static_cast<ClauseId>(c));
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    if ((active_[slot / 64] & bit) == 0) continue;
    const std::uint64_t* included = included_.data() + c * words;
    std::size_t w = 0;
    while (w < words && (included[w] & falsehoods[w]) == 0) ++w;
    counters.words_compared += std::min(w + 1, words);
    if (w == words) out[slot / 64] |= bit;
  }
}

IndexEvaluator::IndexEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active,
                               const Kernels& kernels)
    : bank_(bank),
      slots_(slots),
      active_(active),
      kernels_(kernels),
      index_(bank.clauses(), bank.literals()),
      // Flags are read in whole words from the start of each group.
      falsified_(bank.clauses() + 64) {
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const ClauseId clause = static_cast<ClauseId>(c);
    flipped(clause, bank.included(clause), true);
  }
}

void IndexEvaluator::flipped(ClauseId clause, const IdList& literals, bool included) {
  for (std::uint32_t i = 0; i < literals.size; ++i) {
    const auto literal = static_cast<LiteralId>(literals[i]);
    included ? index_.insert(clause, literal) : index_.erase(clause, literal);
  }
}

void IndexEvaluator::outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) {
  std::memset(falsified_.data(), 0, bank_.clauses());
  counters.entries_visited += index_.falsify(examples_->literals(i), falsified_.data());
  const std::size_t words = slots_.group_words(), clauses = slots_.clauses() / slots_.groups();
  for (std::size_t group = 0; group < slots_.groups(); ++group) {
    kernels_.unflagged(falsified_.data() + group * clauses, words, out + group * words);
  }
  for (std::size_t w = 0; w < slots_.words(); ++w) out[w] &= active_[w];
}

}  // namespace falsum
