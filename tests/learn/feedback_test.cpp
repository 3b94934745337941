// Objective and Feedback against the textbook: which clauses get which type, given votes, target and outputs.
#include "learn/feedback.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "kernels/dispatch.h"
#include "random_data.h"
#include "support/bytes.h"
#include "vote/weights.h"

namespace falsum::feedback_test {
namespace {

constexpr std::int64_t kThreshold = 20;
constexpr std::size_t kFeatures = 9;

struct Silent final : FlipListener {
  void flipped(ClauseId, const IdList&, bool) override {}
};

/// A bank with some literals in its clauses, one example, and what its clauses say of that.
struct Case {
  Case(std::size_t clauses, std::uint64_t seed)
      : data(seed, 1, kFeatures, 2), bank(clauses, kFeatures, 256), slots(clauses, 2), weights(slots) {
    TestRandom random(seed);
    for (std::uint32_t c = 0; c < clauses; ++c) {
      for (std::uint32_t l = 0; l < 2 * kFeatures; ++l) {
        if (random.chance(0.08)) bank.set_state(ClauseId{c}, LiteralId{l}, 130, silent);
      }
    }
    LiteralRow row(kFeatures);
    row.assign(data.rows.row(0));
    outputs.resize(slots.words());
    for (std::uint32_t c = 0; c < clauses; ++c) {
      bool truth = true;
      bank.for_each_included(ClauseId{c}, [&](LiteralId l) { truth = truth && row.is_true(l); });
      const std::size_t slot = slots.slot(ClauseId{c});
      if (truth) outputs[slot / 64] |= std::uint64_t{1} << (slot % 64);
      ++(c < clauses / 2 ? positives : negatives)[truth];
    }
  }

  /// By Feedbacks for words 0 .. cuts[0]-1, cuts[0] .. cuts[1]-1, ...
  LearnCounters give(std::int64_t votes, std::int32_t target, std::uint64_t key, std::vector<std::size_t> cuts = {}) {
    cuts.push_back(outputs.size());
    const std::uint32_t row[] = {0};
    Examples examples(row, data.rows);
    LearnCounters counters;
    std::size_t first = 0;
    for (const std::size_t last : cuts) {
      Feedback feedback(bank, weights, slots, first, last, silent);
      feedback.give(Objective(kThreshold).push(votes, target), outputs.data() + first, weights.positive() + first,
                    examples, 0, key, {find_kernels("auto"), forgetting, true}, counters);
      first = last;
    }
    return counters;
  }

  std::string bytes() const {
    ByteWriter writer;
    bank.write(writer);
    return writer.take();
  }

