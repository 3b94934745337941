#include "learn/learner.h"

#include <algorithm>
#include <utility>

#include "evaluate/lookahead.h"
#include "support/parallel.h"
#include "support/turn_board.h"

namespace falsum {

Learner::Learner(const Options& options, std::size_t id, std::size_t features, std::size_t outputs, ClauseRange clauses)
    : options_(options),
      id_(id),
      key_(learner_key(options.seed, id)),
      voters_(std::make_unique<Voters>(options, features, outputs, clauses)),
      outputs_(outputs) {}

void Learner::use_engine(Engine engine, const Kernels& kernels, std::size_t parts) {
  const ClauseSlots& slots = voters_->slots;
  const std::uint64_t* const active = voters_->active.data();
  parts_.clear();
  if (parts == 1 && bank().clauses() == slots.clauses()) {
    std::optional<PatchShape> patches = patch_shape(options_);
    if (patches && patches->patches() == 1) patches.reset();  // its features are those of the row
    auto evaluator = make_evaluator(engine, voters_->bank, slots, active, kernels, patches);
    parts_.push_back(std::make_unique<Part>(*voters_, std::move(evaluator), 0, slots.words()));
    return;
  }
  const auto [begin, end] = slots.words_of(bank().range());
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = begin + (end - begin) * p / parts, last = begin + (end - begin) * (p + 1) / parts;
    auto evaluator = std::make_unique<LookaheadEvaluator>(voters_->bank, slots, active, kernels, first, last);
    parts_.push_back(std::make_unique<Part>(*voters_, std::move(evaluator), first, last));
  }
}

void Learner::use_shards(std::size_t shards, const Kernels& kernels) {
  sharded_ = std::make_unique<ShardedLearner>(*voters_, shards, kernels);
}

