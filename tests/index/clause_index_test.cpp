#include "index/clause_index.h"

#include <gtest/gtest.h>

#include <map>

#include "random_data.h"

namespace falsum::clause_index_test {
namespace {

/// Keeps an index in step with a bank, as IndexEvaluator does.
class Follower final : public FlipListener {
 public:
  explicit Follower(ClauseIndex& index) : index_(index) {}
  void flipped(ClauseId c, const IdList& literals, bool included) override {
    for (std::uint32_t i = 0; i < literals.size; ++i) {
      const auto l = static_cast<LiteralId>(literals[i]);
      included ? index_.insert(c, l) : index_.erase(c, l);
    }
  }

 private:
  ClauseIndex& index_;
};

// One class, clauses C1+ C2+ C1- C2-, features x1 and x2: the figure of the paper's "Step-by-Step Example".
TEST(ClauseIndex, FollowsThePapersWorkedExampleStepByStep) {
  constexpr ClauseId kC1p{0}, kC2p{1}, kC1n{2}, kC2n{3};
  constexpr LiteralId kX1{0}, kX2{1}, kNotX1{2}, kNotX2{3};
  ClauseIndex index(4, 4);
  for (const ClauseId c : {kC1p, kC1n, kC2p}) index.insert(c, kX1);
  for (const ClauseId c : {kC1n, kC2n}) index.insert(c, kNotX1);
  for (const ClauseId c : {kC1n, kC2n}) index.insert(c, kX2);
  EXPECT_EQ(index.list(kNotX2).size(), 0u);

  // x = (1, 0): start with all four clauses true, two votes for and two against.
  BitMatrix x(1, 2);
  x.set(0, 0);
  LiteralRow row(2);
  row.assign(x.row(0));
  std::vector<LiteralId> falses;
  row.for_each_false([&](LiteralId l) { falses.push_back(l); });
  EXPECT_EQ(falses, (std::vector<LiteralId>{kX2, kNotX1}));
  const auto polarity = [&](ClauseId c) { return c == kC1p || c == kC2p ? 1 : -1; };
  int score = 0;
  std::size_t looked_up = 0;
  std::vector<bool> falsified(4);
  const auto walk = [&](LiteralId l) {
    for (const ClauseId c : index.list(l)) {
      ++looked_up;
      if (!falsified[at(c)]) score -= polarity(c);
      falsified[at(c)] = true;
    }
  };
  walk(kNotX1);
  EXPECT_EQ(score, 2) << "two negative votes are gone";
  walk(kX2);
  EXPECT_EQ(score, 2) << "they were falsified already";
  EXPECT_EQ(looked_up, 4u) << "four look-ups instead of four clauses times four literals";

  std::vector<std::uint8_t> flags(4);
  EXPECT_EQ(index.falsify(row, flags.data()), 4u);
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{0, 0, 255, 255}));

  // Delete C1+ from x1: the last clause, C2+, moves from position 3 to position 1 (the paper counts from 1).
  EXPECT_EQ(index.position(kC1p, kX1) + 1, 1);
  EXPECT_EQ(index.position(kC2p, kX1) + 1, 3);
  index.erase(kC1p, kX1);
  EXPECT_EQ(index.list(kX1), (std::vector<ClauseId>{kC2p, kC1n}));
  EXPECT_EQ(index.position(kC2p, kX1) + 1, 1);
  EXPECT_EQ(index.position(kC1p, kX1), -1);

  // Insert C1+ into x2: at the end, position 3.
  index.insert(kC1p, kX2);
  EXPECT_EQ(index.list(kX2), (std::vector<ClauseId>{kC1n, kC2n, kC1p}));
  EXPECT_EQ(index.position(kC1p, kX2) + 1, 3);
}

