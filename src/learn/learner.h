// Learner: a bank of clauses and the parts that make it learn. The plain machine has one learner for each class; a
// machine of shared clauses has one for all its outputs. For every use
//
//   outputs of its clauses (Evaluator) -> for each step: votes (Weights) -> push (Objective) -> events (Feedback)
//   -> flips -> Evaluator
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bank/bank.h"
#include "bank/clause_slots.h"
#include "evaluate/evaluator.h"
#include "falsum/machine.h"
#include "learn/feedback.h"
#include "learn/learning_slice.h"
#include "learn/plan.h"
#include "learn/sharded_learner.h"
#include "vote/objective.h"
#include "vote/weights.h"

namespace falsum {

class Learner {
 public:
  /// Learner number `id` of a machine, which learns these outputs.
  Learner(const Options& options, std::size_t id, std::size_t features, std::size_t outputs);

  Bank& bank() { return voters_->bank; }
  const Bank& bank() const { return voters_->bank; }
  Weights& weights() { return voters_->weights; }
  const Weights& weights() const { return voters_->weights; }
  std::uint64_t uses() const { return uses_; }
  void set_uses(std::uint64_t uses) { uses_ = uses; }

  /// One of these must be called before learning, and again whenever the bank was read from a file.
  void use_engine(Engine engine, const Kernels& kernels);
  void use_shards(std::size_t shards, const Kernels& kernels);
  const Evaluator& evaluator() const { return *evaluator_; }
  ShardedLearner* sharded() const { return sharded_.get(); }
  std::uint64_t engine_bytes() const { return sharded_ ? sharded_->bytes() : evaluator_->bytes(); }

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
  LearnCounters learn(const Bank::Law& law, const LearningSlice& slice);

  // Sharded: a block of uses is transposed, evaluated by all shards, then learned by all shards, in parts.
  void begin_block(const UsesView& uses, const Rows& rows) { sharded_->begin(uses, rows, key_, uses_); }
  void count_uses(std::size_t learned) { uses_ += learned; }

 private:
  FlipListener& listener();
  void choose_steps(std::size_t i, const Bank::Law& law);
  std::uint32_t late_negative(std::uint32_t label);

  Options options_;
  std::size_t id_;
  std::uint64_t key_;
  std::unique_ptr<Voters> voters_;  // do not move with the learner: the other parts refer to them
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Feedback> feedback_;
  std::unique_ptr<ShardedLearner> sharded_;  // instead of the two above
  std::uint64_t uses_ = 0;                   // updates since the machine was made
  std::vector<std::uint64_t> outputs_;
  std::vector<std::int64_t> votes_;     // of all outputs
  std::optional<std::uint64_t> epoch_;  // whose drops are in force
  UsesView coming_;
  std::unique_ptr<Examples> examples_;  // of these uses; the evaluator refers to it
  std::size_t learned_ = 0;
};

}  // namespace falsum
