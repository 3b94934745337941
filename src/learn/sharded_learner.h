// ShardedLearner: one learner on several threads. The votes of a block of 256 uses are taken at its start, by the
// clauses as they are then ("stale votes"); given these, clauses do not see each other any more, so shards of them can
// go through the block at the same time. Each clause's own output stays exact.
//
// What is learned depends on the blocks, and so differs from the exact machine; it does not depend on the number of
// shards or threads. Blocks are counted over the uses that the learner has in an epoch. A block may be left in its
// middle and continued later, from the votes that were taken at its start. tests/learn/sharded_test.cpp holds it
// against a naive machine with stale votes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "evaluate/lookahead.h"
#include "learn/feedback.h"
#include "learn/plan.h"
#include "learn/voters.h"

namespace falsum {

class ShardedLearner {
 public:
  ShardedLearner(Voters& voters, std::size_t shards, const Kernels& kernels);

  std::size_t shards() const { return shards_.size(); }
  std::uint64_t bytes() const;

  /// Starts a block of at most 256 uses, of which the first is number `first_use` of the learner. By one thread. If
  /// votes were left for these uses, they count instead of those that the clauses have now.
  void begin(const UsesView& uses, const Rows& rows, std::uint64_t key, std::uint64_t first_use);
  /// The shard's votes for all uses of the block. All shards must have done so before any learns.
  void evaluate(std::size_t shard, const Kernels& kernels);
  /// The uses from .. to-1 of the block, as far as there are any. All shards must have learned them before others come.
  void learn(std::size_t shard, std::size_t from, std::size_t to, const Bank::Law& law);

  /// The votes of the block's uses from `from` on: what is left when learning stops there.
  std::vector<std::int64_t> votes_from(std::size_t from) const;
  void leave(std::vector<std::int64_t> votes) { left_ = std::move(votes); }
  const std::vector<std::int64_t>& left() const { return left_; }

  /// What happened since the last call.
  LearnCounters take_counters();

 private:
  struct Shard {
    Shard(Voters& voters, LookaheadBlock& block, std::size_t first, std::size_t last)
        : part(block, first, last),
          feedback(voters.bank, voters.weights, voters.slots, first, last, part),
          outputs(last - first) {}
    LookaheadPart part;
    Feedback feedback;
    std::vector<std::uint64_t> outputs;
    std::optional<Examples> examples;  // of the block, as literals: a shard's own
    std::int64_t votes[LookaheadBlock::kUses] = {};
    LearnCounters counters;
  };

  Voters& voters_;
  LookaheadBlock block_;
  std::vector<std::unique_ptr<Shard>> shards_;  // each on its own cache lines
  std::int64_t votes_of(std::size_t u) const;

  UsesView uses_;
  std::vector<std::int64_t> given_;  // votes of the block at hand that were taken before it was left, or none
  std::vector<std::int64_t> left_;   // votes for the next block
  std::uint64_t key_ = 0, first_use_ = 0;
};

}  // namespace falsum
