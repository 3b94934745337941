// Learner: a bank of clauses and the parts that make it learn. The plain machine has one learner for each class; a
// machine of shared clauses has one for all its outputs. For every use
//
//   outputs of its clauses (Evaluator) -> for each step: votes (Weights) -> push (Objective) -> events (Feedback)
//   -> flips -> Evaluator
//
// Where there are more threads than learners, a learner's clauses are divided into parts, and a crew of threads learns
// them together: for every use the members tell each other the votes of their parts (TurnBoard), then each gives
// feedback to its own clauses. By invariant I2 (feedback.h) the learned machine is the same for any number of parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "evaluate/evaluator.h"
#include "falsum/machine.h"
#include "learn/feedback.h"
#include "learn/learning_slice.h"
#include "learn/plan.h"
#include "learn/sharded_learner.h"
#include "learn/vote_sums.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

class Learner {
 public:
  /// Learner number `id` of a machine, which learns these outputs.
  /// Of the clauses of a range; they vote and learn as those of the whole bank.
  Learner(const Options& options, std::size_t id, std::size_t features, std::size_t outputs, ClauseRange clauses);

  Bank& bank() { return voters_->bank; }
  const Bank& bank() const { return voters_->bank; }
  Weights& weights() { return voters_->weights; }
  const Weights& weights() const { return voters_->weights; }
  std::uint64_t uses() const { return uses_; }
  void set_uses(std::uint64_t uses) { uses_ = uses; }

  /// One of these must be called before learning, and again whenever the bank was read from a file.
  /// More than one part only where the engine is lookahead.
  void use_engine(Engine engine, const Kernels& kernels, std::size_t parts);
  void use_shards(std::size_t shards, const Kernels& kernels);
  const Evaluator& evaluator() const { return *parts_[0]->evaluator; }
  ShardedLearner* sharded() const { return sharded_.get(); }
  std::uint64_t engine_bytes() const;

  /// Draws what is dropped in this epoch. Does nothing when called again, as by a machine that was stopped.
  void begin_epoch(std::uint64_t epoch);
  /// Restores what was dropped.
  void end_epoch(const Bank::Law& law);

  /// Sets the coming uses; they and the rows must stay valid until they are learned.
  void begin(const UsesView& uses, const Rows& rows);
  /// How many of these uses it has learned.
  std::size_t learned() const { return learned_; }
  bool finished() const { return learned_ == coming_.size(); }
  /// Learns until no uses are left or the slice is over; the next call continues from there.
  /// `sums`: of a shard, which has one part.
  LearnCounters learn(const Bank::Law& law, const LearningSlice& slice, VoteSums* sums = nullptr);

  // Sharded: for every run of a block of uses: it is transposed, and evaluated by all shards; then, with the votes of
  // the whole block, learned by all shards, in parts.
  void begin_block(const UsesView& uses, const Rows& rows) { sharded_->begin(uses, rows, key_, uses_); }
  void count_uses(std::size_t learned) { uses_ += learned; }

 private:
  /// The clauses of some 64-slot words, and what one thread needs to learn them.
  struct Part {
    Part(Voters& voters, std::unique_ptr<Evaluator> its_evaluator, std::size_t first_word, std::size_t last_word)
        : first(first_word),
          last(last_word),
          evaluator(std::move(its_evaluator)),
          feedback(voters, first, last, *evaluator),
          outputs(last - first) {}
    std::size_t first, last;
    std::unique_ptr<Evaluator> evaluator;
    Feedback feedback;
    std::vector<std::uint64_t> outputs;
    std::unique_ptr<Examples> examples;  // the coming uses; the evaluator refers to it
    LearnCounters counters;
  };

  FlipListener& listener();
  LearnCounters learn_alone(const Bank::Law& law, const LearningSlice& slice, VoteSums* all_shards);
  LearnCounters learn_together(const Bank::Law& law, const LearningSlice& slice);
  void add_votes(std::size_t i, bool all, Part& part, const Bank::Law& law, std::int64_t* sums) const;
  void choose(std::size_t i, bool all, std::uint64_t use, const std::int64_t* sums, Part& part,
              const Bank::Law& law) const;
  std::uint32_t late_negative(std::uint32_t label, std::uint64_t use, const std::int64_t* votes) const;

  Options options_;
  std::size_t id_;
  std::uint64_t key_;
  std::unique_ptr<Voters> voters_;            // do not move with the learner: the other parts refer to them
  std::vector<std::unique_ptr<Part>> parts_;  // each on its own cache lines
  std::unique_ptr<ShardedLearner> sharded_;   // instead of the parts
  std::uint64_t uses_ = 0;                    // updates since the machine was made
  std::size_t outputs_;
  std::optional<std::uint64_t> epoch_;  // whose drops are in force
  IgnoresFlips ignores_flips_;
  UsesView coming_;
  std::size_t learned_ = 0;
};

}  // namespace falsum
