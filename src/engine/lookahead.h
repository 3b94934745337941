// LookaheadEvaluator: the order of an epoch does not depend on learning, so the next uses of a class are known. It
// takes 64 of them at a time:
//
//   columns   for every literal a word: bit u is on when the literal is true in use u
//   truths    for every clause a word: the AND of its literals' columns, so its outputs for all 64 uses
//
// For use u, bit u of every clause's word is the clause's output. A clause that flips is marked; before the next use
// its word is computed again, which is a walk over its literals. Everything stays exactly as if each use had been
// evaluated when its turn came, since a clause's output depends on its own literals alone.
//
// Cost per use: clauses x length / 64 for the blocks, clauses / 8 to pick the bits, length for each clause that
// flipped.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluator.h"

namespace falsum {

class LookaheadEvaluator final : public Evaluator {
 public:
  LookaheadEvaluator(const Bank& bank, const Kernels& kernels);

  void begin(UseRows& rows) override;
  void outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, LiteralId, bool) override {
    if (stale_[at(clause)]) return;
    stale_[at(clause)] = true;
    to_mend_.push_back(clause);
  }
  std::uint64_t bytes() const override { return (columns_.size() + truths_.size()) * 8 + stale_.size(); }

 private:
  static constexpr std::size_t kUses = 64;
  void prepare(std::size_t first, UseRows& rows, LearnCounters& counters);
  void evaluate(ClauseId clause, LearnCounters& counters);

  const Bank& bank_;
  const Kernels& kernels_;
  std::size_t first_ = 0;               // the use that bit 0 stands for
  std::vector<std::uint64_t> columns_;  // by literal
  AlignedArray<std::uint64_t> truths_;  // by slot; 0 for slots of no clause
  std::vector<std::uint8_t> stale_;     // by clause: its word must be computed again
  std::vector<ClauseId> to_mend_;
};

}  // namespace falsum
