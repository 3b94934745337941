#include "learn/learner.h"

#include <algorithm>

namespace falsum {

Learner::Learner(const Options& options, std::size_t class_id, std::size_t features)
    : key_(class_key(options.seed, class_id)), voters_(std::make_unique<Voters>(options, features)) {}

void Learner::use_engine(Engine engine, const Kernels& kernels) {
  const std::size_t words = voters_->slots.words();
  evaluator_ = make_evaluator(engine, voters_->bank, voters_->slots, kernels);
  feedback_ = std::make_unique<Feedback>(voters_->bank, voters_->weights, voters_->slots, 0, words, *evaluator_);
  outputs_.resize(words);
}

void Learner::use_shards(std::size_t shards, const Kernels& kernels) {
  sharded_ = std::make_unique<ShardedLearner>(*voters_, shards, kernels);
}

void Learner::begin(const UsesView& uses, const Rows& rows) {
  coming_ = uses;
  learned_ = 0;
  examples_ = std::make_unique<Examples>(coming_.rows, rows);
  evaluator_->begin(*examples_);
}

LearnCounters Learner::learn(const Bank::Law& law, const LearningSlice& slice) {
  LearnCounters counters;
  const Weights& weights = voters_->weights;
  const std::size_t last = learned_ + std::min(slice.most_uses, coming_.size() - learned_);
  const std::size_t grain = LearningSlice::grain(bank().clauses() * bank().literals());
  std::size_t i = learned_;  // written back once: learners are neighbours in memory
  while (i < last) {
    for (const std::size_t until = std::min(i + grain, last); i < until; ++i) {
      evaluator_->outputs(i, outputs_.data(), counters);
      ++counters.evaluations;
      const std::int64_t votes = weights.votes(outputs_.data(), 0, outputs_.size(), law.kernels);
      const Push push = voters_->objective.push(votes, coming_.targets[i]);
      feedback_->give(push, outputs_.data(), weights.positive(), *examples_, i, use_key(key_, uses_++), law, counters);
    }
    if (slice.over()) break;
  }
  learned_ = i;
  return counters;
}

}  // namespace falsum
