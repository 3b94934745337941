// Evaluator: how a learner computes its clause outputs. One per learner; never shared by threads.
//
//   begin(examples)   the coming examples, so that an engine may prepare blocks of them
//   outputs(i, ...)   bit `slot` is on when that clause is true for example i; called once for each, in order from 0
//   flipped(...)      the bank changed includes; prepared outputs must be updated
//
// `active` tells by slot which clauses take part in the epoch; the output of a dropped clause is false. It may change
// between two calls of begin().
//
// Invariant I1: a clause's output depends only on its own literals and the example, not on its weight or the objective.
// So outputs may be computed ahead of their turn and updated by flips, and stay exact.
//
// Empty clauses are true here (they must learn); in prediction they do not vote (vote_engine.h).
//
//   ScanEvaluator       compares clauses with the false literals word by word, leaving each at its first falsified word
//   IndexEvaluator      walks the inclusion lists of the false literals (index/clause_index.h)
//   LookaheadEvaluator  evaluates 256 uses at once and updates the outputs after flips (lookahead.h)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/engines.h"
#include "falsum/learn_counters.h"
#include "index/clause_index.h"
#include "kernels/kernels.h"
#include "literals/examples.h"

namespace falsum {

class Evaluator : public FlipListener {
 public:
  virtual ~Evaluator() = default;
  /// `examples` must outlive the calls for them.
  virtual void begin(Examples& examples) { examples_ = &examples; }
  /// `out` has slots.slots() bits; bits without an active clause are off.
  virtual void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) = 0;
  virtual std::uint64_t bytes() const = 0;

 protected:
  Examples* examples_ = nullptr;
};

/// Builds the evaluator named "scan", "index" or "lookahead" for the current state of a bank.
std::unique_ptr<Evaluator> make_evaluator(Engine engine, const Bank& bank, const ClauseSlots& slots,
                                          const std::uint64_t* active, const Kernels& kernels);

class ScanEvaluator final : public Evaluator {
 public:
  ScanEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active);
  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return included_.size() * 8; }

 private:
  const Bank& bank_;
  ClauseSlots slots_;
  const std::uint64_t* active_;
  std::vector<std::uint64_t> included_;  // bank_.words() words a clause
};

class IndexEvaluator final : public Evaluator {
 public:
  IndexEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active, const Kernels& kernels);
  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return index_.bytes(); }
  const ClauseIndex& index() const { return index_; }

 private:
  const Bank& bank_;
  ClauseSlots slots_;
  const std::uint64_t* active_;
  const Kernels& kernels_;
  ClauseIndex index_;
  AlignedArray<std::uint8_t> falsified_;  // by clause; 255 when falsified
};

}  // namespace falsum
