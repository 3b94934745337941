#include "learn/feedback.h"

#include <algorithm>

namespace falsum {

Feedback::Feedback(Bank& bank, Weights& weights, const ClauseSlots& slots, std::size_t first, std::size_t last,
                   FlipListener& listener)
    : bank_(bank),
      weights_(weights),
      slots_(slots),
      first_(first),
      worker_(bank, listener),
      selected_(last - first),
      type_1b_(64 * (last - first)),
      dense_(64 * (last - first)) {}

void Feedback::give(const Push& push, const std::uint64_t* outputs, const std::uint64_t* positive, Examples& examples,
                    std::size_t i, std::uint64_t use_key, const Bank::Law& law, LearnCounters& counters) {
  if (push.probability == 0) return;
  // Rounded up or down to 16 bits by a dither, so that its mean is exact.
  const std::uint64_t dithers = use_dithers(use_key);
  law.kernels.select(select_key(use_key), static_cast<std::uint32_t>((push.probability + (dithers & 0xffff)) >> 16),
                     first_, selected_.size(), selected_.data());
  const Events events = choose(push.up, outputs, positive);

  // Clauses are independent, so the order of events within a use is free: the cheap events come first, while the first
  // row of the others is fetched from memory. Each dense pass then runs while the next row is fetched. To ask for more
  // rows at a time is slower: they push each other out of the nearest cache.
  if (!events.dense.empty()) bank_.prefetch_row(events.dense.front().clause);
  for (std::span<const ClauseId> left = events.type_1b; !left.empty();) {
    const std::size_t some = std::min(left.size(), Bank::Worker::kTogether);
    const std::span<const ClauseId> next = left.subspan(some);
    bank_.prefetch_hot(next.first(std::min(next.size(), Bank::Worker::kTogether)));
    counters.flips += bank_.type_1b(left.first(some), use_key, law, worker_);
    left = next;
  }
  counters.type_1b += events.type_1b.size();
  if (!weights_.are_fixed()) {
    for (const DenseEvent& event : events.dense) {
      event.type_1 ? weights_.grow(event.clause) : weights_.shrink(event.clause);
    }
  }
  for (std::size_t j = 0; j < events.dense.size(); ++j) {
    const DenseEvent& event = events.dense[j];
    if (j + 1 < events.dense.size()) bank_.prefetch_row(events.dense[j + 1].clause);
    const std::uint64_t key = event_key(use_key, at(event.clause));
    const LiteralRow& row = examples.literals(i);
    if (event.type_1) {
      ++counters.type_1a;
      counters.flips += bank_.type_1a(event.clause, row, key, law, worker_);
    } else {
      ++counters.type_2;
      counters.flips += bank_.type_2(event.clause, row, key, law, worker_);
    }
  }
}

/// Sorts the selected clauses into events.
Feedback::Events Feedback::choose(bool up, const std::uint64_t* outputs, const std::uint64_t* positive) {
  ClauseId* type_1b_end = type_1b_.data();
  DenseEvent* dense_end = dense_.data();
  const std::uint64_t turned = up ? 0 : ~std::uint64_t{0};
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const std::size_t w = first_ + i, clause = at(slots_.clause_at(64 * w));
    const std::uint64_t chosen = selected_[i] & slots_.used(w), agrees = positive[i] ^ turned;
    for_each_bit(chosen & agrees & ~outputs[i], clause,
                 [&](std::size_t c) { *type_1b_end++ = static_cast<ClauseId>(c); });
    for_each_bit(chosen & outputs[i], clause, [&](std::size_t c) {
      *dense_end++ = {static_cast<ClauseId>(c), ((agrees >> (c - clause)) & 1) != 0};
    });
  }
  return {{type_1b_.data(), type_1b_end}, {dense_.data(), dense_end}};
}

}  // namespace falsum
