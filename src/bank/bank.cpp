#include "bank/bank.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "support/bytes.h"

namespace falsum {

Bank::Bank(ClauseRange clauses, std::size_t features, std::uint32_t states)
    : clauses_(clauses),
      features_(features),
      words_(words_for(2 * features)),
      lowest_(static_cast<std::uint8_t>(kInclude - states / 2)),
      highest_(static_cast<std::uint8_t>(kInclude - 1 + states / 2)),
      rows_(clauses.size() * words_ * 64),
      pending_(clauses.size()) {
  assert(states % 2 == 0 && states >= 2 && states <= 256);
  hot_.reserve(clauses.size());
  for (std::size_t c = 0; c < clauses.size(); ++c) hot_.emplace_back(literals() > 65536);
  std::memset(rows_.data(), kInclude - 1, rows_.size());  // one step below including: the index starts empty
}

std::uint64_t Bank::bytes() const {
  std::uint64_t bytes = rows_.size() + pending_.size() + hot_.size() * sizeof(HotSet) + dropped_states_.size();
  for (const HotSet& hot : hot_) bytes += hot.bytes();
  return bytes;
}

std::uint8_t Bank::state(ClauseId c, LiteralId l) const {
  const std::uint8_t state = row(c)[at(l)];
  if (state < kInclude) return state;
  const HotSet& hot = this->hot(c);
  const std::uint32_t i = hot.find(at(l));
  if (i < hot.size()) return hot.states()[i];
  const auto dropped = std::lower_bound(dropped_.begin(), dropped_.end(), at(l));
  assert(dropped != dropped_.end() && *dropped == at(l));
  return dropped_states_[place(c) * dropped_.size() + static_cast<std::size_t>(dropped - dropped_.begin())];
}

std::size_t Bank::type_1a(ClauseId c, const LiteralRow& row, std::uint64_t event, const Law& law, Worker& worker) {
  return dense(law.boost ? DenseKind::kTypeIaBoosted : DenseKind::kTypeIa, c, &row, event, law, worker);
}

std::size_t Bank::type_2(ClauseId c, const LiteralRow& row, std::uint64_t event, const Law& law, Worker& worker) {
  return dense(DenseKind::kTypeII, c, &row, event, law, worker);
}

std::size_t Bank::type_1b(std::span<const ClauseId> clauses, std::uint64_t use_key, const Law& law, Worker& worker) {
  assert(clauses.size() <= Worker::kTogether);
  // Whether a clause loses a literal is unpredictable. So the draws of all clauses come first: a mispredicted branch
  // then discards less work.
  HotStates states[Worker::kTogether];
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    HotSet& hot = this->hot(clauses[i]);
    const std::uint64_t event = event_key(use_key, at(clauses[i]));
    states[i] = {hot.states(), hot.size(), forget_key(event), law.forgetting.of(clauses[i]).once(forget_dither(event))};
  }
  std::size_t flips = 0;
  // From the back, so that the automaton that takes a freed position has been processed already.
  for (std::size_t left = law.kernels.forget(states, clauses.size(), lowest_, worker.lost.data()); left > 0;) {
    const std::uint32_t i = worker.lost[left - 1].clause;
    HotSet& hot = this->hot(clauses[i]);
    const std::uint32_t before = hot.included();
    do {
      hot.release(worker.lost[--left]);
    } while (left > 0 && worker.lost[left - 1].clause == i);
    worker.listener.flipped(clauses[i], hot.ids(hot.included(), before), false);
    flips += before - hot.included();
  }
  for (const ClauseId c : clauses) {
    if (++pending_[place(c)] < law.most_pending) continue;
    dense(DenseKind::kSettle, c, nullptr, event_key(use_key, at(c)), law, worker);
  }
  return flips;
}

std::size_t Bank::dense(DenseKind kind, ClauseId c, const LiteralRow* literals, std::uint64_t event, const Law& law,
                        Worker& worker) {
  const std::uint32_t pending = pending_[place(c)];
  const std::uint64_t dither = dense_dither(event);
  Decrements owed, owed_and_one, one;
  const Forgetting& forgetting = law.forgetting.of(c);
  forgetting.decrements(pending, dither, owed);
  HotSet& hot = this->hot(c);
  if (kind == DenseKind::kTypeIaBoosted || kind == DenseKind::kTypeIa) {
    forgetting.decrements(pending + 1, dither, owed_and_one);
    const bool any_released = hot.size() > hot.included();
    if (any_released || kind == DenseKind::kTypeIa) forgetting.decrements(1, dither, one);
  }
  pending_[place(c)] = 0;
  const DensePass pass = {.kind = kind,
                          .states = row(c),
                          .next = row(worker.next),
                          .words = words_,
                          .truths = literals ? literals->truths() : nullptr,
                          .falsehoods = literals ? literals->falsehoods() : nullptr,
                          .risen = worker.risen.data(),
                          .key = dense_key(event),
                          .reward_key = reward_key(event),
                          .lowest = lowest_,
                          .owed = &owed,
                          .owed_and_one = &owed_and_one,
                          .one = &one};
  const Risen risen = law.kernels.dense_pass(pass);
  const std::uint32_t before = hot.included();
  refresh_hot(pass, c, literals, law.kernels, worker);
  if (risen.literals > 0) hot.push_included(worker.risen.data(), risen, kInclude);
  const std::size_t flips = hot.included() - before;  // new ones come last among the included
  if (flips > 0) worker.listener.flipped(c, hot.ids(before, hot.included()), true);
  return flips;
}

