#include "evaluate/evaluator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "evaluate/lookahead.h"
#include "evaluate/window_evaluator.h"
#include "support/random.h"

namespace falsum {

std::unique_ptr<Evaluator> make_evaluator(Engine engine, const Bank& bank, const ClauseSlots& slots,
                                          const std::uint64_t* active, const Kernels& kernels,
                                          const std::optional<PatchShape>& patches) {
  if (engine == Engine::kScan) return std::make_unique<ScanEvaluator>(bank, slots, active, patches);
  if (engine == Engine::kLookahead) {
    if (patches) return std::make_unique<WindowEvaluator>(bank, slots, active, kernels, *patches);
    return std::make_unique<LookaheadEvaluator>(bank, slots, active, kernels, 0, slots.words());
  }
  assert(engine == Engine::kIndex);
  return std::make_unique<IndexEvaluator>(bank, slots, active, kernels, patches);
}

std::size_t Evaluator::true_patch(std::size_t i, ClauseId clause, std::uint64_t bits) {
  const IdList included = bank_.included(clause);
  true_patches_.clear();
  for (std::size_t p = 0; p < patches(); ++p) {
    const LiteralRow& row = literals(i, p);
    bool truth = true;
    for (std::uint32_t k = 0; k < included.size && truth; ++k) {
      truth = row.is_true(static_cast<LiteralId>(included[k]));
    }
    if (truth) true_patches_.push_back(static_cast<std::uint32_t>(p));
  }
  assert(!true_patches_.empty());
  return true_patches_[bounded(bits, true_patches_.size())];
}

ScanEvaluator::ScanEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active,
                             const std::optional<PatchShape>& patches)
    : Evaluator(bank, patches), slots_(slots), active_(active), included_(bank.clauses() * bank.words()) {
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
  const std::size_t words = bank_.words();
  std::fill(out, out + slots_.words(), 0);
  for (std::size_t p = 0; p < patches(); ++p) {
    const std::uint64_t* const falsehoods = literals(i, p).falsehoods();
    for (std::size_t word = 0; word < slots_.words(); ++word) {
      for_each_bit(active_[word] & ~out[word], 64 * word, [&](std::size_t slot) {
        const std::uint64_t* const included = included_.data() + at(slots_.clause_at(slot)) * words;
        std::size_t w = 0;
        while (w < words && (included[w] & falsehoods[w]) == 0) ++w;
        counters.words_compared += std::min(w + 1, words);
        if (w == words) out[word] |= std::uint64_t{1} << (slot % 64);
      });
    }
  }
}

IndexEvaluator::IndexEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active,
                               const Kernels& kernels, const std::optional<PatchShape>& patches)
    : Evaluator(bank, patches),
      slots_(slots),
      active_(active),
      kernels_(kernels),
      index_(bank.clauses(), bank.literals()),
      // Flags are read in whole words from the start of each group.
      falsified_(bank.clauses() + 64),
      some_(slots.words()) {
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
  const std::size_t words = slots_.group_words(), clauses = slots_.clauses() / slots_.groups();
  std::fill(out, out + slots_.words(), 0);
  for (std::size_t p = 0; p < patches(); ++p) {
    std::memset(falsified_.data(), 0, bank_.clauses());
    counters.entries_visited += index_.falsify(literals(i, p), falsified_.data());
    for (std::size_t group = 0; group < slots_.groups(); ++group) {
      kernels_.unflagged(falsified_.data() + group * clauses, words, some_.data() + group * words);
    }
    for (std::size_t w = 0; w < slots_.words(); ++w) out[w] |= some_[w] & active_[w];
  }
}

}  // namespace falsum
