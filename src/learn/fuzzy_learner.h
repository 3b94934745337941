// FuzzyLearner: the fuzzy clauses of one output and how they learn; FuzzyLearners: those of all outputs. Every example
// is a use of every learner (docs/family.md, "Fuzzy clauses"):
//
//   votes of the clauses -> push (Objective) -> Type Ia, Ib or II on the chosen clauses (FuzzyBank)
//
// Late in learning most uses push nobody, so learning is mostly evaluation. Samples are learned in blocks of 512; each
// block is transposed once for all learners, which then look ahead at all of its samples (FuzzyLookahead). In machines
// of few clauses evaluating sample by sample is faster (`scan`). Both learn the same bits, and so do blocks of any
// length.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bank/fuzzy_bank.h"
#include "evaluate/fuzzy_lookahead.h"
#include "falsum/machine.h"
#include "learn/plan.h"
#include "vote/objective.h"

namespace falsum {

class FuzzyLearner {
 public:
  FuzzyLearner(const Options& options, std::size_t id, std::size_t features, std::size_t learners);

  FuzzyBank& bank() { return *bank_; }
  const FuzzyBank& bank() const { return *bank_; }
  std::uint64_t uses() const { return uses_; }
  void set_uses(std::uint64_t uses) { uses_ = uses; }
  /// After the bank was read from a file.
  void bank_changed();
  std::uint64_t engine_bytes() const { return lookahead_.bytes(); }

  /// Whether it would look ahead at a block of this many samples.
  bool wants_columns(std::size_t samples) const;
  /// `labels`: 8 words, on where its votes should go up.
  LearnCounters learn(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels);

 private:
  void scan(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels, LearnCounters& counters);
  void look_ahead(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels,
                  LearnCounters& counters);
  template <class IsTrue, class Flipped>
  void give(const Push& push, const std::uint64_t* row, std::uint64_t use, const IsTrue& is_true,
            const Flipped& flipped, const Kernels& kernels, LearnCounters& counters);

  std::uint64_t key_;
  Engine engine_;
  bool many_clauses_;
  Objective objective_;
  std::unique_ptr<FuzzyBank> bank_;  // does not move with the learner: lookahead_ refers to it
  FuzzyLookahead lookahead_;
  std::uint64_t uses_ = 0;  // since the machine was made
  std::vector<std::uint32_t> misses_;
  std::vector<std::uint64_t> selected_;
};

class FuzzyLearners {
 public:
  /// `ids`: their numbers in the whole machine.
  FuzzyLearners(const Options& options, std::size_t features, std::vector<std::size_t> ids);

  std::size_t size() const { return learners_.size(); }
  FuzzyLearner& operator[](std::size_t i) { return learners_[i]; }
  const FuzzyLearner& operator[](std::size_t i) const { return learners_[i]; }

  /// Learns at most this many samples from position `first` of the plan's order on; returns how many.
  std::size_t learn(const Plan& plan, const Rows& rows, std::size_t first, std::size_t most, unsigned threads,
                    const Kernels& kernels, std::vector<LearnCounters>& counters);

  std::size_t included() const;  // literals in all clauses
  std::uint64_t bank_bytes() const;
  std::uint64_t engine_bytes() const;

 private:
  std::size_t features_;
  std::vector<std::size_t> ids_;
  std::vector<FuzzyLearner> learners_;
  std::vector<FuzzyBlock> blocks_;
  std::vector<std::vector<std::uint64_t>> targets_;  // of each block (Plan::targets)
};

}  // namespace falsum
