// ClassLearner: one class's part of an epoch: the spine of learning, on one page. For every use of the class
//
//   outputs of its clauses (Evaluator) -> votes -> feedback (Feedback) -> flips -> Evaluator
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bank/bank.h"
#include "engine/evaluator.h"
#include "falsum/machine.h"
#include "learn/epoch_plan.h"
#include "learn/feedback.h"
#include "learn/sharded_class.h"

namespace falsum {

class ClassLearner {
 public:
  ClassLearner(const Options& options, std::size_t class_id, std::size_t features);

  Bank& bank() { return *bank_; }
  const Bank& bank() const { return *bank_; }
  std::uint64_t uses() const { return uses_; }
  void set_uses(std::uint64_t uses) { uses_ = uses; }

  /// One of these must be called before learning, and again whenever the bank was read from a file.
  void use_engine(const std::string& engine, const Kernels& kernels);
  void use_shards(std::size_t shards, const Kernels& kernels);
  const Evaluator& evaluator() const { return *evaluator_; }
  ShardedClass* sharded() { return sharded_.get(); }
  std::uint64_t engine_bytes() const { return sharded_ ? sharded_->bytes() : evaluator_->bytes(); }

  LearnCounters learn(std::span<const Use> uses, const SampleRows& rows, const Bank::Rules& rules);

  // Sharded: a block of uses is transposed, evaluated by all shards, then learned by all shards.
  void begin_block(std::span<const Use> uses, const SampleRows& rows) {
    sharded_->begin(uses, rows, class_key_, uses_);
    uses_ += uses.size();
  }

 private:
  std::int64_t threshold_;
  std::uint64_t class_key_;
  std::unique_ptr<Bank> bank_;  // stays where it is when the learner moves: the others refer to it
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Feedback> feedback_;
  std::unique_ptr<ShardedClass> sharded_;  // instead of the two above
  std::uint64_t uses_ = 0;                 // updates of this class since the machine was made
  std::vector<std::uint64_t> outputs_;
};

}  // namespace falsum
