#include "engine/evaluator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "engine/lookahead.h"

namespace falsum {

std::unique_ptr<Evaluator> make_evaluator(const std::string& engine, const Bank& bank, const Kernels& kernels) {
  if (engine == "scan") return std::make_unique<ScanEvaluator>(bank);
  if (engine == "lookahead") return std::make_unique<LookaheadEvaluator>(bank, kernels);
  assert(engine == "index");
  return std::make_unique<IndexEvaluator>(bank, kernels);
}

ScanEvaluator::ScanEvaluator(const Bank& bank) : bank_(bank), included_(bank.clauses() * bank.words()) {
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const ClauseId clause = static_cast<ClauseId>(c);
    flipped(clause, bank.included(clause), true);
  }
}

void ScanEvaluator::flipped(ClauseId clause, const IdList& literals, bool) {
  std::uint64_t* const words = included_.data() + at(clause) * bank_.words();
  for (std::uint32_t i = 0; i < literals.size; ++i) words[literals[i] / 64] ^= std::uint64_t{1} << (literals[i] % 64);
}

void ScanEvaluator::outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) {
  const std::uint64_t* falsehoods = rows.literals(i).falsehoods();
  const std::size_t words = bank_.words();
  std::fill(out, out + bank_.slots() / 64, 0);
  for (std::size_t c = 0; c < bank_.clauses(); ++c) {
    const std::uint64_t* included = included_.data() + c * words;
    std::size_t w = 0;
    while (w < words && (included[w] & falsehoods[w]) == 0) ++w;
    counters.words_compared += std::min(w + 1, words);
    if (w == words) {
      const std::size_t slot = bank_.slot(static_cast<ClauseId>(c));
      out[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
  }
}

IndexEvaluator::IndexEvaluator(const Bank& bank, const Kernels& kernels)
    : bank_(bank),
      kernels_(kernels),
      index_(bank.clauses(), bank.literals()),
      // Flags are read in whole words from the start of each half.
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

void IndexEvaluator::outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) {
  std::memset(falsified_.data(), 0, bank_.clauses());
  counters.entries_visited += index_.falsify(rows.literals(i), falsified_.data());
  const std::size_t positives = bank_.positives(), half = bank_.slots() / 128;
  const std::uint64_t last = positives % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (positives % 64)) - 1;
  for (std::size_t polarity = 0; polarity < 2; ++polarity) {
    kernels_.unflagged(falsified_.data() + polarity * positives, half, out + polarity * half);
    out[polarity * half + half - 1] &= last;
  }
}

}  // namespace falsum
