// LookaheadEvaluator: the order of an epoch does not depend on learning, so the next uses of a class are known. It
// takes 256 of them at a time:
//
//   columns   for every literal 256 bits: bit u is on when the literal is true in use u
//   truths    for every clause the AND of its literals' columns: its outputs for all these uses
//
// For use u, bit u of every clause's truths is the clause's output. A clause that flips is marked; before the next use
// its truths are computed again, which is a walk over its literals. Everything stays exactly as if each use had been
// evaluated when its turn came, since a clause's output depends on its own literals alone.
//
// Cost per use: clauses x length / 256 vector ANDs for the blocks, clauses / 8 to pick the bits, length for each clause
// that flipped. Blocks of 64 do less when mending and more for each block; 256 is one AVX2 register.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/evaluator.h"

namespace falsum {

class LookaheadEvaluator final : public Evaluator {
 public:
  LookaheadEvaluator(const Bank& bank, const Kernels& kernels);

  void outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return (columns_.size() + truths_.size()) * 8 + to_mend_index_.size() * 4; }

 private:
  static constexpr std::size_t kUses = 64 * kLookaheadWords;
  void prepare(std::size_t first, UseRows& rows, LearnCounters& counters);
  void mend(std::size_t u, LearnCounters& counters);

  const Bank& bank_;
  const Kernels& kernels_;
  std::size_t first_ = 0;                // the use that bit 0 stands for
  AlignedArray<std::uint64_t> columns_;  // by literal, kLookaheadWords each
  AlignedArray<std::uint64_t> truths_;   // word 0 of every slot, word 1 of every slot, ...; 0 for slots of no clause
  /// A clause that a literal has left, and the uses where that literal was false.
  struct Mend {
    ClauseId clause;
    std::uint64_t candidates[kLookaheadWords];
  };
  std::vector<Mend> to_mend_;
  std::vector<std::uint32_t> to_mend_index_;  // by clause: its place in to_mend_ and one, or 0
};

}  // namespace falsum