void Learner::begin_epoch(std::uint64_t epoch) {
  if (epoch_ == epoch) return;
  epoch_ = epoch;
  const auto key = [&](Purpose purpose) { return child(child(purpose_key(options_.seed, purpose), epoch), id_); };
  const std::uint64_t clause_key = key(Purpose::kDroppedClauses), literal_key = key(Purpose::kDroppedLiterals);
  const ClauseSlots& slots = voters_->slots;
  voters_->wake_all();
  for (std::size_t c = bank().range().first; c < bank().range().last; ++c) {
    if (!happens(child(clause_key, c), options_.drop_clauses)) continue;
    const std::size_t slot = slots.slot(static_cast<ClauseId>(c));
    voters_->active[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  }
  std::vector<std::uint32_t> literals;
  for (std::size_t l = 0; l < bank().literals(); ++l) {
    if (happens(child(literal_key, l), options_.drop_literals)) literals.push_back(static_cast<std::uint32_t>(l));
  }
  bank().drop_literals(std::move(literals), listener());
}

void Learner::end_epoch(const Bank::Law& law) {
  if (!epoch_) return;
  // Even if none was dropped in this epoch: what some literals owe may not wait while they are dropped in the next.
  if (options_.drop_literals > 0) {
    const std::uint64_t key = child(child(purpose_key(options_.seed, Purpose::kDroppedLiterals), *epoch_), id_);
    Bank::Worker worker(bank(), listener());
    bank().restore_literals(child(key, std::uint64_t{1} << 32), law, worker);
  }
  epoch_.reset();
}

/// For flips between epochs, of any clause. Blocks are evaluated afresh in every epoch, so only an engine that keeps
/// more must hear of them.
FlipListener& Learner::listener() {
  if (sharded_ || parts_.size() > 1) return ignores_flips_;
  return *parts_[0]->evaluator;
}

std::uint64_t Learner::engine_bytes() const {
  if (sharded_) return sharded_->bytes();
  std::uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->evaluator->bytes();
  return sum;
}

void Learner::begin(const UsesView& uses, const Rows& rows) {
  coming_ = uses;
  learned_ = 0;
  for (const auto& part : parts_) {
    part->examples = std::make_unique<Examples>(coming_.rows, rows);
    part->evaluator->begin(*part->examples);
  }
}

LearnCounters Learner::learn(const Bank::Law& law, const LearningSlice& slice, VoteSums* sums) {
  return parts_.size() == 1 ? learn_alone(law, slice, sums) : learn_together(law, slice);
}

LearnCounters Learner::learn_alone(const Bank::Law& law, const LearningSlice& slice, VoteSums* all_shards) {
  LearnCounters counters;
  Part& part = *parts_[0];
  std::vector<std::int64_t> sums(outputs_);
  const std::size_t last = learned_ + std::min(slice.most_uses, coming_.size() - learned_);
  const std::size_t grain = LearningSlice::grain(bank().clauses() * bank().literals());
  std::size_t i = learned_;  // written back once: learners are neighbours in memory
  while (i < last) {
    for (const std::size_t until = std::min(i + grain, last); i < until; ++i) {
      part.evaluator->outputs(i, part.outputs.data(), counters);
      ++counters.evaluations;
      std::fill(sums.begin(), sums.end(), 0);
      const bool all = coming_.needs_all_votes(i, outputs_);
      add_votes(i, all, part, law, sums.data());
      if (all_shards != nullptr)
        all_shards->add({sums.data(), all ? outputs_ : coming_.step_end(i) - coming_.step_begin(i)});
      choose(i, all, uses_, sums.data(), part, law);
      part.feedback.give(*part.evaluator, i, use_key(key_, uses_), law, counters);
      ++uses_;
    }
    if (slice.over()) break;
  }
  learned_ = i;
  return counters;
}

/// Each member of the crew learns some of the parts. The numbers that it shows for a use are the votes of its parts
/// and, last, whether the slice ends with this use: member 0 decides that for all.
LearnCounters Learner::learn_together(const Bank::Law& law, const LearningSlice& slice) {
  const std::size_t first = learned_, last = first + std::min(slice.most_uses, coming_.size() - first);
  if (first == last) return {};
  const std::size_t grain = LearningSlice::grain(bank().clauses() * bank().literals());
  TurnBoard board(parts_.size(), outputs_ + 1);
  std::size_t end = first;
  const auto learn_as = [&](std::size_t member, std::size_t members) {
    std::vector<std::int64_t> sums(outputs_ + 1);
    for (std::size_t i = first;; ++i) {
      std::int64_t* const mine = board.mine(member);
      const bool all = coming_.needs_all_votes(i, outputs_);
      std::fill_n(mine, outputs_ + 1, 0);
      for (std::size_t p = member; p < parts_.size(); p += members) {
        Part& part = *parts_[p];
        part.evaluator->outputs(i, part.outputs.data(), part.counters);
        part.counters.evaluations += p == 0;  // one sum of votes, however many parts it has
        add_votes(i, all, part, law, mine);
      }
      const std::size_t learned = i + 1 - first;
      if (member == 0) mine[outputs_] = i + 1 == last || (learned % grain == 0 && slice.over());
      if (!board.exchange(member, members)) return;
      std::fill(sums.begin(), sums.end(), 0);
      for (std::size_t other = 0; other < members; ++other) {
        const std::int64_t* const theirs = board.theirs(member, other);
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += theirs[k];
      }
      for (std::size_t p = member; p < parts_.size(); p += members) {
        Part& part = *parts_[p];
        choose(i, all, uses_ + i - first, sums.data(), part, law);
        part.feedback.give(*part.examples, i, law, part.counters);
      }
      if (sums[outputs_] == 0) continue;
      if (member == 0) end = i + 1;
      return;
    }
  };
  work_together(static_cast<unsigned>(parts_.size()), [&](std::size_t member, std::size_t members) {
    try {
      learn_as(member, members);
    } catch (...) {
      board.fail();
      throw;
    }
  });
  uses_ += end - first;
  learned_ = end;
  LearnCounters counters;
  for (const auto& part : parts_) counters += std::exchange(part->counters, {});
  return counters;
}

/// Adds the votes of a part for use i. The votes of all steps are taken before any weight moves.
void Learner::add_votes(std::size_t i, bool all, Part& part, const Bank::Law& law, std::int64_t* sums) const {
  const Weights& weights = voters_->weights;
  const auto votes = [&](std::size_t output) {
    return weights.votes(part.outputs.data(), output, part.first, part.last, law.kernels);
  };
  if (coming_.has_one_step()) {
    sums[0] += votes(0);
  } else if (all) {
    weights.add_all_votes(part.outputs.data(), part.first, part.last, sums);
  } else {
    for (std::uint32_t k = coming_.step_begin(i); k < coming_.step_end(i); ++k) *sums++ += votes(coming_.outputs[k]);
  }
}

/// Chooses the events of use i, number `use` of the learner.
void Learner::choose(std::size_t i, bool all, std::uint64_t use, const std::int64_t* sums, Part& part,
                     const Bank::Law& law) const {
  const std::uint64_t key = use_key(key_, use);
  const Objective& objective = voters_->objective;
  if (coming_.has_one_step()) {
    part.feedback.choose(objective.push(sums[0], coming_.targets[i]), 0, part.outputs.data(), key, law);
    return;
  }
  const std::uint32_t first = coming_.step_begin(i), count = coming_.step_end(i) - first;
  for (std::uint32_t k = 0; k < count; ++k) {
    std::uint32_t output = coming_.outputs[first + k];
    if (output == kLate) output = late_negative(coming_.outputs[first], use, sums);
    if (output == kLate) continue;
    const Push push = objective.push(sums[all ? output : k], coming_.targets[first + k]);
    part.feedback.choose(push, output, part.outputs.data(), step_key(key, k), law);
  }
}

/// Another output than the label, with a probability in proportion to T + votes, or kLate if all are 0 (FAMILY.md,
/// section 9).
std::uint32_t Learner::late_negative(std::uint32_t label, std::uint64_t use, const std::int64_t* votes) const {
  const std::int64_t threshold = voters_->objective.threshold();
  const auto weight = [&](std::size_t o) {
    return o == label ? 0 : static_cast<std::uint64_t>(threshold + std::clamp(votes[o], -threshold, threshold));
  };
  std::uint64_t sum = 0;
  for (std::size_t o = 0; o < outputs_; ++o) sum += weight(o);
  if (sum == 0) return kLate;
  std::uint64_t place = bounded(child(purpose_key(options_.seed, Purpose::kLateNegatives), use), sum);
  std::size_t o = 0;
  while (place >= weight(o)) place -= weight(o++);
  return static_cast<std::uint32_t>(o);
}

}  // namespace falsum
