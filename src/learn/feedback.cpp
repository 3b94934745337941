#include "learn/feedback.h"

#include <algorithm>

namespace falsum {

Feedback::Feedback(Bank& bank, std::int64_t threshold, std::size_t first, std::size_t last, FlipListener& listener)
    : bank_(bank),
      threshold_(threshold),
      first_(first),
      worker_(bank, listener),
      selected_(last - first),
      type_1b_(64 * (last - first)),
      dense_(64 * (last - first)) {}

void Feedback::give(std::int64_t votes, std::size_t i, UseRows& rows, std::uint64_t use_key,
                    const std::uint64_t* outputs, const Bank::Rules& rules, LearnCounters& counters) {
  const std::int64_t v = std::clamp(votes, -threshold_, threshold_);
  const bool positive = rows.uses()[i].target == Target::kPositive;
  // (T - v) / 2T or (T + v) / 2T in units of 2^-32, rounded up or down to 16 bits by a dither, so that its mean is
  // exact.
  const std::uint64_t distance = static_cast<std::uint64_t>(positive ? threshold_ - v : threshold_ + v);
  if (distance == 0) return;
  const std::uint64_t probability = (distance << 32) / (2 * static_cast<std::uint64_t>(threshold_));
  const std::uint64_t dithers = use_dithers(use_key);
  rules.kernels.select(select_key(use_key), static_cast<std::uint32_t>((probability + (dithers & 0xffff)) >> 16),
                       first_, selected_.size(), selected_.data());
  const Events events = choose(positive, outputs);

  // Clauses do not see each other, so the order of events within a use is free: the cheap ones come first, while the
  // rows of the others arrive from memory.
  for (const DenseEvent& event : events.dense) bank_.prefetch_row(event.clause);
  const std::uint32_t once = rules.forgetting.once(static_cast<std::uint16_t>(dithers >> 48));
  for (std::span<const ClauseId> left = events.type_1b; !left.empty();) {
    const std::size_t some = std::min(left.size(), Bank::Worker::kTogether);
    counters.flips += bank_.type_1b(left.first(some), use_key, once, rules, worker_);
    left = left.subspan(some);
  }
  counters.type_1b += events.type_1b.size();
  for (const DenseEvent& event : events.dense) {
    const std::uint64_t key = event_key(use_key, at(event.clause));
    const LiteralRow& row = rows.literals(i);
    if (event.type_1) {
      ++counters.type_1a;
      counters.flips += bank_.type_1a(event.clause, row, key, rules, worker_);
    } else {
      ++counters.type_2;
      counters.flips += bank_.type_2(event.clause, row, key, rules, worker_);
    }
  }
}

/// Sorts the selected clauses into events. Type I goes to the clauses whose polarity agrees with the target; Type II
/// goes to the others and leaves false ones alone.
Feedback::Events Feedback::choose(bool positive, const std::uint64_t* outputs) {
  ClauseId* type_1b_end = type_1b_.data();
  DenseEvent* dense_end = dense_.data();
  const std::size_t half = bank_.slots() / 128, positives = bank_.positives();
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const std::size_t w = first_ + i;
    const bool first_half = w < half, type_1 = first_half == positive;
    const std::size_t left = positives - 64 * (first_half ? w : w - half);
    const std::uint64_t chosen = selected_[i] & (left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    const std::size_t clause = at(bank_.clause_at(64 * w));
    if (type_1) {
      for_each_bit(chosen & ~outputs[i], clause, [&](std::size_t c) { *type_1b_end++ = static_cast<ClauseId>(c); });
    }
    for_each_bit(chosen & outputs[i], clause, [&](std::size_t c) {
      *dense_end++ = {static_cast<ClauseId>(c), type_1};
    });
  }
  return {{type_1b_.data(), type_1b_end}, {dense_.data(), dense_end}};
}

}  // namespace falsum
