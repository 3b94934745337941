// How a Trainer learns an epoch: chunks of samples, or blocks of a sharded machine, and in them slices of time
// (trainer.h).
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "falsum/error.h"
#include "falsum/patches.h"
#include "learn/trainer.h"
#include "support/parallel.h"

namespace falsum {

std::size_t first_chunk_size(std::size_t learners) { return std::clamp<std::size_t>(1024 * learners, 2048, 16384); }

std::size_t chunk_size(const Options& options, std::size_t features, std::size_t learners) {
  const std::size_t least = first_chunk_size(learners);
  constexpr double kAtMost = 1e12;  // automata x samples: less than one or two seconds of work
  const double automata =
      2.0 * static_cast<double>(features) * static_cast<double>(learners) * static_cast<double>(options.clauses);
  return std::clamp(static_cast<std::size_t>(kAtMost / automata), least, 4 * least);
}

LearningSlice Trainer::next_slice(const Machine::Progress& progress) const {
  if (!progress) return LearningSlice::endless();
  return uses_between_ > 0 ? LearningSlice::of_uses(uses_between_) : LearningSlice::usual();
}

/// The uses of each learner among the samples at positions first .. last-1.
void Trainer::find_uses(const Plan& plan, std::size_t first, std::size_t last, std::vector<Uses>& uses) const {
  plan.uses(first, last, uses);
  for (std::size_t i = 0; i < banks_.size(); ++i) {
    if (banks_[i] != i) std::swap(uses[i], uses[banks_[i]]);  // banks ascend: a later one has not moved
  }
  uses.resize(banks_.size());
}

/// The uses of each learner from position_ on; of these it has learned ahead_. Returns the sample at which the chunk
/// ends.
std::size_t Trainer::begin_chunk(const Plan& plan, std::vector<Uses>& uses) const {
  // The very first chunk is short: the busiest learners are known only after it.
  const std::size_t size = epoch_ == 0 && position_ == 0
                               ? first_chunk_size(learners_.size())
                               : chunk_size(options_, clause_features(options_, features_), learners_.size());
  const auto holds_what_is_done = [&] {
    for (std::size_t l = 0; l < uses.size(); ++l) {
      if (ahead_[l] > uses[l].size()) return false;
    }
    return true;
  };
  std::size_t last = options_.sharded ? plan.size() : std::min<std::size_t>(position_ + size, plan.size());
  find_uses(plan, position_, last, uses);
  if (!holds_what_is_done()) find_uses(plan, position_, last = plan.size(), uses);  // it was stopped with longer chunks
  if (!holds_what_is_done()) throw DataError("the stopped epoch was learning from other labels");
  return last;
}

bool Trainer::learn_chunk(const std::vector<Uses>& uses, const Rows& rows, const Bank::Law& law,
                          const Machine::Progress& progress, std::vector<LearnCounters>& counters) {
  const std::vector<std::uint64_t> before = ahead_;
  for (std::size_t l = 0; l < learners_.size(); ++l) learners_[l].begin(uses[l].without_first(ahead_[l]), rows);
  std::vector<std::size_t> left;
  while (true) {
    left.clear();
    for (const std::size_t l : busiest_first_) {
      if (!learners_[l].finished()) left.push_back(l);
    }
    if (left.empty()) break;
    // Shards add up votes learner by learner, so all must take the learners in one order.
    if (sums_) std::ranges::sort(left);
    const LearningSlice slice = sums_ ? LearningSlice::endless() : next_slice(progress);
    for_each_parallel(left.size(), sums_ ? 1 : threads_, [&](std::size_t i) {
      const std::size_t l = left[i];
      if (i > 0 && slice.over()) return;  // looking ahead just to leave it would cost most of the slice
      counters[l] += learners_[l].learn(law, slice, sums_.get());
    });
    bool all = true;
    for (std::size_t l = 0; l < learners_.size(); ++l) {
      ahead_[l] = before[l] + learners_[l].learned();
      all = all && learners_[l].finished();
    }
    if (!all && !progress(done())) return false;
  }
  const auto events = [&](std::size_t l) { return counters[l].type_1a + counters[l].type_1b + counters[l].type_2; };
  std::stable_sort(busiest_first_.begin(), busiest_first_.end(),
                   [&](std::size_t a, std::size_t b) { return events(a) > events(b); });
  return true;
}

/// Block by block, with all learners in step: threads take shards of all learners. `before`: the uses of the epoch
/// that each of them has learned.
bool Trainer::learn_sharded(const std::vector<Uses>& uses, std::vector<std::size_t> before, const Rows& rows,
                            const Bank::Law& law, const Machine::Progress& progress) {
  constexpr std::size_t kRun = ShardedLearner::kRun;
  constexpr std::size_t kAutomata = std::size_t{1} << 28;  // that a thread processes before it can be stopped
  const auto block = static_cast<std::size_t>(options_.block);
  const std::size_t shards = learners_[0].sharded()->shards(), learners = learners_.size();
  const auto each_shard = [&](auto&& work) {
    for_each_parallel(learners * shards, threads_,
                      [&](std::size_t i) { work(*learners_[i / shards].sharded(), i % shards); });
  };
  const auto evaluate_run = [&](std::size_t first) {
    for_each_parallel(learners, threads_, [&](std::size_t l) { learners_[l].sharded()->begin_run(first); });
    each_shard([&](ShardedLearner& sharded, std::size_t shard) { sharded.evaluate(shard); });
  };
  LearningSlice slice = next_slice(progress);
  const std::size_t automata = 2 * features_ * clauses_.size() * learners;
  const std::size_t part =
      progress ? std::clamp<std::size_t>(threads_ * kAutomata / automata, 1, std::min(kRun, slice.most_uses)) : kRun;
  std::vector<std::size_t> next(ahead_.begin(), ahead_.end()), count(learners);
  while (true) {
    for (std::size_t l = 0; l < learners; ++l) {
      count[l] = std::min(block - before[l] % block, uses[l].size() - next[l]);
      const std::size_t votes = learners_[l].sharded()->left().size();
      if (votes > 0 && votes != count[l]) throw DataError("the stopped epoch was learning from other labels");
    }
    const std::size_t most = *std::max_element(count.begin(), count.end());
    if (most == 0) return true;
    for_each_parallel(learners, threads_, [&](std::size_t l) {
      learners_[l].begin_block(UsesView(uses[l]).part(next[l], count[l]), rows);
    });
    for (std::size_t run = 0; run < most; run += kRun) {
      evaluate_run(run);
      each_shard([&](ShardedLearner& sharded, std::size_t shard) { sharded.vote(shard, kernels_); });
    }
    if (sums_) sum_votes(count);
    for (std::size_t from = 0, to; from < most; from = to) {
      if (most > kRun && from % kRun == 0) evaluate_run(from);
      to = std::min(from + part, (from / kRun + 1) * kRun);
      each_shard([&](ShardedLearner& sharded, std::size_t shard) { sharded.learn(shard, from, to, law); });
      bool all = true;
      for (std::size_t l = 0; l < learners; ++l) {
        const std::size_t learned = std::min(to, count[l]) - std::min(from, count[l]);
        learners_[l].count_uses(learned);
        next[l] += learned;
        before[l] += learned;
        ahead_[l] += learned;
        all = all && next[l] == uses[l].size();
      }
      if (!progress || all || !(slice.over() || uses_between_ > 0)) continue;
      for (Learner& learner : learners_) learner.sharded()->leave(learner.sharded()->votes_from(to));
      if (!progress(done())) return false;
      for (Learner& learner : learners_) learner.sharded()->leave({});  // the block goes on
      slice = next_slice(progress);
    }
  }
}

/// Replaces the votes of a block of every learner by those of all shards of the machine. Where a learner has the votes
/// that were kept when its block was left, these are of all shards already.
void Trainer::sum_votes(std::span<const std::size_t> counts) {
  std::vector<std::int64_t> all;
  for (const Learner& learner : learners_) {
    const std::vector<std::int64_t> votes = learner.sharded()->votes();
    if (!learner.sharded()->has_votes()) all.insert(all.end(), votes.begin(), votes.end());
  }
  sums_->add(all);
  auto next = all.cbegin();
  for (std::size_t l = 0; l < learners_.size(); ++l) {
    if (learners_[l].sharded()->has_votes()) continue;
    const auto end = next + static_cast<std::ptrdiff_t>(counts[l]);
    learners_[l].sharded()->replace_votes({next, end});
    next = end;
  }
}

}  // namespace falsum