TEST(ClauseIndex, StaysRightUnderMillionsOfRandomFlips) {
  constexpr std::size_t kClauses = 60, kFeatures = 75;
  Bank bank(kClauses, kFeatures, 256);
  ClauseIndex index(kClauses, 2 * kFeatures);
  Follower follower(index);
  TestRandom random(2024);
  for (int flip = 0; flip < 2000000; ++flip) {
    // Waves of filling and emptying, so that tables grow, turn direct and shrink again.
    const bool filling = flip / 40000 % 2 == 0;
    const ClauseId c{static_cast<std::uint32_t>(random.below(kClauses))};
    const LiteralId l{static_cast<std::uint32_t>(random.below(2 * kFeatures))};
    bank.set_state(c, l, random.chance(filling ? 0.9 : 0.1) ? 128 : 127, follower);
    if (flip % 20000 == 0) {
      ASSERT_TRUE(index.check(bank)) << "after " << flip << " flips";
    }
  }
  ASSERT_TRUE(index.check(bank));
}

TEST(ClauseIndex, CheckNoticesEveryKindOfDamage) {
  Bank bank(4, 3, 256);
  ClauseIndex index(4, 6);
  Follower follower(index);
  bank.set_state(ClauseId{1}, LiteralId{2}, 200, follower);
  bank.set_state(ClauseId{3}, LiteralId{2}, 200, follower);
  ASSERT_TRUE(index.check(bank));
  index.insert(ClauseId{0}, LiteralId{0});
  EXPECT_FALSE(index.check(bank)) << "an entry too many";
  index.erase(ClauseId{0}, LiteralId{0});
  ASSERT_TRUE(index.check(bank));
  index.erase(ClauseId{1}, LiteralId{2});
  EXPECT_FALSE(index.check(bank)) << "an entry missing";
  EXPECT_FALSE(ClauseIndex(4, 8).check(bank)) << "another shape";
}

TEST(ClauseIndex, IdsAbove65535WorkAlike) {
  ClauseIndex index(70000, 10);
  index.insert(ClauseId{69999}, LiteralId{3});
  index.insert(ClauseId{5}, LiteralId{3});
  index.erase(ClauseId{69999}, LiteralId{3});
  EXPECT_EQ(index.list(LiteralId{3}), (std::vector<ClauseId>{ClauseId{5}}));
  EXPECT_EQ(index.position(ClauseId{5}, LiteralId{3}), 0);
  EXPECT_EQ(index.position(ClauseId{69999}, LiteralId{3}), -1);
}

// The paper's densities: a mean of 58 of 1,568 literals (MNIST) and 116 of 10,000 (IMDb). Its tables add 200%.
TEST(ClauseIndex, SlowAddsLessThanHalfTheAutomataAtThePapersDensities) {
  struct Case {
    std::size_t clauses, literals, length;
  };
  for (const Case& c : {Case{20000, 1568, 58}, Case{2000, 1568, 58}, Case{2000, 10000, 116}}) {
    ClauseIndex index(c.clauses, c.literals);
    TestRandom random(1);
    for (std::uint32_t j = 0; j < c.clauses; ++j) {
      std::map<std::uint32_t, bool> chosen;
      // Include and release as learning does, so that the slack of shrinking counts too.
      const std::size_t peak = 2 * c.length, length = c.length / 2 + random.below(c.length);
      while (chosen.size() < peak) {
        const std::uint32_t l = static_cast<std::uint32_t>(random.below(c.literals));
        if (chosen.emplace(l, true).second) index.insert(ClauseId{j}, LiteralId{l});
      }
      for (std::size_t left = peak; left > length; --left) {
        index.erase(ClauseId{j}, LiteralId{chosen.begin()->first});
        chosen.erase(chosen.begin());
      }
    }
    const double share = static_cast<double>(index.bytes()) / static_cast<double>(c.clauses * c.literals);
    EXPECT_LT(share, 0.5) << c.clauses << " clauses, " << c.literals << " literals";
    RecordProperty("share_" + std::to_string(c.literals) + "_" + std::to_string(c.clauses), std::to_string(share));
    printf("index bytes / automata: %.2f (%zu clauses, %zu of %zu literals included)\n", share, c.clauses, c.length,
           c.literals);
  }
}

}  // namespace
}  // namespace falsum::clause_index_test
