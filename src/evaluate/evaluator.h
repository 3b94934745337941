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
// Patches (falsum/patches.h): the clauses of a convolutional machine are evaluated on each patch of an example; a
// clause is true of the example when it is true of one of them. true_patch() draws the patch that feedback learns from.
//
//   ScanEvaluator       compares clauses with the false literals word by word, leaving each at its first falsified word
//   IndexEvaluator      walks the inclusion lists of the false literals (index/clause_index.h)
//   LookaheadEvaluator  evaluates 256 uses at once and updates the outputs after flips (lookahead.h)
//   WindowEvaluator     the same for patches: 64 uses at once (window_evaluator.h)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "falsum/engines.h"
#include "falsum/learn_counters.h"
#include "index/clause_index.h"
#include "kernels/kernels.h"
#include "literals/examples.h"
#include "literals/patch_row.h"

namespace falsum {

class Evaluator : public FlipListener {
 public:
  explicit Evaluator(const Bank& bank, const std::optional<PatchShape>& patches = {}) : bank_(bank) {
    if (patches) patch_.emplace(*patches);
  }
  virtual ~Evaluator() = default;
  /// `examples` must outlive the calls for them.
  virtual void begin(Examples& examples) { examples_ = &examples; }
  /// `out` has slots.slots() bits; bits without an active clause are off.
  virtual void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) = 0;
  virtual std::uint64_t bytes() const = 0;

  bool has_patches() const { return patch_.has_value(); }
  /// One of the patches of example i of which a clause is true that is active and true of the example: in the order of
  /// patches, the one after bounded(bits, their number) others. To be called before the feedback of the example.
  virtual std::size_t true_patch(std::size_t i, ClauseId clause, std::uint64_t bits);
  /// The literals of a patch of example i, or of the example if there are no patches; valid until the next call.
  const LiteralRow& literals(std::size_t i, std::size_t patch) {
    return patch_ ? patch_->of(examples_->packed(i), patch) : examples_->literals(i);
  }

 protected:
  std::size_t patches() const { return patch_ ? patch_->shape().patches() : 1; }

  const Bank& bank_;
  Examples* examples_ = nullptr;

 private:
  std::optional<PatchRow> patch_;
  std::vector<std::uint32_t> true_patches_;  // scratch
};

/// Builds the evaluator named "scan", "index" or "lookahead" for the current state of a bank.
std::unique_ptr<Evaluator> make_evaluator(Engine engine, const Bank& bank, const ClauseSlots& slots,
                                          const std::uint64_t* active, const Kernels& kernels,
                                          const std::optional<PatchShape>& patches = {});

class ScanEvaluator final : public Evaluator {
 public:
  ScanEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active,
                const std::optional<PatchShape>& patches = {});
  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return included_.size() * 8; }

 private:
  ClauseSlots slots_;
  const std::uint64_t* active_;
  std::vector<std::uint64_t> included_;  // bank_.words() words a clause
};

class IndexEvaluator final : public Evaluator {
 public:
  IndexEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active, const Kernels& kernels,
                 const std::optional<PatchShape>& patches = {});
  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return index_.bytes(); }
  const ClauseIndex& index() const { return index_; }

 private:
  ClauseSlots slots_;
  const std::uint64_t* active_;
  const Kernels& kernels_;
  ClauseIndex index_;
  AlignedArray<std::uint8_t> falsified_;  // by clause; 255 when falsified
  std::vector<std::uint64_t> some_;       // scratch: the outputs for one patch
};

}  // namespace falsum
