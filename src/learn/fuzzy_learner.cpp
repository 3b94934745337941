#include "learn/fuzzy_learner.h"

#include <algorithm>

#include "support/bits.h"
#include "support/parallel.h"
#include "support/random.h"

namespace falsum {
namespace {

/// Blocks that learners take at a time when there are threads, so that these seldom wait for each other.
constexpr std::size_t kBlocksOfThreads = 16;
constexpr std::size_t kFewestSamples = 128;
/// Transposing takes as long as evaluating so many clauses, in all learners, sample by sample.
constexpr std::size_t kFewestClauses = 32;

}  // namespace

FuzzyLearner::FuzzyLearner(const Options& options, std::size_t id, std::size_t features, std::size_t learners)
    : key_(learner_key(options.seed, id)),
      engine_(options.engine),
      many_clauses_(learners * static_cast<std::size_t>(options.clauses) >= kFewestClauses),
      objective_(options.threshold),
      bank_(std::make_unique<FuzzyBank>(options, features)),
      lookahead_(*bank_, options),
      misses_(bank_->clauses()),
      selected_(words_for(bank_->clauses())) {}

void FuzzyLearner::bank_changed() {
  for (std::size_t c = 0; c < bank_->clauses(); ++c) lookahead_.changed(c);
}

bool FuzzyLearner::wants_columns(std::size_t samples) const {
  if (engine_ != Engine::kAuto) return engine_ == Engine::kLookahead;
  return many_clauses_ && samples >= kFewestSamples;
}

LearnCounters FuzzyLearner::learn(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels) {
  LearnCounters counters;
  if (block.has_columns() && wants_columns(block.size())) {
    look_ahead(block, labels, kernels, counters);
  } else {
    scan(block, labels, kernels, counters);
  }
  uses_ += block.size();
  counters.evaluations += block.size();
  return counters;
}

/// One use: chooses clauses and gives them feedback.
template <class IsTrue, class Flipped>
void FuzzyLearner::give(const Push& push, const std::uint64_t* row, std::uint64_t use, const IsTrue& is_true,
                        const Flipped& flipped, const Kernels& kernels, LearnCounters& counters) {
  const std::uint64_t key = use_key(key_, use);
  // Rounded up or down to 16 bits by a dither, so that its mean is exact.
  const auto threshold = static_cast<std::uint32_t>((push.probability + (use_dithers(key) & 0xffff)) >> 16);
  kernels.select(select_key(key), threshold, 0, selected_.size(), selected_.data());
  if (const std::size_t last = bank_->clauses() % 64; last != 0) {
    selected_.back() &= (std::uint64_t{1} << last) - 1;
  }
  for_each_bit(selected_.data(), selected_.size(), [&](std::size_t c) {
    const bool agrees = (c < bank_->clauses() / 2) == push.up;
    FuzzyBank::Flips flips;
    if (!is_true(c)) {
      if (!agrees) return;
      ++counters.type_1b;
      flips = bank_->type_1b(c, event_key(key, static_cast<std::uint32_t>(c)));
    } else if (agrees) {
      ++counters.type_1a;
      flips = bank_->type_1a(c, row, kernels);
    } else {
      ++counters.type_2;
      flips = bank_->type_2(c, row, kernels);
    }
    if (flips.empty()) return;
    for (const RisenWord& flip : flips) counters.flips += count_bits(&flip.bits, 1);
    flipped(c, flips);
  });
}

void FuzzyLearner::scan(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels,
                        LearnCounters& counters) {
  const std::size_t clauses = bank_->clauses(), half = clauses / 2;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::uint64_t* const row = block.row(i);
    kernels.fuzzy_misses(row, bank_->included(0), bank_->words(), clauses, misses_.data());
    std::int64_t votes = 0;
    for (std::size_t c = 0; c < clauses; ++c) {
      const std::int64_t value = std::max<std::int64_t>(0, bank_->most_votes(c) - misses_[c]);
      votes += c < half ? value : -value;
    }
    const Push push = objective_.push(votes, (labels[i / 64] >> (i % 64)) & 1);
    if (push.probability == 0) continue;
    give(
        push, row, uses_ + i, [&](std::size_t c) { return misses_[c] < bank_->most_votes(c); },
        [&](std::size_t c, FuzzyBank::Flips) { lookahead_.changed(c); }, kernels, counters);
  }
  counters.words_compared += block.size() * clauses * 2 * bank_->words();
}

