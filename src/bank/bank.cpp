#include "bank/bank.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "support/bytes.h"

namespace falsum {

Bank::Bank(std::size_t clauses, std::size_t features, std::uint32_t states)
    : clauses_(clauses),
      features_(features),
      words_(words_for(2 * features)),
      lowest_(static_cast<std::uint8_t>(kInclude - states / 2)),
      highest_(static_cast<std::uint8_t>(kInclude - 1 + states / 2)),
      rows_(clauses * words_ * 64),
      hot_(clauses),
      pending_(clauses),
      bits_(words_ + 1) {
  assert(clauses % 2 == 0 && states % 2 == 0 && states >= 2 && states <= 256);
  std::memset(rows_.data(), kInclude - 1, rows_.size());  // one step below including: the index starts empty
}

std::uint64_t Bank::bytes() const {
  std::uint64_t bytes = rows_.size() + pending_.size() + hot_.size() * sizeof(HotSet);
  for (const HotSet& hot : hot_) bytes += hot.bytes();
  return bytes;
}

std::size_t Bank::length(ClauseId c) const {
  std::size_t length = 0;
  for_each_included(c, [&](LiteralId) { ++length; });
  return length;
}

std::uint8_t Bank::state(ClauseId c, LiteralId l) const {
  const std::uint8_t state = row(c)[at(l)];
  if (state < kInclude) return state;
  const HotSet& hot = hot_[at(c)];
  const std::uint32_t* const id = std::find(hot.ids(), hot.ids() + hot.size(), at(l));
  assert(id != hot.ids() + hot.size());
  return hot.states()[id - hot.ids()];
}

std::size_t Bank::type_1a(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener) {
  return dense(rules.boost ? DenseKind::kRewardAll : DenseKind::kRewardSome, c, &row, key, rules, listener);
}

std::size_t Bank::type_2(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener) {
  return dense(DenseKind::kIncludeMore, c, &row, key, rules, listener);
}

std::size_t Bank::type_1b(ClauseId c, DrawKey key, const Rules& rules, FlipListener& listener) {
  HotSet& hot = hot_[at(c)];
  std::size_t flips = 0;
  if (rules.kernels.forget(hot.ids(), hot.states(), hot.size(), key, rules.forgetting.once(), lowest_, bits_.data())) {
    for_each_bit(bits_.data(), words_for(hot.size()), [&](std::size_t i) {
      listener.flipped(c, static_cast<LiteralId>(hot.ids()[i]), false);
      ++flips;
    });
  }
  if (++pending_[at(c)] == Forgetting::kMostPending) dense(DenseKind::kSettle, c, nullptr, key, rules, listener);
  return flips;
}

std::size_t Bank::dense(DenseKind kind, ClauseId c, const LiteralRow* literals, DrawKey key, const Rules& rules,
                        FlipListener& listener) {
  const std::uint32_t pending = pending_[at(c)];
  Decrements owed, owed_and_one, one;
  rules.forgetting.decrements(pending, key, owed);
  if (kind == DenseKind::kRewardAll || kind == DenseKind::kRewardSome) {
    rules.forgetting.decrements(pending + 1, key, owed_and_one);
    rules.forgetting.decrements(1, key, one);
  }
  pending_[at(c)] = 0;
  const DensePass pass = {.kind = kind,
                          .states = row(c),
                          .words = words_,
                          .truths = literals ? literals->truths() : nullptr,
                          .falsehoods = literals ? literals->falsehoods() : nullptr,
                          .included = bits_.data(),
                          .key = key,
                          .lowest = lowest_,
                          .owed = &owed,
                          .owed_and_one = &owed_and_one,
                          .one = &one};
  const bool any = rules.kernels.dense_pass(pass);
  std::size_t flips = refresh_hot(pass, c, literals, listener);
  if (!any) return flips;
  HotSet& hot = hot_[at(c)];
  hot.reserve(hot.size() + count_bits(bits_.data(), words_));
  for_each_bit(bits_.data(), words_, [&](std::size_t l) {
    hot.push(static_cast<std::uint32_t>(l), kInclude);
    listener.flipped(c, static_cast<LiteralId>(l), true);
    ++flips;
  });
  return flips;
}

/// What a dense pass means for the automata that are hot already, and whose lanes of the row it has left alone.
std::size_t Bank::refresh_hot(const DensePass& pass, ClauseId c, const LiteralRow* literals, FlipListener& listener) {
  HotSet& hot = hot_[at(c)];
  std::uint8_t* const states = hot.states();
  bool released = false;
  if (pass.kind == DenseKind::kRewardAll) {  // an included literal of a true clause is true
    for (std::uint32_t i = 0; i < hot.size(); ++i) {
      released |= states[i] < kInclude;
      states[i] = static_cast<std::uint8_t>(states[i] + (states[i] >= kInclude && states[i] < highest_));
    }
  } else {
    for (std::uint32_t i = 0; i < hot.size(); ++i) released |= states[i] < kInclude;
  }
  const auto withheld = [&](std::uint32_t l) {  // the reward that comes only with probability (s-1)/s
    return pass.kind == DenseKind::kRewardSome && pass.one->count(draw8(pass.key, l, kRewardDraws)) > 0;
  };
  if (pass.kind == DenseKind::kRewardSome) {
    for (std::uint32_t i = 0; i < hot.size(); ++i) {
      if (states[i] >= kInclude && states[i] < highest_ && !withheld(hot.ids()[i])) ++states[i];
    }
  }
  if (!released) return 0;
  std::size_t flips = 0;
  for (std::uint32_t i = hot.size(); i-- > 0;) {
    if (states[i] >= kInclude) continue;
    const std::uint32_t l = hot.ids()[i];
    const bool truth = literals && literals->is_true(static_cast<LiteralId>(l));
    int state = states[i];
    if (pass.kind == DenseKind::kIncludeMore) {
      state += !truth;
    } else if (pass.kind != DenseKind::kSettle) {
      if (truth) {
        state += !withheld(l);
      } else {
        state = std::max<int>(state - static_cast<int>(pass.one->count(draw8(pass.key, l))), lowest_);
      }
    }
    if (state >= kInclude) {  // back again
      states[i] = static_cast<std::uint8_t>(state);
      listener.flipped(c, static_cast<LiteralId>(l), true);
      ++flips;
    } else {
      row(c)[l] = static_cast<std::uint8_t>(state);
      hot.remove(i);
    }
  }
  hot.trim();
  return flips;
}

void Bank::set_state(ClauseId c, LiteralId l, std::uint8_t state, FlipListener& listener) {
  assert(state >= lowest_ && state <= highest_ && at(l) < literals());
  const bool before = includes(c, l), after = state >= kInclude;
  HotSet& hot = hot_[at(c)];
  std::uint8_t& lane = row(c)[at(l)];
  if (lane >= kInclude) {  // hot: leave the set, and come back below if need be
    hot.remove(static_cast<std::uint32_t>(std::find(hot.ids(), hot.ids() + hot.size(), at(l)) - hot.ids()));
    hot.trim();
  }
  lane = state;
  if (after) {
    hot.reserve(hot.size() + 1);
    hot.push(at(l), state);
  }
  if (before != after) listener.flipped(c, l, after);
}

void Bank::write(ByteWriter& writer) const {
  std::vector<std::uint8_t> states(literals());
  for (std::size_t c = 0; c < clauses_; ++c) {
    const HotSet& hot = hot_[c];
    std::copy_n(rows_.data() + c * words_ * 64, literals(), states.begin());
    std::vector<std::uint32_t> released;
    for (std::uint32_t i = 0; i < hot.size(); ++i) {
      states[hot.ids()[i]] = hot.states()[i];
      if (hot.states()[i] < kInclude) released.push_back(hot.ids()[i]);
    }
    std::sort(released.begin(), released.end());  // the order is an accident
    writer.raw(states.data(), states.size());
    writer.u8(pending_[c]);
    writer.varint(released.size());
    for (const std::uint32_t l : released) writer.varint(l);
  }
}

void Bank::read(ByteReader& reader) {
  for (std::size_t c = 0; c < clauses_; ++c) {
    const std::string_view states = reader.raw(literals());
    std::uint8_t* const to = rows_.data() + c * words_ * 64;
    HotSet& hot = hot_[c];
    hot.clear();
    const auto add = [&](std::size_t l) {
      hot.reserve(hot.size() + 1);
      hot.push(static_cast<std::uint32_t>(l), to[l]);
    };
    for (std::size_t l = 0; l < literals(); ++l) {
      to[l] = static_cast<std::uint8_t>(states[l]);
      if (to[l] < lowest_ || to[l] > highest_) reader.fail("an automaton is outside its range of states");
      if (to[l] >= kInclude) add(l);
    }
    pending_[c] = reader.u8();
    if (pending_[c] >= Forgetting::kMostPending) reader.fail("a clause owes more events than it may");
    std::uint64_t next = 0;
    for (std::uint64_t left = reader.count(1); left > 0; --left) {
      const std::uint64_t l = reader.varint();
      if (l < next || l >= literals() || to[l] >= kInclude) reader.fail("a released literal is impossible");
      add(l);
      to[l] = kInclude;  // frozen
      next = l + 1;
    }
  }
}

}  // namespace falsum
