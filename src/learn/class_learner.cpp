#include "learn/class_learner.h"

#include <algorithm>

namespace falsum {

ClassLearner::ClassLearner(const Options& options, std::size_t class_id, std::size_t features)
    : threshold_(options.threshold),
      class_key_(class_key(options.seed, class_id)),
      bank_(static_cast<std::size_t>(options.clauses), features, static_cast<std::uint32_t>(options.states)),
      outputs_(bank_.slots() / 64),
      selected_(bank_.slots() / 64) {}

LearnCounters ClassLearner::learn(std::span<const Use> uses, const BitMatrix& rows, const Bank::Rules& rules) {
  LearnCounters counters;
  UseRows use_rows(uses, rows);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    evaluator_->outputs(i, use_rows, outputs_.data(), counters);
    ++counters.evaluations;
    give_feedback(i, use_rows, use_key(class_key_, uses_++), rules, counters);
  }
  return counters;
}

std::int64_t ClassLearner::votes(const Kernels& kernels) const {
  const std::size_t half = outputs_.size() / 2;
  return static_cast<std::int64_t>(kernels.count(outputs_.data(), half)) -
         static_cast<std::int64_t>(kernels.count(outputs_.data() + half, half));
}

void ClassLearner::give_feedback(std::size_t i, UseRows& rows, std::uint64_t key, const Bank::Rules& rules,
                                 LearnCounters& counters) {
  const std::int64_t v = std::clamp(votes(rules.kernels), -threshold_, threshold_);
  const bool positive = rows.uses()[i].target == Target::kPositive;
  // (T - v) / 2T or (T + v) / 2T in units of 2^-32, rounded up or down to 16 bits by a dither, so that its mean is
  // exact.
  const std::uint64_t distance = static_cast<std::uint64_t>(positive ? threshold_ - v : threshold_ + v);
  const std::uint64_t probability = (distance << 32) / (2 * static_cast<std::uint64_t>(threshold_));
  if (probability == 0) return;
  const std::uint64_t dithers = use_dithers(key);
  rules.kernels.select(select_key(key), static_cast<std::uint32_t>((probability + (dithers & 0xffff)) >> 16),
                       selected_.size(), selected_.data());

  const std::size_t half = selected_.size() / 2, positives = bank_.positives();
  for (std::size_t w = 0; w < selected_.size(); ++w) {
    const bool first_half = w < half;
    const bool type_1 = first_half == positive;  // the clause's polarity agrees with the target
    const std::size_t left = positives - 64 * (first_half ? w : w - half);
    const std::uint64_t chosen = selected_[w] & (left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    if (type_1) {  // Type II leaves false clauses alone
      for_each_bit(chosen & ~outputs_[w], w * 64, [&](std::size_t s) { type_1b_.push_back(bank_.clause_at(s)); });
    }
    for_each_bit(chosen & outputs_[w], w * 64, [&](std::size_t s) { dense_.push_back({bank_.clause_at(s), type_1}); });
  }
  // Clauses do not see each other, so the order of events within a use is free: the cheap ones come first, while the
  // rows of the others arrive from memory.
  for (const DenseEvent& event : dense_) bank_.prefetch_row(event.clause);
  const std::uint32_t once = rules.forgetting.once(static_cast<std::uint16_t>(dithers >> 48));
  constexpr std::size_t kAhead = 6;
  for (std::size_t e = 0; e < type_1b_.size(); ++e) {
    if (e + kAhead < type_1b_.size()) bank_.prefetch_hot(type_1b_[e + kAhead]);
    ++counters.type_1b;
    counters.flips += bank_.type_1b(type_1b_[e], event_key(key, at(type_1b_[e])), once, rules, *evaluator_);
  }
  type_1b_.clear();
  for (const DenseEvent& event : dense_) {
    const std::uint64_t draws = event_key(key, at(event.clause));
    const LiteralRow& row = rows.literals(i);
    if (event.type_1) {
      ++counters.type_1a;
      counters.flips += bank_.type_1a(event.clause, row, draws, rules, *evaluator_);
    } else {
      ++counters.type_2;
      counters.flips += bank_.type_2(event.clause, row, draws, rules, *evaluator_);
    }
  }
  dense_.clear();
}

}  // namespace falsum
