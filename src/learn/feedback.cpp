#include "learn/feedback.h"

#include <algorithm>

namespace falsum {

Feedback::Feedback(Voters& voters, std::size_t first, std::size_t last, FlipListener& listener)
    : bank_(voters.bank),
      weights_(voters.weights),
      slots_(voters.slots),
      active_(voters.active.data()),
      max_literals_(voters.max_literals),
      first_(first),
      worker_(bank_, listener),
      selected_(last - first) {}

void Feedback::choose(const Push& push, std::size_t output, const std::uint64_t* outputs, std::uint64_t step_key,
                      const Bank::Law& law) {
  if (push.probability == 0) return;
  // Rounded up or down to 16 bits by a dither, so that its mean is exact.
  const std::uint64_t dithers = use_dithers(step_key);
  law.kernels.select(select_key(step_key), static_cast<std::uint32_t>((push.probability + (dithers & 0xffff)) >> 16),
                     first_, selected_.size(), selected_.data());
  // Room for an event of every clause, and for another step: the loop below writes without checking.
  const std::size_t room = 64 * selected_.size(), first_dense = dense_count_;
  if (type_1b_count_ + room > type_1b_.size()) type_1b_.resize(type_1b_count_ + 2 * room);
  if (dense_count_ + room > dense_.size()) dense_.resize(dense_count_ + 2 * room);
  ClauseId* type_1b_end = type_1b_.data() + type_1b_count_;
  DenseEvent* dense_end = dense_.data() + dense_count_;
  const std::uint64_t* const positive = weights_.positive(output) + first_;
  const std::uint64_t turned = push.up ? 0 : ~std::uint64_t{0};
  const bool has_budget = max_literals_ < bank_.literals();
  for (std::size_t i = 0; i < selected_.size(); ++i) {
    const std::size_t w = first_ + i, clause = at(slots_.clause_at(64 * w));
    const std::uint64_t chosen = selected_[i] & active_[w], agrees = positive[i] ^ turned;
    for_each_bit(chosen & agrees & ~outputs[i], clause,
                 [&](std::size_t c) { *type_1b_end++ = static_cast<ClauseId>(c); });
    for_each_bit(chosen & outputs[i], clause, [&](std::size_t c) {
      const auto id = static_cast<ClauseId>(c);
      const bool type_1 = ((agrees >> (c - clause)) & 1) != 0;
      if (type_1 && has_budget && bank_.length(id) > max_literals_) {
        *type_1b_end++ = id;
      } else {
        *dense_end++ = {id, type_1, event_key(step_key, at(id)), 0};
      }
    });
  }
  type_1b_count_ = static_cast<std::size_t>(type_1b_end - type_1b_.data());
  dense_count_ = static_cast<std::size_t>(dense_end - dense_.data());
  if (steps_.empty()) prefetch_type_1b(0);
  if (!weights_.are_fixed()) {
    for (std::size_t j = first_dense; j < dense_count_; ++j) weights_.move(dense_[j].clause, output, push.up);
  }
  steps_.push_back({step_key, type_1b_count_});
}

void Feedback::give(Examples& examples, std::size_t i, const Bank::Law& law, LearnCounters& counters) {
  give_all([&](const DenseEvent&) -> const LiteralRow& { return examples.literals(i); }, law, counters);
}

void Feedback::give(Evaluator& evaluator, std::size_t i, std::uint64_t use_key, const Bank::Law& law,
                    LearnCounters& counters) {
  if (evaluator.has_patches()) {
    for (DenseEvent& event : std::span(dense_.data(), dense_count_)) {
      event.patch = evaluator.true_patch(i, event.clause, patch_bits(event_key(use_key, at(event.clause))));
    }
  }
  give_all([&](const DenseEvent& event) -> const LiteralRow& { return evaluator.literals(i, event.patch); }, law,
           counters);
}

/// Each dense pass fetches the next row of automata while it runs. To ask for more rows at a time is slower: they push
/// each other out of the nearest cache.
template <class RowOf>
void Feedback::give_all(const RowOf& row_of, const Bank::Law& law, LearnCounters& counters) {
  if (steps_.empty()) return;
  // Clauses are independent, so the order of events within a use is free, as far as the steps allow: the cheap events
  // come first, while the first row of the others is fetched from memory.
  if (dense_count_ > 0) bank_.prefetch_row(worker_.next = dense_.front().clause);
  give_type_1b(law, counters);
  if (steps_.size() > 1) {
    std::stable_partition(dense_.data(), dense_.data() + dense_count_,
                          [](const DenseEvent& event) { return event.type_1; });
  }
  for (std::size_t j = 0; j < dense_count_; ++j) {
    const DenseEvent& event = dense_[j];
    worker_.next = dense_[std::min(j + 1, dense_count_ - 1)].clause;
    bank_.prefetch_hot({&worker_.next, 1});
    const LiteralRow& row = row_of(event);
    if (event.type_1) {
      ++counters.type_1a;
      counters.flips += bank_.type_1a(event.clause, row, event.key, law, worker_);
    } else {
      ++counters.type_2;
      counters.flips += bank_.type_2(event.clause, row, event.key, law, worker_);
    }
  }
  steps_.clear();
  type_1b_count_ = dense_count_ = 0;
}

/// Of as many events as are given together, from event number `first` on.
void Feedback::prefetch_type_1b(std::size_t first) const {
  bank_.prefetch_hot({type_1b_.data() + first, std::min(type_1b_count_ - first, Bank::Worker::kTogether)});
}

void Feedback::give_type_1b(const Bank::Law& law, LearnCounters& counters) {
  std::size_t first = 0;
  for (const Step& step : steps_) {
    while (first < step.end) {
      const std::size_t some = std::min(step.end - first, Bank::Worker::kTogether);
      prefetch_type_1b(first + some);
      counters.flips += bank_.type_1b({type_1b_.data() + first, some}, step.key, law, worker_);
      first += some;
    }
  }
  counters.type_1b += type_1b_count_;
}

}  // namespace falsum
