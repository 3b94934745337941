// Looking ahead: the order of an epoch does not depend on learning, so the next uses of a class are known. They are
// evaluated 256 at a time:
//
//   columns   for every literal 256 bits: bit u is on when the literal is true in use u
//   outputs    for every clause the AND of its literals' columns: its outputs for all these uses
//
// For use u, bit u of every clause's outputs is the clause's output. When a literal joins a clause, its column is ANDed
// into the clause's outputs. When a literal leaves a clause, the clause may become true where that literal was false:
// these uses are its *candidates*. At the turn of the first candidate, all candidates are evaluated again by a walk
// over the clause's literals; until then more literals may leave. The results are exactly those of evaluating each use
// at its turn, by invariant I1 (evaluator.h).
//
//   LookaheadBlock      the columns and outputs of one class
//   LookaheadPart       the clauses of some words of slots: computes and updates their outputs. Parts share no clause,
//                       so they may work at the same time (learn/sharded_learner.h)
//   LookaheadEvaluator  a block and one part of all its clauses
//
// Cost per use: clauses x length / 256 vector ANDs for the blocks, clauses / 8 to extract the bits, length for each
// clause with a candidate. Blocks of 64 need less work for updates and more per block; 256 is one AVX2 register.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/evaluator.h"
#include "support/large_block.h"

namespace falsum {

struct LookaheadBlock {
  static constexpr std::size_t kUses = 64 * kLookaheadWords;

  LookaheadBlock(const Bank& its_bank, const ClauseSlots& its_slots, const std::uint64_t* active_slots,
                 const Kernels& kernel_set);
  /// Uses first .. first+255, or up to the last use.
  void transpose(std::size_t first, const Examples& examples);
  std::uint64_t bytes() const { return (columns.size() + outputs.size()) * 8 + candidate_index.size() * 4; }

  const Bank& bank;
  const ClauseSlots slots;
  const std::uint64_t* const active;  // by 64-slot word; a dropped clause has no outputs and gets no feedback
  const Kernels& kernels;
  AlignedArray<std::uint64_t> columns;  // by literal, kLookaheadWords each
  AlignedArray<std::uint64_t> outputs;  // word 0 of every slot, word 1 of every slot, ...; 0 for slots of no clause
  std::vector<std::uint32_t>
      candidate_index;  // by clause: 1-based position in its part's candidate_clauses_; 0 = not listed
};

class LookaheadPart final : public FlipListener {
 public:
  /// The clauses of 64-slot words first .. last-1.
  LookaheadPart(LookaheadBlock& block, std::size_t first, std::size_t last)
      : block_(block), kernels_(block.kernels), first_(first), last_(last), due_(words()) {}

  std::size_t first() const { return first_; }
  std::size_t words() const { return last_ - first_; }
  /// Computes the outputs of all its clauses, for a block that was just transposed.
  void evaluate(LearnCounters& counters);
  /// The outputs for use u of the block, words() words; uses before u are past from now on.
  void outputs(std::size_t u, std::uint64_t* out, LearnCounters& counters);
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const {
    return candidates_.size() * 8 + candidate_clauses_.capacity() * sizeof(ClauseId) + due_.size() * 8;
  }

 private:
  /// The distance between two words of a clause's candidates; not a power of two, which would overload one cache set.
  std::size_t stride() const { return room_ + 8; }
  void make_room(std::size_t clauses);
  void mend(std::size_t u, LearnCounters& counters);
  void mend_one(std::size_t i, LearnCounters& counters);

  LookaheadBlock& block_;
  const Kernels& kernels_;
  std::size_t first_, last_;
  std::uint64_t to_come_[kLookaheadWords] = {};  // the uses of the block that are still to come
  // Clauses that a literal has left, and where they may have become true: word 0 of all of them, word 1 of all, ...
  std::vector<ClauseId> candidate_clauses_;
  LargeVector<std::uint64_t> candidates_;
  std::size_t room_ = 0, count_ = 0,
              most_ = 0;            // clauses: capacity of the lists, how many there are, the most of this block
  std::vector<std::uint64_t> due_;  // scratch: the clauses of candidate_clauses_ whose turn has come
};

class LookaheadEvaluator final : public Evaluator {
 public:
  /// Of the clauses of 64-slot words first .. last-1.
  LookaheadEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active, const Kernels& kernels,
                     std::size_t first, std::size_t last)
      : Evaluator(bank), block_(bank, slots, active, kernels), part_(block_, first, last) {}

  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override {
    if (i % LookaheadBlock::kUses == 0) {
      block_.transpose(i, *examples_);
      part_.evaluate(counters);
    }
    part_.outputs(i % LookaheadBlock::kUses, out, counters);
  }
  void flipped(ClauseId clause, const IdList& literals, bool included) override {
    part_.flipped(clause, literals, included);
  }
  std::uint64_t bytes() const override { return block_.bytes() + part_.bytes(); }

 private:
  LookaheadBlock block_;
  LookaheadPart part_;
};

}  // namespace falsum
