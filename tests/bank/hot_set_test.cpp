// HotSet against a plain list. The order is checked as well: it is part of what a machine has learned.
#include "bank/hot_set.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace falsum::hot_set_test {
namespace {

/// The same set, as a list of automata and a number.
struct PlainSet {
  struct Automaton {
    std::uint32_t id;
    std::uint8_t state;
  };
  std::vector<Automaton> automata;
  std::uint32_t included = 0;

  std::uint32_t size() const { return static_cast<std::uint32_t>(automata.size()); }
  void release(std::uint32_t i) { std::swap(automata[i], automata[--included]); }
  void include(std::uint32_t i) { std::swap(automata[i], automata[included++]); }
  void remove(std::uint32_t i) {
    automata[i] = automata.back();
    automata.pop_back();
  }
};

bool same(const HotSet& set, const PlainSet& plain) {
  if (set.size() != plain.size() || set.included() != plain.included) return false;
  for (std::uint32_t i = 0; i < set.size(); ++i) {
    if (set.id(i) != plain.automata[i].id || set.states()[i] != plain.automata[i].state) return false;
  }
  return true;
}

class Steps {
 public:
  explicit Steps(bool wide) : set_(wide), wide_(wide) {}

  /// One change of both, chosen by `step`, if the set is in a state that allows it.
  void take(std::uint32_t step) {
    const std::uint32_t kind = step % 9, choice = step / 9;
    const std::uint32_t included = plain_.included, released = plain_.size() - included;
    if (kind == 0 && released == 0) {
      set_.reserve(set_.size() + 1);
      set_.push_included(next_id(), state(choice));
      plain_.automata.push_back({id_, state(choice)});
      ++plain_.included;
    } else if (kind == 1 && released == 0) {
      push_some(choice);
    } else if (kind == 2) {
      set_.reserve(set_.size() + 1);
      set_.push_released(next_id(), state(choice));
      plain_.automata.push_back({id_, state(choice)});
    } else if (kind == 3 && included > 0) {
      set_.release(choice % included);
      plain_.release(choice % included);
    } else if (kind == 4 && included > 0) {
      release_some(choice);
    } else if (kind == 5 && released > 0) {
      set_.include(included + choice % released);
      plain_.include(included + choice % released);
    } else if (kind == 6 && released > 0) {
      set_.remove(included + choice % released);
      plain_.remove(included + choice % released);
    } else if (kind == 7) {
      set_.trim();
    } else if (kind == 8 && choice % 16 == 0) {
      set_.clear();
      plain_ = {};
    }
  }

  HotSet set_;
  PlainSet plain_;

 private:
  static std::uint8_t state(std::uint32_t choice) { return static_cast<std::uint8_t>(choice % 256); }
  std::uint32_t next_id() { return id_ = (id_ + 7919) % (wide_ ? 1'000'000 : 65'536); }

  /// Those of a few words of bits, as a dense pass pushes them.
  void push_some(std::uint32_t choice) {
    const std::uint64_t bits[] = {choice, 0, std::uint64_t{choice} << 32, ~std::uint64_t{0} >> (choice % 64)};
    std::size_t count = 0;
    for (std::size_t id = 0; id < 256; ++id) {
      if ((bits[id / 64] >> (id % 64) & 1) == 0) continue;
      plain_.automata.push_back({static_cast<std::uint32_t>(id), 128});
      ++count;
    }
    plain_.included += static_cast<std::uint32_t>(count);
    std::vector<RisenWord> list;
    for (std::size_t w = 0; w < 4; ++w) {
      if (bits[w] != 0) list.push_back({w, bits[w]});
    }
    set_.push_included(list.data(), {list.size(), count}, 128);
  }

  /// Every third included one or so; the last goes first, as release() says.
  void release_some(std::uint32_t choice) {
    std::vector<std::uint64_t> bits(words_for(plain_.size()));
    for (std::uint32_t i = plain_.included; i-- > 0;) {
      if ((choice + i * i) % 3 != 0) continue;
      bits[i / 64] |= std::uint64_t{1} << (i % 64);
      plain_.release(i);
    }
    for (auto w = static_cast<std::uint32_t>(bits.size()); w-- > 0;) set_.release({0, w, bits[w]});
  }

  bool wide_;
  std::uint32_t id_ = 0;
};

TEST(HotSet, IsThePlainListAfterAnySequenceOfChanges) {
  EXPECT_TRUE(rc::check("with ids of 16 and 32 bits", [](const std::vector<std::uint32_t>& steps, bool wide) {
    Steps both(wide);
    for (const std::uint32_t step : steps) {
      both.take(step);
      RC_ASSERT(same(both.set_, both.plain_));
    }
  }));
}

TEST(HotSet, FindsAnAutomatonByItsIdOrSaysThatItIsNotThere) {
  for (const bool wide : {false, true}) {
    HotSet set(wide);
    set.reserve(3);
    set.push_included(65535, 200);
    set.push_included(0, 130);
    set.push_released(17, 120);
    EXPECT_EQ(set.find(65535), 0u);
    EXPECT_EQ(set.find(17), 2u);
    EXPECT_EQ(set.find(18), set.size());
  }
}

TEST(HotSet, GivesBackTheRoomOfAYoungClauseAndKeepsWhatComesAndGoes) {
  HotSet set;
  std::vector<RisenWord> all;
  for (std::size_t w = 0; w < 16; ++w) all.push_back({w, ~std::uint64_t{0}});
  set.push_included(all.data(), {16, 1024}, 128);
  const std::uint64_t young = set.bytes();
  for (std::uint32_t w = 16; w-- > 0;) set.release({0, w, ~std::uint64_t{3}});
  while (set.size() > set.included()) set.remove(set.included());
  ASSERT_EQ(set.size(), 32u);
  set.trim();
  EXPECT_EQ(set.bytes(), HotSet::kGrain * 3) << "a byte for the state and two for the id";
  EXPECT_LT(set.bytes(), young);
  set.reserve(HotSet::kGrain + 1);
  const std::uint64_t before = set.bytes();
  set.trim();
  EXPECT_EQ(set.bytes(), before) << "a grain too many is no reason to move";
}

TEST(HotSet, MovesWithWhatItHolds) {
  HotSet a(true);
  a.reserve(1);
  a.push_included(100000, 255);
  HotSet b(std::move(a));
  ASSERT_EQ(b.size(), 1u);
  EXPECT_EQ(b.id(0), 100000u);
  HotSet c;
  c = std::move(b);
  EXPECT_EQ(c.id(0), 100000u);
  EXPECT_EQ(c.states()[0], 255);
}

}  // namespace
}  // namespace falsum::hot_set_test
