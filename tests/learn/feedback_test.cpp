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
  Case(std::size_t clauses, std::uint64_t seed, bool shared = false)
      : data(seed, 1, kFeatures, 2), voters(options_of(clauses, seed, shared), kFeatures, 1, clauses) {
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

  static Options options_of(std::size_t clauses, std::uint64_t seed, bool shared) {
    Options options;
    options.clauses = static_cast<std::int64_t>(clauses);
    options.threshold = kThreshold;
    options.shared = shared;
    options.seed = seed;
    return options;
  }

  /// By Feedbacks for words 0 .. cuts[0]-1, cuts[0] .. cuts[1]-1, ...
  LearnCounters give(std::int64_t votes, std::int32_t target, std::uint64_t key, std::vector<std::size_t> cuts = {}) {
    cuts.push_back(outputs.size());
    const std::uint32_t row[] = {0};
    Examples examples(row, data.rows);
    LearnCounters counters;
    std::size_t first = 0;
    for (const std::size_t last : cuts) {
      Feedback feedback(voters, first, last, silent);
      const Bank::Law law = {find_kernels("auto"), forgetting, true};
      feedback.choose(voters.objective.push(votes, target), 0, outputs.data() + first, key, law);
      feedback.give(examples, 0, law, counters);
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
  Voters voters;
  Bank& bank = voters.bank;
  const ClauseSlots& slots = voters.slots;
  Forgettings forgetting{4};
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
    Case one(200, seed, true);
    std::uint64_t agree[2] = {}, oppose[2] = {};  // clauses that are false and true
    std::vector<std::int32_t> weights;
    for (std::uint32_t c = 0; c < 200; ++c) {
      const std::size_t slot = one.slots.slot(ClauseId{c});
      const bool truth = ((one.outputs[slot / 64] >> (slot % 64)) & 1) != 0;
      weights.push_back(one.voters.weights.of(ClauseId{c}));
      ++(weights.back() >= 0 ? oppose : agree)[truth];  // the push goes down
      weights.back() -= truth;
    }
    const LearnCounters counters = one.give(1000, 0, seed);
    RC_ASSERT(counters.type_1a == agree[true]);
    RC_ASSERT(counters.type_1b == agree[false]);
    RC_ASSERT(counters.type_2 == oppose[true]);
    for (std::uint32_t c = 0; c < 200; ++c) RC_ASSERT(one.voters.weights.of(ClauseId{c}) == weights[c]);
  }));
}

TEST(Feedback, ClausesOverTheBudgetForgetInsteadOfLearning) {
  EXPECT_TRUE(rc::check("for any bank", [](std::uint64_t seed) {
    Case one(300, seed);
    one.voters.max_literals = 1;
    std::uint64_t true_within = 0, forgetting = 0;
    for (std::uint32_t c = 0; c < 150; ++c) {
      const std::size_t slot = one.slots.slot(ClauseId{c});
      const bool truth = ((one.outputs[slot / 64] >> (slot % 64)) & 1) != 0;
      const bool within = one.bank.length(ClauseId{c}) <= 1;
      ++(truth && within ? true_within : forgetting);
    }
    const LearnCounters counters = one.give(-kThreshold, 1, seed);
    RC_ASSERT(counters.type_1a == true_within);
    RC_ASSERT(counters.type_1b == forgetting);
    RC_ASSERT(counters.type_2 == one.negatives[true]);
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
