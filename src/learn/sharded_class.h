// ShardedClass: one class learning on several threads. The votes of a block of 256 uses are taken at its start, by the
// clauses as they are then ("stale votes"); given these, clauses do not see each other any more, so shards of them can
// go through the block at the same time. Each clause's own output stays exact.
//
// What is learned depends on the blocks, and so differs from the exact machine; it does not depend on the number of
// shards or threads. tests/learn/sharded_test.cpp holds it against a naive machine with stale votes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bank/bank.h"
#include "engine/lookahead.h"
#include "learn/feedback.h"

namespace falsum {

class ShardedClass {
 public:
  ShardedClass(Bank& bank, std::int64_t threshold, std::size_t shards, const Kernels& kernels);

  std::size_t shards() const { return shards_.size(); }
  std::uint64_t bytes() const;

  /// Starts a block of at most 256 uses, of which the first is number `first_use` of the class. By one thread.
  void begin(std::span<const Use> uses, const SampleRows& rows, std::uint64_t class_key, std::uint64_t first_use);
  /// The shard's votes for all uses of the block. All shards must have done so before any learns.
  void evaluate(std::size_t shard, const Kernels& kernels);
  void learn(std::size_t shard, const Bank::Rules& rules);

  /// What happened since the last call.
  LearnCounters take_counters();

 private:
  struct Shard {
    Shard(Bank& bank, std::int64_t threshold, LookaheadBlock& block, std::size_t first, std::size_t last)
        : part(block, first, last), feedback(bank, threshold, first, last, part), outputs(last - first) {}
    LookaheadPart part;
    Feedback feedback;
    std::vector<std::uint64_t> outputs;
    std::int64_t votes[LookaheadBlock::kUses] = {};
    LearnCounters counters;
  };

  const Bank& bank_;
  LookaheadBlock block_;
  std::vector<std::unique_ptr<Shard>> shards_;  // each on its own cache lines
  std::span<const Use> uses_;
  SampleRows rows_ = SparseBitsView();
  std::uint64_t class_key_ = 0, first_use_ = 0;
};

}  // namespace falsum
