#include "learn/class_learner.h"

namespace falsum {

ClassLearner::ClassLearner(const Options& options, std::size_t class_id, std::size_t features)
    : threshold_(options.threshold),
      class_key_(class_key(options.seed, class_id)),
      bank_(std::make_unique<Bank>(static_cast<std::size_t>(options.clauses), features,
                                   static_cast<std::uint32_t>(options.states))) {}

void ClassLearner::use_engine(const std::string& engine, const Kernels& kernels) {
  const std::size_t words = bank_->slots() / 64;
  evaluator_ = make_evaluator(engine, *bank_, kernels);
  feedback_ = std::make_unique<Feedback>(*bank_, threshold_, 0, words, *evaluator_);
  outputs_.resize(words);
}

void ClassLearner::use_shards(std::size_t shards, const Kernels& kernels) {
  sharded_ = std::make_unique<ShardedClass>(*bank_, threshold_, shards, kernels);
}

LearnCounters ClassLearner::learn(std::span<const Use> uses, const SampleRows& rows, const Bank::Rules& rules) {
  LearnCounters counters;
  UseRows use_rows(uses, rows);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    evaluator_->outputs(i, use_rows, outputs_.data(), counters);
    ++counters.evaluations;
    const std::int64_t votes = bank_->votes(outputs_.data(), 0, outputs_.size(), rules.kernels);
    feedback_->give(votes, i, use_rows, use_key(class_key_, uses_++), outputs_.data(), rules, counters);
  }
  return counters;
}

}  // namespace falsum
