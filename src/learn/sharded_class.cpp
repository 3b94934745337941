#include "learn/sharded_class.h"

#include <algorithm>

namespace falsum {

ShardedClass::ShardedClass(Bank& bank, std::int64_t threshold, std::size_t shards, const Kernels& kernels)
    : bank_(bank), block_(bank, kernels) {
  const std::size_t words = bank.slots() / 64, count = std::clamp<std::size_t>(shards, 1, words);
  for (std::size_t s = 0; s < count; ++s) {
    shards_.push_back(std::make_unique<Shard>(bank, threshold, block_, words * s / count, words * (s + 1) / count));
  }
}

void ShardedClass::begin(std::span<const Use> uses, const SampleRows& rows, std::uint64_t class_key,
                         std::uint64_t first_use) {
  uses_ = uses;
  rows_ = rows;
  class_key_ = class_key;
  first_use_ = first_use;
  if (uses.empty()) return;
  block_.transpose(0, UseRows(uses, rows));
  shards_[0]->counters.evaluations += uses.size();
}

void ShardedClass::evaluate(std::size_t shard, const Kernels& kernels) {
  if (uses_.empty()) return;
  Shard& s = *shards_[shard];
  s.part.evaluate(s.counters);
  for (std::size_t u = 0; u < uses_.size(); ++u) {
    s.part.outputs(u, s.outputs.data(), s.counters);
    s.votes[u] = bank_.votes(s.outputs.data(), s.part.first(), s.part.first() + s.part.words(), kernels);
  }
}

void ShardedClass::learn(std::size_t shard, const Bank::Rules& rules) {
  Shard& s = *shards_[shard];
  UseRows rows(uses_, rows_);
  for (std::size_t u = 0; u < uses_.size(); ++u) {
    std::int64_t votes = 0;
    for (const auto& other : shards_) votes += other->votes[u];
    s.part.outputs(u, s.outputs.data(), s.counters);
    s.feedback.give(votes, u, rows, use_key(class_key_, first_use_ + u), s.outputs.data(), rules, s.counters);
  }
}

std::uint64_t ShardedClass::bytes() const {
  std::uint64_t sum = block_.bytes();
  for (const auto& shard : shards_) sum += shard->part.bytes();
  return sum;
}

LearnCounters ShardedClass::take_counters() {
  LearnCounters sum;
  for (const auto& shard : shards_) {
    sum += shard->counters;
    shard->counters = {};
  }
  return sum;
}

}  // namespace falsum
