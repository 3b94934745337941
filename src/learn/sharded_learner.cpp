#include "learn/sharded_learner.h"

#include <algorithm>
#include <utility>

namespace falsum {

ShardedLearner::ShardedLearner(Voters& voters, std::size_t shards, const Kernels& kernels)
    : voters_(voters), block_(voters.bank, voters.slots, voters.active.data(), kernels) {
  const auto [first, last] = voters.slots.words_of(voters.bank.range());
  const std::size_t words = last - first, count = std::clamp<std::size_t>(shards, 1, words);
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t from = first + words * s / count, to = first + words * (s + 1) / count;
    shards_.push_back(std::make_unique<Shard>(voters, block_, from, to));
  }
}

void ShardedLearner::begin(const UsesView& uses, const Rows& rows, std::uint64_t key, std::uint64_t first_use) {
  uses_ = uses;
  key_ = key;
  first_use_ = first_use;
  given_ = std::exchange(left_, {});
  if (uses.empty()) return;
  for (const auto& shard : shards_) {
    shard->examples.emplace(uses.rows, rows);
    shard->votes.resize(uses.size());
  }
}

void ShardedLearner::begin_run(std::size_t first) {
  run_ = first;
  if (first < uses_.size()) block_.transpose(first, *shards_[0]->examples);
}

void ShardedLearner::evaluate(std::size_t shard) {
  Shard& s = *shards_[shard];
  if (run_ < uses_.size()) s.part.evaluate(s.counters);
}

void ShardedLearner::vote(std::size_t shard, const Kernels& kernels) {
  if (!given_.empty()) return;
  Shard& s = *shards_[shard];
  for (std::size_t u = run_; u < std::min(run_ + kRun, uses_.size()); ++u) {
    s.part.outputs(u - run_, s.outputs.data(), s.counters);
    s.votes[u] = voters_.weights.votes(s.outputs.data(), 0, s.part.first(), s.part.first() + s.part.words(), kernels);
  }
}

std::int64_t ShardedLearner::votes_of(std::size_t u) const {
  if (!given_.empty()) return given_[u];
  std::int64_t votes = 0;
  for (const auto& shard : shards_) votes += shard->votes[u];
  return votes;
}

void ShardedLearner::learn(std::size_t shard, std::size_t from, std::size_t to, const Bank::Law& law) {
  Shard& s = *shards_[shard];
  for (std::size_t u = from; u < std::min(to, uses_.size()); ++u) {
    s.part.outputs(u - run_, s.outputs.data(), s.counters);
    s.counters.evaluations += shard == 0;  // one sum of votes, however many shards it has
    const Push push = voters_.objective.push(votes_of(u), uses_.targets[u]);
    s.feedback.choose(push, 0, s.outputs.data(), use_key(key_, first_use_ + u), law);
    s.feedback.give(*s.examples, u, law, s.counters);
  }
}

std::vector<std::int64_t> ShardedLearner::votes_from(std::size_t from) const {
  std::vector<std::int64_t> votes;
  for (std::size_t u = from; u < uses_.size(); ++u) votes.push_back(votes_of(u));
  return votes;
}

std::uint64_t ShardedLearner::bytes() const {
  std::uint64_t sum = block_.bytes();
  for (const auto& shard : shards_) sum += shard->part.bytes();
  return sum;
}

LearnCounters ShardedLearner::take_counters() {
  LearnCounters sum;
  for (const auto& shard : shards_) {
    sum += shard->counters;
    shard->counters = {};
  }
  return sum;
}

}  // namespace falsum
