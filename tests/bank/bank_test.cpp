#include "bank/bank.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "bank/clause_slots.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "random_data.h"
#include "support/bytes.h"

namespace falsum::bank_test {
namespace {

/// Believes only what it is told.
struct Recorder final : FlipListener {
  std::set<std::pair<std::uint32_t, std::uint32_t>> included;
  void flipped(ClauseId c, const IdList& literals, bool now) override {
    EXPECT_GT(literals.size, 0u);
    for (std::uint32_t i = 0; i < literals.size; ++i) {
      if (now) {
        EXPECT_TRUE(included.emplace(at(c), literals[i]).second) << "included twice";
      } else {
        EXPECT_EQ(included.erase({at(c), literals[i]}), 1u) << "excluded twice";
      }
    }
  }
};

TEST(Bank, StartsOneStepBelowInclude) {
  const Bank bank(4, 10, 256);
  for (std::uint32_t j = 0; j < 4; ++j) {
    for (std::uint32_t l = 0; l < 20; ++l) {
      EXPECT_EQ(bank.state(ClauseId{j}, LiteralId{l}), 127);
      EXPECT_FALSE(bank.includes(ClauseId{j}, LiteralId{l}));
    }
  }
}

TEST(Bank, ReportsExactlyTheIncludesThatChangeAndStaysWithinItsStates) {
  for (const std::uint32_t states : {2u, 6u, 200u, 256u}) {
    constexpr std::size_t kClauses = 6, kFeatures = 45;
    Bank bank(kClauses, kFeatures, states);
    const Forgettings forgetting(3);
    const Bank::Law law{find_kernels("auto"), forgetting, true};
    const RandomData data(states, 50, kFeatures, 2);
    Recorder recorder;
    Bank::Worker worker(bank, recorder);
    LiteralRow row(kFeatures);
    TestRandom random(states);
    for (int event = 0; event < 20000; ++event) {
      const ClauseId c{static_cast<std::uint32_t>(random.below(kClauses))};
      row.assign(data.rows.row(random.below(50)));
      bool truth = true;
      bank.for_each_included(c, [&](LiteralId l) { truth = truth && row.is_true(l); });
      const std::uint64_t key = random();
      if (!truth) {
        bank.type_1b({&c, 1}, key, law, worker);
      } else if (random.chance(0.5)) {
        bank.type_1a(c, row, key, law, worker);
      } else {
        bank.type_2(c, row, key, law, worker);
      }
      if (event % 500 != 0) continue;
      for (std::uint32_t j = 0; j < kClauses; ++j) {
        for (std::uint32_t l = 0; l < 2 * kFeatures; ++l) {
          const int state = bank.state(ClauseId{j}, LiteralId{l});
          ASSERT_GE(state, 128 - static_cast<int>(states) / 2);
          ASSERT_LE(state, 127 + static_cast<int>(states) / 2);
          ASSERT_EQ(bank.includes(ClauseId{j}, LiteralId{l}), state >= 128);
          ASSERT_EQ(recorder.included.count({j, l}), static_cast<std::size_t>(state >= 128));
        }
        bank.for_each_included(ClauseId{j},
                               [&](LiteralId l) { ASSERT_LT(at(l), 2 * kFeatures) << "padding was included"; });
      }
    }
  }
}

TEST(Bank, TypeTwoIncludesFalseLiteralsOnlyAndNeverWeakens) {
  Bank bank(2, 8, 256);
  const Forgettings forgetting(10);
  const Bank::Law law{find_kernels("auto"), forgetting, true};
  Recorder recorder;
  Bank::Worker worker(bank, recorder);
  BitMatrix rows(1, 8);
  for (const std::size_t k : {0, 3, 5}) rows.set(0, k);
  LiteralRow row(8);
  row.assign(rows.row(0));
  EXPECT_EQ(bank.type_2(ClauseId{1}, row, 1, law, worker), 8u);
  for (std::uint32_t l = 0; l < 16; ++l) {
    EXPECT_EQ(bank.state(ClauseId{1}, LiteralId{l}), row.is_true(LiteralId{l}) ? 127 : 128);
    EXPECT_EQ(bank.state(ClauseId{0}, LiteralId{l}), 127) << "another clause was touched";
  }
}

TEST(Bank, ForgettingThatWaitsIsTheSameForAllLiteralsThatAreNotHot) {  // invariant I3
  for (const std::uint32_t events : {1u, 7u, 100u, 254u}) {
    constexpr std::size_t kFeatures = 70;
    Bank bank(2, kFeatures, 256);
    const Forgettings forgetting(10);
    const Bank::Law law{find_kernels("auto"), forgetting, true};
    Recorder recorder;
    Bank::Worker worker(bank, recorder);
    const ClauseId c{1};
    for (std::uint64_t use = 0; use < events; ++use) bank.type_1b({&c, 1}, use, law, worker);
    const RandomData data(events, 1, kFeatures, 2);
    LiteralRow row(kFeatures);
    row.assign(data.rows.row(0));
    const std::uint64_t event = 12345;
    bank.type_2(c, row, event, law, worker);
    Decrements owed;
    forgetting.of(ClauseId{0}).decrements(events, dense_dither(event), owed);
    for (std::uint32_t l = 0; l < 2 * kFeatures; ++l) {
      const int forgotten = static_cast<int>(owed.count(draw8(dense_key(event), l)));
      const int raised = row.is_true(LiteralId{l}) ? 0 : 1;
      EXPECT_EQ(bank.state(c, LiteralId{l}), 127 - forgotten + raised) << events << " events, literal " << l;
    }
  }
}

TEST(ClauseSlots, EveryClauseHasASlotAndEveryGroupItsOwnWords) {
  for (const std::size_t clauses : {2, 100, 128, 130, 2000}) {
    for (const std::size_t groups : {1, 2}) {
      const ClauseSlots slots(clauses, groups);
      std::vector<std::uint64_t> used(slots.words());
      for (std::uint32_t j = 0; j < clauses; ++j) {
        const std::size_t slot = slots.slot(ClauseId{j});
        ASSERT_LT(slot, slots.slots());
        EXPECT_EQ(slot / 64 >= slots.group_words(), j >= clauses / groups);
        EXPECT_EQ(at(slots.clause_at(slot)), j);
        EXPECT_TRUE(slots.has_clause(slot));
        used[slot / 64] |= std::uint64_t{1} << (slot % 64);
      }
      std::size_t count = 0;
      for (std::size_t word = 0; word < slots.words(); ++word) {
        EXPECT_EQ(slots.used(word), used[word]);
        for (std::size_t bit = 0; bit < 64; ++bit) {
          EXPECT_EQ(slots.has_clause(64 * word + bit), ((used[word] >> bit) & 1) != 0);
        }
        count += static_cast<std::size_t>(std::popcount(used[word]));
      }
      EXPECT_EQ(count, clauses);
    }
  }
}

TEST(Bank, RefusesImpossibleBytes) {
  Bank bank(2, 4, 8);  // states 124 .. 131
  ByteWriter good;
  bank.write(good);
  const auto read = [](std::string bytes) {
    Bank other(2, 4, 8);
    ByteReader reader(bytes, "test");
    other.read(reader);
    reader.expect_end();
  };
  EXPECT_NO_THROW(read(good.bytes()));
  std::string bytes = good.bytes();
  bytes[3] = static_cast<char>(123);
  EXPECT_THROW(read(bytes), FileError) << "a state below the range";
  bytes = good.bytes();
  bytes[8] = static_cast<char>(255);
  EXPECT_THROW(read(bytes), FileError) << "more pending events than there can be";
  bytes = good.bytes();
  bytes[9] = 1;
  bytes.insert(10, 1, 9);
  EXPECT_THROW(read(bytes), FileError) << "a hot literal that does not exist";
  bytes = good.bytes();
  bytes[9] = 2;
  bytes.insert(10, 2, 3);
  EXPECT_THROW(read(bytes), FileError) << "a hot literal that is there twice";
  bytes = good.bytes();
  bytes[4] = static_cast<char>(128);
  bytes[9] = 2;
  bytes.insert(10, {3, 4});
  EXPECT_THROW(read(bytes), FileError) << "a literal of the clause after a released one";
  std::swap(bytes[10], bytes[11]);
  EXPECT_NO_THROW(read(bytes));
  bytes = good.bytes();
  bytes[4] = static_cast<char>(128);
  EXPECT_NO_THROW(read(bytes)) << "a file from before the order of hot literals mattered";
  for (std::size_t size = 0; size < good.bytes().size(); ++size) {
    EXPECT_THROW(read(good.bytes().substr(0, size)), FileError) << size;
  }
}

}  // namespace
}  // namespace falsum::bank_test
