// ShardedLearner: one learner on several threads. The votes of a block of uses are computed at its start, from the
// clauses at that time ("stale votes"). Given these votes, clauses are independent, so shards of clauses can learn the
// block at the same time. Each clause's own output stays exact.
//
// 256 uses, a run, are evaluated together (lookahead.h). A block that is longer is evaluated run by run for its votes,
// then every run again when its turn to be learned comes.
//
// The learned machine depends on the blocks, and so differs from the exact machine; it does not depend on the number of
// shards or threads. Blocks are counted over the uses of the learner in an epoch. A block may be left in its middle and
// continued later, with the votes from its start. tests/learn/sharded_test.cpp compares it with a naive machine with
// stale votes.
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

  static constexpr std::size_t kRun = LookaheadBlock::kUses;

  /// Starts a block of uses, of which the first is number `first_use` of the learner. Called by one thread. Votes that
  /// were kept for these uses replace those of the current clauses.
  void begin(const UsesView& uses, const Rows& rows, std::uint64_t key, std::uint64_t first_use);
  /// Transposes the run of uses from `first` on, a multiple of kRun. Called by one thread.
  void begin_run(std::size_t first);
  /// Evaluates the run. All shards must have done so before any shard learns.
  void evaluate(std::size_t shard);
  /// Computes the shard's votes for the run that it has just evaluated.
  void vote(std::size_t shard, const Kernels& kernels);
  /// Learns the uses from .. to-1 of the block, which are in the run, or up to its last use. All shards must have
  /// learned them before any learns later uses.
  void learn(std::size_t shard, std::size_t from, std::size_t to, const Bank::Law& law);

  /// The votes of the block's uses, of these clauses alone until they are replaced by those of all shards of a machine.
  std::vector<std::int64_t> votes() const { return votes_from(0); }
  void replace_votes(std::vector<std::int64_t> votes) { given_ = std::move(votes); }
  /// Whether the block has the votes that were kept for it.
  bool has_votes() const { return !given_.empty(); }

  /// The votes of the block's uses from `from` on, to be kept when learning stops there.
  std::vector<std::int64_t> votes_from(std::size_t from) const;
  void leave(std::vector<std::int64_t> votes) { left_ = std::move(votes); }
  const std::vector<std::int64_t>& left() const { return left_; }

  /// The counts since the last call.
  LearnCounters take_counters();

 private:
  struct Shard {
    Shard(Voters& voters, LookaheadBlock& block, std::size_t first, std::size_t last)
        : part(block, first, last), feedback(voters, first, last, part), outputs(last - first) {}
    LookaheadPart part;
    Feedback feedback;
    std::vector<std::uint64_t> outputs;
    std::optional<Examples> examples;  // the block as literals; each shard has its own
    std::vector<std::int64_t> votes;   // by use of the block
    LearnCounters counters;
  };

  Voters& voters_;
  LookaheadBlock block_;
  std::vector<std::unique_ptr<Shard>> shards_;  // each on its own cache lines
  std::int64_t votes_of(std::size_t u) const;

  UsesView uses_;
  std::vector<std::int64_t> given_;  // votes of the current block, if it was left before; else empty
  std::vector<std::int64_t> left_;   // votes for the next block
  std::uint64_t key_ = 0, first_use_ = 0;
  std::size_t run_ = 0;  // its first use
};

}  // namespace falsum