void FuzzyLearner::look_ahead(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels,
                              LearnCounters& counters) {
  const std::uint64_t counted = lookahead_.literals_counted();
  lookahead_.begin(block, labels, kernels);
  for (std::size_t i = lookahead_.next_active(0); i < block.size(); i = lookahead_.next_active(i + 1)) {
    bool moved = false;
    give(
        objective_.push(lookahead_.votes(i), (labels[i / 64] >> (i % 64)) & 1), block.row(i), uses_ + i,
        [&](std::size_t c) { return lookahead_.is_true(c, i); },
        [&](std::size_t c, FuzzyBank::Flips flips) {
          lookahead_.flipped(c, flips, kernels);
          moved = true;
        },
        kernels, counters);
    if (moved) lookahead_.refresh(kernels);
  }
  counters.columns_joined += lookahead_.literals_counted() - counted;
}

FuzzyLearners::FuzzyLearners(const Options& options, std::size_t features, std::vector<std::size_t> ids)
    : features_(features), ids_(std::move(ids)) {
  learners_.reserve(ids_.size());
  for (const std::size_t id : ids_) learners_.emplace_back(options, id, features, ids_.size());
}

std::size_t FuzzyLearners::learn(const Plan& plan, const Rows& rows, std::size_t first, std::size_t most,
                                 unsigned threads, const Kernels& kernels, std::vector<LearnCounters>& counters) {
  const std::size_t blocks = threads == 1 || size() == 1 ? 1 : kBlocksOfThreads;
  const std::size_t last = std::min({first + most, first + blocks * FuzzyBlock::kSamples, plan.size()});
  const std::size_t used = (last - first + FuzzyBlock::kSamples - 1) / FuzzyBlock::kSamples;
  while (blocks_.size() < used) blocks_.emplace_back(features_);
  targets_.resize(blocks_.size());
  rows.will_need(plan.order().subspan(last, std::min(last - first, plan.size() - last)));
  for_each_parallel(used, threads, [&](std::size_t b) {
    const std::size_t begin = first + b * FuzzyBlock::kSamples, end = std::min(begin + FuzzyBlock::kSamples, last);
    blocks_[b].fill(plan.order().subspan(begin, end - begin), rows);
    plan.targets(blocks_[b].order(), targets_[b]);
    const bool wanted = std::any_of(learners_.begin(), learners_.end(),
                                    [&](const FuzzyLearner& learner) { return learner.wants_columns(end - begin); });
    if (wanted) blocks_[b].transpose(kernels);
  });
  for_each_parallel(size(), threads, [&](std::size_t i) {
    for (std::size_t b = 0; b < used; ++b) {
      counters[i] += learners_[i].learn(blocks_[b], targets_[b].data() + 8 * ids_[i], kernels);
    }
  });
  return last - first;
}

std::size_t FuzzyLearners::included() const {
  std::size_t included = 0;
  for (const FuzzyLearner& learner : learners_) {
    for (std::size_t c = 0; c < learner.bank().clauses(); ++c) included += learner.bank().literals(c);
  }
  return included;
}

std::uint64_t FuzzyLearners::bank_bytes() const {
  std::uint64_t bytes = 0;
  for (const FuzzyLearner& learner : learners_) bytes += learner.bank().bytes();
  return bytes;
}

std::uint64_t FuzzyLearners::engine_bytes() const {
  std::uint64_t bytes = 0;
  for (const FuzzyLearner& learner : learners_) bytes += learner.engine_bytes();
  for (const FuzzyBlock& block : blocks_) bytes += block.bytes();
  return bytes;
}

}  // namespace falsum