/// Applies a dense pass to the automata that are already hot, whose lanes of the row it skips. Automata that return to
/// the clause are appended to the included ones.
void Bank::refresh_hot(const DensePass& pass, ClauseId c, const LiteralRow* literals, const Kernels& kernels,
                       Worker& worker) {
  HotSet& hot = this->hot(c);
  std::uint8_t* const row = this->row(c);
  const auto is_true = [&](std::uint32_t l) { return literals->is_true(static_cast<LiteralId>(l)); };
  if (pass.kind == DenseKind::kSettle) {
    hot.end_released([&](std::uint32_t, std::uint32_t l, std::uint8_t state) { return row[l] = state; });
  } else if (pass.kind == DenseKind::kTypeII) {
    hot.end_released([&](std::uint32_t, std::uint32_t l, std::uint8_t state) {
      return row[l] = static_cast<std::uint8_t>(state + !is_true(l));
    });
  } else {
    // An included literal of a true clause is true. It is rewarded; without boost, with probability (s-1)/s.
    const bool boost = pass.kind == DenseKind::kTypeIaBoosted;
    const std::uint32_t released = hot.included();  // the first
    const bool any_released = released < hot.size();
    const std::uint32_t limit = boost && !any_released ? 0 : pass.one->limit();
    if (boost) kernels.strengthen(hot.states(), released, highest_);
    if (!boost) {
      kernels.draw(pass.reward_key, hot.ids(0, hot.size()), worker.rewards.data());
      for (std::uint32_t i = 0; i < released; ++i) {
        if (hot.states()[i] < highest_ && worker.rewards[i] >= limit) ++hot.states()[i];
      }
    }
    if (any_released) kernels.draw(pass.key, hot.ids(released, hot.size()), worker.draws.data() + released);
    hot.end_released([&](std::uint32_t i, std::uint32_t l, std::uint8_t state) {
      const bool truth = is_true(l);
      const bool up = truth && (boost || worker.rewards[i] >= limit);
      const bool down = !truth && worker.draws[i] < limit && state > lowest_;
      return row[l] = static_cast<std::uint8_t>(state + up - down);
    });
  }
  hot.trim();
}

void Bank::set_state(ClauseId c, LiteralId l, std::uint8_t state, FlipListener& listener) {
  assert(state >= lowest_ && state <= highest_ && at(l) < literals());
  const bool before = includes(c, l), after = state >= kInclude;
  HotSet& hot = this->hot(c);
  std::uint8_t& lane = row(c)[at(l)];
  if (lane >= kInclude) {  // hot: leave the set; it may be added again below
    const std::uint32_t i = hot.find(at(l));
    const bool included = i < hot.included();
    if (included) hot.release(i);
    hot.remove(included ? hot.included() : i);
    hot.trim();
  }
  lane = state;
  if (after) {
    hot.reserve(hot.size() + 1);
    hot.push_released(at(l), state);
    hot.include(hot.size() - 1);
  }
  const std::uint32_t id = at(l);
  if (before != after) listener.flipped(c, {&id, 1, true}, after);
}

void Bank::drop_literals(std::vector<std::uint32_t> literals, FlipListener& listener) {
  assert(dropped_.empty() && std::is_sorted(literals.begin(), literals.end()));
  if (literals.empty()) return;
  dropped_ = std::move(literals);
  dropped_states_.resize(clauses_.size() * dropped_.size());
  dropped_included_.assign(clauses_.size(), 0);
  std::vector<bool> is_dropped(this->literals());
  for (const std::uint32_t l : dropped_) is_dropped[l] = true;
  std::vector<std::uint8_t> state_of(this->literals());  // of hot automata
  std::vector<std::uint32_t> left;
  for (std::size_t c = 0; c < clauses(); ++c) {
    HotSet& hot = hot_[c];
    left.clear();
    for (std::uint32_t i = 0; i < hot.size(); ++i) {
      state_of[hot.id(i)] = hot.states()[i];
      if (is_dropped[hot.id(i)] && i < hot.included()) left.push_back(hot.id(i));
    }
    std::uint8_t* const row = rows_.data() + c * words_ * 64;
    for (std::size_t i = 0; i < dropped_.size(); ++i) {
      std::uint8_t& lane = row[dropped_[i]];
      dropped_states_[c * dropped_.size() + i] = lane >= kInclude ? state_of[dropped_[i]] : lane;
      lane = kInclude;  // dense passes skip it
    }
    hot.remove_if([&](std::uint32_t l) { return is_dropped[l]; });
    if (left.empty()) continue;
    dropped_included_[c] = static_cast<std::uint32_t>(left.size());
    listener.flipped(clause_at(c), {left.data(), dropped_included_[c], true}, false);
  }
}