  Silent silent;
  RandomData data;
  Bank bank;
  ClauseSlots slots;
  Weights weights;
  Forgetting forgetting{4};
  std::vector<std::uint64_t> outputs;
  std::uint64_t positives[2] = {}, negatives[2] = {};  // clauses that are false and true
};

TEST(Feedback, WhereAllAreSelectedEachTypeGoesWhereItBelongs) {
  EXPECT_TRUE(rc::check("for any bank, with and without whole words of clauses", [](std::uint64_t seed) {
    const auto clauses = 2 * *rc::gen::inRange<std::size_t>(1, 140);
    for (const bool positive : {true, false}) {
      Case one(clauses, seed);
      const std::int64_t worst = positive ? -kThreshold : kThreshold;
      const auto beyond = *rc::gen::inRange<std::int64_t>(0, 1000);  // votes beyond T are T
      const LearnCounters counters = one.give(positive ? worst - beyond : worst + beyond, positive, seed);
      const std::uint64_t* const agree = positive ? one.positives : one.negatives;
      const std::uint64_t* const oppose = positive ? one.negatives : one.positives;
      RC_ASSERT(counters.type_1a == agree[true]);
      RC_ASSERT(counters.type_1b == agree[false]);
      RC_ASSERT(counters.type_2 == oppose[true]);
    }
  }));
}

TEST(Feedback, VotesAtTheTargetTeachNothing) {
  for (const bool positive : {true, false}) {
    Case one(50, 3);
    const std::string before = one.bytes();
    for (std::uint64_t key = 0; key < 200; ++key) {
      const std::int64_t most = positive ? kThreshold : -kThreshold;
      EXPECT_EQ(one.give(most, positive, key), LearnCounters{});
      EXPECT_EQ(one.give(50 * most, positive, key), LearnCounters{});
    }
    EXPECT_EQ(one.bytes(), before);
  }
}

TEST(Feedback, DealtOutToSeveralItIsTheSame) {
  EXPECT_TRUE(rc::check("for any cuts between words", [](std::uint64_t seed) {
    const auto votes = *rc::gen::inRange<std::int64_t>(-kThreshold, kThreshold + 1);
    const std::int32_t target = *rc::gen::element(0, 1);
    Case whole(700, seed), dealt(700, seed);
    std::vector<std::size_t> cuts;
    for (std::size_t word = 1; word < whole.outputs.size(); ++word) {
      if (*rc::gen::arbitrary<bool>()) cuts.push_back(word);
    }
    const LearnCounters a = whole.give(votes, target, seed), b = dealt.give(votes, target, seed, cuts);
    RC_ASSERT(a == b);
    RC_ASSERT(whole.bytes() == dealt.bytes());
  }));
}

TEST(Feedback, SignsDecideWhoAgreesWhereverTheyLie) {
  EXPECT_TRUE(rc::check("for any signs of the clauses", [](std::uint64_t seed) {
    Case one(200, seed);
    TestRandom random(seed + 1);
    std::uint64_t agree[2] = {}, oppose[2] = {};  // clauses that are false and true
    std::vector<std::uint64_t> positive(one.slots.words());
    for (std::uint32_t c = 0; c < 200; ++c) {
      const std::size_t slot = one.slots.slot(ClauseId{c});
      const bool sign = random.chance(0.5), truth = ((one.outputs[slot / 64] >> (slot % 64)) & 1) != 0;
      if (sign) positive[slot / 64] |= std::uint64_t{1} << (slot % 64);
      ++(sign ? oppose : agree)[truth];  // the push goes down
    }
    const std::uint32_t row[] = {0};
    Examples examples(row, one.data.rows);
    LearnCounters counters;
    Feedback feedback(one.bank, one.weights, one.slots, 0, one.slots.words(), one.silent);
    feedback.give({false, std::uint64_t{1} << 32}, one.outputs.data(), positive.data(), examples, 0, seed,
                  {find_kernels("auto"), one.forgetting, true}, counters);
    RC_ASSERT(counters.type_1a == agree[true]);
    RC_ASSERT(counters.type_1b == agree[false]);
    RC_ASSERT(counters.type_2 == oppose[true]);
  }));
}

TEST(Feedback, AsManyAreSelectedAsTheVotesAreFarFromTheTarget) {
  constexpr int kUses = 4000;
  for (const std::int64_t votes : {-19, -10, 0, 7, 19}) {
    for (const bool positive : {true, false}) {
      Case one(100, 5);
      for (std::uint64_t& word : one.outputs) word = 0;  // then all of Type I is Ib, and nothing else happens
      LearnCounters counters;
      for (std::uint64_t key = 0; key < kUses; ++key) {
        counters += one.give(votes, positive, child(17, key));
      }
      const double share = static_cast<double>(counters.type_1b) / (50.0 * kUses);
      const double distance = static_cast<double>(positive ? kThreshold - votes : kThreshold + votes);
      EXPECT_NEAR(share, distance / (2 * kThreshold), 0.01) << votes << " votes";
      EXPECT_EQ(counters.type_1a + counters.type_2, 0u);
    }
  }
}

}  // namespace
}  // namespace falsum::feedback_test
