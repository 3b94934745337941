// Evaluator: how a class computes its clause outputs while it learns. One per class; never shared by threads.
//
//   outputs(i, ...)   bit `slot` is on when that clause is true for use i; called once per use, in order from 0.
//                     All the uses to come are in `rows`, so an engine may prepare blocks of them
//   flipped(...)      the bank changed includes; whatever was prepared must be mended
//
// Empty clauses are true here (they must learn); prediction (vote_engine.h) silences them.
//
//   ScanEvaluator       compares clauses with the false literals word by word, leaving each at its first falsified word
//   IndexEvaluator      walks the inclusion lists of the false literals (index/clause_index.h)
//   LookaheadEvaluator  evaluates 256 uses at once and mends what flips change (lookahead.h)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bank/bank.h"
#include "falsum/machine.h"
#include "index/clause_index.h"
#include "kernels/kernels.h"
#include "literals/use_rows.h"

namespace falsum {

class Evaluator : public FlipListener {
 public:
  virtual ~Evaluator() = default;
  /// `out` has bank.slots() bits; those of no clause are left off.
  virtual void outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) = 0;
  virtual std::uint64_t bytes() const = 0;
};

/// Builds the evaluator named "scan", "index" or "lookahead" for a bank as it is now.
std::unique_ptr<Evaluator> make_evaluator(const std::string& engine, const Bank& bank, const Kernels& kernels);

class ScanEvaluator final : public Evaluator {
 public:
  explicit ScanEvaluator(const Bank& bank);
  void outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return included_.size() * 8; }

 private:
  const Bank& bank_;
  std::vector<std::uint64_t> included_;  // bank_.words() words a clause
};

class IndexEvaluator final : public Evaluator {
 public:
  IndexEvaluator(const Bank& bank, const Kernels& kernels);
  void outputs(std::size_t i, UseRows& rows, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::uint64_t bytes() const override { return index_.bytes(); }
  const ClauseIndex& index() const { return index_; }

 private:
  const Bank& bank_;
  const Kernels& kernels_;
  ClauseIndex index_;
  AlignedArray<std::uint8_t> falsified_;  // by clause; 255 when falsified
};

}  // namespace falsum