void Bank::restore_literals(std::uint64_t key, const Law& law, Worker& worker) {
  std::vector<std::uint32_t> back;
  for (std::size_t c = 0; c < clauses(); ++c) {
    const ClauseId clause = clause_at(c);
    dense(DenseKind::kSettle, clause, nullptr, event_key(key, at(clause)), law, worker);
    HotSet& hot = hot_[c];
    if (dropped_.empty()) continue;
    hot.reserve(hot.size() + dropped_included_[c]);
    back.clear();
    for_each_dropped(clause, [&](std::uint32_t l, std::uint8_t state) {
      row(clause)[l] = std::min(state, kInclude);
      if (state < kInclude) return;
      hot.push_included(l, state);
      back.push_back(l);
    });
    if (!back.empty()) worker.listener.flipped(clause, {back.data(), dropped_included_[c], true}, true);
  }
  dropped_.clear();
  dropped_states_.clear();
  dropped_included_.clear();
}

void Bank::write(ByteWriter& writer) const {
  std::vector<std::uint8_t> states(literals());
  for (std::size_t c = 0; c < clauses(); ++c) {
    const HotSet& hot = hot_[c];
    std::copy_n(rows_.data() + c * words_ * 64, literals(), states.begin());
    for (std::uint32_t i = 0; i < hot.size(); ++i) states[hot.id(i)] = hot.states()[i];
    std::vector<std::uint32_t> dropped;  // included
    for_each_dropped(clause_at(c), [&](std::uint32_t l, std::uint8_t state) {
      states[l] = state;
      if (state >= kInclude) dropped.push_back(l);
    });
    writer.raw(states.data(), states.size());
    writer.u8(pending_[c]);
    // Included automata come before released ones, dropped ones last among them.
    const std::size_t before = hot.included(), after = before + dropped.size();
    writer.varint(hot.size() + dropped.size());
    writer.varints(hot.size() + dropped.size(), [&](std::size_t i) {
      return i < before ? hot.id(i) : i < after ? dropped[i - before] : hot.id(i - dropped.size());
    });
  }
}

void Bank::read(ByteReader& reader) {
  std::vector<std::uint32_t> listed;
  std::vector<bool> is_listed(literals());
  for (std::size_t c = 0; c < clauses(); ++c) {
    const std::string_view states = reader.raw(literals());
    std::uint8_t* const to = rows_.data() + c * words_ * 64;
    HotSet& hot = hot_[c];
    hot.clear();
    for (std::size_t l = 0; l < literals(); ++l) {
      to[l] = static_cast<std::uint8_t>(states[l]);
      if (to[l] < lowest_ || to[l] > highest_) reader.fail("an automaton is outside its range of states");
    }
    pending_[c] = reader.u8();
    if (pending_[c] >= Forgetting::kMostPending) reader.fail("a clause has more pending events than allowed");
    listed.clear();
    for (std::uint64_t left = reader.count(1); left > 0; --left) {
      const std::uint64_t l = reader.varint();
      if (l >= literals() || is_listed[l]) reader.fail("a hot literal is invalid");
      if (to[l] >= kInclude && !listed.empty() && to[listed.back()] < kInclude) {
        reader.fail("an included literal comes after a released one");
      }
      is_listed[l] = true;
      listed.push_back(static_cast<std::uint32_t>(l));
    }
    std::uint32_t unlisted = 0;
    for (std::size_t l = 0; l < literals(); ++l) unlisted += to[l] >= kInclude && !is_listed[l];
    hot.reserve(unlisted + listed.size());
    // Early files, written before the order mattered, list only released literals.
    for (std::uint32_t l = 0; unlisted > 0 && l < literals(); ++l) {
      if (to[l] >= kInclude && !is_listed[l]) hot.push_included(l, to[l]);
    }
    for (const std::uint32_t l : listed) {
      is_listed[l] = false;
      if (to[l] >= kInclude) {
        hot.push_included(l, to[l]);
      } else {
        hot.push_released(l, to[l]);
        to[l] = kInclude;  // frozen
      }
    }
  }
}

}  // namespace falsum
