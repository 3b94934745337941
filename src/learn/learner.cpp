#include "learn/learner.h"

#include <algorithm>
#include <utility>

namespace falsum {

Learner::Learner(const Options& options, std::size_t id, std::size_t features, std::size_t outputs)
    : options_(options),
      id_(id),
      key_(learner_key(options.seed, id)),
      voters_(std::make_unique<Voters>(options, features, outputs)),
      votes_(outputs) {}

void Learner::use_engine(Engine engine, const Kernels& kernels) {
  const std::size_t words = voters_->slots.words();
  std::optional<PatchShape> patches = patch_shape(options_);
  if (patches && patches->patches() == 1) patches.reset();  // its features are those of the row
  evaluator_ = make_evaluator(engine, voters_->bank, voters_->slots, voters_->active.data(), kernels, patches);
  feedback_ = std::make_unique<Feedback>(*voters_, 0, words, *evaluator_);
  outputs_.resize(words);
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
  for (std::size_t w = 0; w < slots.words(); ++w) voters_->active[w] = slots.used(w);
  for (std::size_t c = 0; c < slots.clauses(); ++c) {
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

FlipListener& Learner::listener() {
  if (sharded_) return sharded_->listener();
  return *evaluator_;
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
      if (coming_.has_one_step()) {
        const std::int64_t votes = weights.votes(outputs_.data(), 0, 0, outputs_.size(), law.kernels);
        feedback_->choose(voters_->objective.push(votes, coming_.targets[i]), 0, outputs_.data(), use_key(key_, uses_),
                          law);
      } else {
        choose_steps(i, law);
      }
      feedback_->give(*evaluator_, i, use_key(key_, uses_), law, counters);
      ++uses_;
    }
    if (slice.over()) break;
  }
  learned_ = i;
  return counters;
}

/// Of a use with several steps. The votes of all of them are taken before any weight moves.
void Learner::choose_steps(std::size_t i, const Bank::Law& law) {
  const std::uint64_t key = use_key(key_, uses_);
  const std::uint32_t first = coming_.step_begin(i), count = coming_.step_end(i) - first;
  const auto outputs = coming_.outputs.subspan(first, count);
  const auto targets = coming_.targets.subspan(first, count);
  const Weights& weights = voters_->weights;
  const bool all = std::ranges::find(outputs, kLate) != outputs.end() || 4 * count > weights.outputs();
  if (all) weights.all_votes(outputs_.data(), votes_);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t output = outputs[k] == kLate ? late_negative(outputs[0]) : outputs[k];
    if (output == kLate) continue;
    const std::int64_t votes =
        all ? votes_[output] : weights.votes(outputs_.data(), output, 0, outputs_.size(), law.kernels);
    feedback_->choose(voters_->objective.push(votes, targets[k]), output, outputs_.data(), step_key(key, k), law);
  }
}

/// Another output than the label, with a probability in proportion to T + votes, or kLate if all are 0 (FAMILY.md,
/// section 9).
std::uint32_t Learner::late_negative(std::uint32_t label) {
  const std::int64_t threshold = voters_->objective.threshold();
  const auto weight = [&](std::size_t o) {
    return o == label ? 0 : static_cast<std::uint64_t>(threshold + std::clamp(votes_[o], -threshold, threshold));
  };
  std::uint64_t sum = 0;
  for (std::size_t o = 0; o < votes_.size(); ++o) sum += weight(o);
  if (sum == 0) return kLate;
  std::uint64_t place = bounded(child(purpose_key(options_.seed, Purpose::kLateNegatives), uses_), sum);
  std::size_t o = 0;
  while (place >= weight(o)) place -= weight(o++);
  return static_cast<std::uint32_t>(o);
}

}  // namespace falsum
