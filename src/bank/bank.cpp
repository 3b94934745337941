#include "bank/bank.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "support/bytes.h"

namespace falsum {

constexpr std::uint8_t kInclude = 128;  // the lowest state that includes

Bank::Bank(std::size_t clauses, std::size_t features, std::uint32_t states)
    : clauses_(clauses),
      features_(features),
      words_(words_for(2 * features)),
      lowest_(static_cast<std::uint8_t>(kInclude - states / 2)),
      highest_(static_cast<std::uint8_t>(kInclude - 1 + states / 2)),
      states_(clauses * words_ * 64),
      included_(clauses * words_),
      pending_(clauses),
      released_(clauses),
      hot_(words_),
      flips_(words_) {
  assert(clauses % 2 == 0 && states % 2 == 0 && states >= 2 && states <= 256);
  std::memset(states_.data(), kInclude - 1, states_.size());  // one step below including: the index starts empty
}

std::uint64_t Bank::bytes() const {
  std::uint64_t bytes =
      states_.size() + included_.size() * 8 + pending_.size() + released_.size() * sizeof(released_[0]);
  for (const auto& literals : released_) bytes += literals.capacity() * sizeof(literals[0]);
  return bytes;
}

std::size_t Bank::type_1a(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener) {
  return dense(rules.boost ? DenseKind::kRewardAll : DenseKind::kRewardSome, c, &row, key, rules, listener);
}

std::size_t Bank::type_2(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener) {
  return dense(DenseKind::kIncludeMore, c, &row, key, rules, listener);
}

std::size_t Bank::type_1b(ClauseId c, DrawKey key, const Rules& rules, FlipListener& listener) {
  std::size_t flips = 0;
  std::uint8_t* states = row(c);
  std::uint64_t* words = included_.data() + at(c) * words_;
  std::vector<std::uint32_t>& released = released_[at(c)];
  // The released first: those that this event releases have taken part in it already.
  for (const std::uint32_t l : released) {
    if (rules.forgetting.forgets(draw32(key, kForgetDraws + l)))
      states[l] = std::max<std::uint8_t>(states[l], lowest_ + 1) - 1;
  }
  for (std::size_t w = 0; w < words_; ++w) {
    for_each_bit(words[w], w * 64, [&](std::size_t l) {
      if (!rules.forgetting.forgets(draw32(key, kForgetDraws + static_cast<std::uint32_t>(l)))) return;
      if (--states[l] >= kInclude) return;
      words[w] &= ~(std::uint64_t{1} << (l % 64));
      released.push_back(static_cast<std::uint32_t>(l));
      listener.flipped(c, static_cast<LiteralId>(l), false);
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
  std::uint64_t* words = included_.data() + at(c) * words_;
  std::copy(words, words + words_, hot_.begin());
  for (const std::uint32_t l : released_[at(c)]) hot_[l / 64] |= std::uint64_t{1} << (l % 64);

  const DensePass pass = {.kind = kind,
                          .states = row(c),
                          .words = words_,
                          .truths = literals ? literals->truths() : nullptr,
                          .falsehoods = literals ? literals->falsehoods() : nullptr,
                          .hot = hot_.data(),
                          .included = words,
                          .flips = flips_.data(),
                          .key = key,
                          .lowest = lowest_,
                          .highest = highest_,
                          .owed = &owed,
                          .owed_and_one = &owed_and_one,
                          .one = &one};
  const bool any = rules.kernels.dense_pass(pass);
  pending_[at(c)] = 0;
  // A young clause releases hundreds of literals at once, an old one a few: do not keep the room for hundreds.
  std::vector<std::uint32_t>& released = released_[at(c)];
  if (released.capacity() > 16) std::vector<std::uint32_t>().swap(released);
  released.clear();
  if (!any) return 0;
  std::size_t flips = 0;
  for_each_bit(flips_.data(), words_, [&](std::size_t l) {
    listener.flipped(c, static_cast<LiteralId>(l), (words[l / 64] >> (l % 64)) & 1);
    ++flips;
  });
  return flips;
}

void Bank::set_state(ClauseId c, LiteralId l, std::uint8_t state, FlipListener& listener) {
  assert(state >= lowest_ && state <= highest_ && at(l) < literals());
  const bool before = includes(c, l), after = state >= kInclude;
  row(c)[at(l)] = state;
  if (before == after) return;
  included_[at(c) * words_ + at(l) / 64] ^= std::uint64_t{1} << (at(l) % 64);
  listener.flipped(c, l, after);
}

void Bank::write(ByteWriter& writer) const {
  for (std::size_t c = 0; c < clauses_; ++c) {
    writer.raw(states_.data() + c * words_ * 64, literals());
    writer.u8(pending_[c]);
    std::vector<std::uint32_t> released = released_[c];
    std::sort(released.begin(), released.end());  // the order is an accident of the engine's walk
    writer.varint(released.size());
    for (const std::uint32_t l : released) writer.varint(l);
  }
}

void Bank::read(ByteReader& reader) {
  for (std::size_t c = 0; c < clauses_; ++c) {
    const std::string_view states = reader.raw(literals());
    std::uint8_t* to = states_.data() + c * words_ * 64;
    for (std::size_t l = 0; l < literals(); ++l) {
      to[l] = static_cast<std::uint8_t>(states[l]);
      if (to[l] < lowest_ || to[l] > highest_) reader.fail("an automaton is outside its range of states");
      const std::uint64_t bit = std::uint64_t{1} << (l % 64);
      std::uint64_t& word = included_[c * words_ + l / 64];
      word = to[l] >= kInclude ? word | bit : word & ~bit;
    }
    pending_[c] = reader.u8();
    if (pending_[c] >= Forgetting::kMostPending) reader.fail("a clause owes more events than it may");
    released_[c].assign(reader.count(1), 0);
    std::uint64_t next = 0;
    for (std::uint32_t& l : released_[c]) {
      const std::uint64_t literal = reader.varint();
      if (literal < next || literal >= literals() || to[literal] >= kInclude)
        reader.fail("a released literal is impossible");
      l = static_cast<std::uint32_t>(literal);
      next = literal + 1;
    }
  }
}

}  // namespace falsum
