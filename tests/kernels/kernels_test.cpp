// Every kernel set this CPU can run, against one automaton at a time.
#include <gtest/gtest.h>

#include <vector>

#include "bank/forgetting.h"
#include "falsum/bit_matrix.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "random_data.h"
#include "support/aligned.h"
#include "support/bits.h"

namespace falsum::kernels_test {
namespace {

/// Names of tests have no '+'.
std::string test_name(const Kernels& kernels) {
  std::string name = kernels.name;
  std::replace(name.begin(), name.end(), '+', '_');
  return name;
}

class KernelsTest : public testing::TestWithParam<const Kernels*> {};
INSTANTIATE_TEST_SUITE_P(Sets, KernelsTest, testing::ValuesIn(supported_kernels()),
                         [](const auto& tested) { return test_name(*tested.param); });

TEST_P(KernelsTest, DensePassesDoWhatTheRulesSayForEachAutomaton) {
  TestRandom random(42);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t words = trial == 0 ? 2100 : 1 + random.below(5);  // once beyond 65,536 draws
    const auto kind = static_cast<DenseKind>(random.below(4));
    const bool reward = kind == DenseKind::kTypeIaBoosted || kind == DenseKind::kTypeIa;
    const std::uint8_t lowest = static_cast<std::uint8_t>(trial % 3 == 0 ? 0 : random.below(128));
    const double specificities[] = {1.0, 1.3, 3.9, 10, 100, 1000};
    const Forgetting forgetting(specificities[random.below(6)]);
    const std::uint32_t pending =
        static_cast<std::uint32_t>(random.below(random.chance(0.5) ? 3 : Forgetting::kMostPending + 1));
    const DrawKey key = {random()}, reward_key = {random()};
    const std::uint64_t dither = random();
    Decrements owed, owed_and_one, one;
    forgetting.decrements(pending, dither, owed);
    forgetting.decrements(pending + 1, dither, owed_and_one);
    forgetting.decrements(1, dither, one);

    AlignedArray<std::uint8_t> states(64 * words);
    std::vector<std::uint64_t> truths(words), falsehoods(words), included(words), expected_included(words);
    std::vector<RisenWord> list(words + 1);
    for (std::size_t l = 0; l < 64 * words; ++l) {
      states[l] = static_cast<std::uint8_t>(random.chance(0.2) ? 127 : lowest + random.below(256u - lowest));
      const bool padding = l + 20 > 64 * words;
      if (padding) states[l] = std::min<std::uint8_t>(states[l], 127);
      if (!padding) (random.chance(0.5) ? truths : falsehoods)[l / 64] |= std::uint64_t{1} << (l % 64);
    }
    const std::vector<std::uint8_t> before(states.data(), states.data() + 64 * words);
    std::size_t expected_count = 0;
    std::vector<int> expected(before.size());
    for (std::size_t l = 0; l < before.size(); ++l) {
      const auto bit = [&](const std::vector<std::uint64_t>& v) { return ((v[l / 64] >> (l % 64)) & 1) != 0; };
      const std::uint8_t draw = draw8(key, static_cast<std::uint32_t>(l));
      const std::uint32_t down = (reward && bit(falsehoods) ? owed_and_one : owed).count(draw);
      int state = std::max<int>(before[l] - static_cast<int>(down), lowest);
      if (kind == DenseKind::kTypeIaBoosted && bit(truths)) ++state;
      if (kind == DenseKind::kTypeIa && bit(truths)) {
        state += one.count(draw8(reward_key, static_cast<std::uint32_t>(l))) == 0;
      }
      if (kind == DenseKind::kTypeII && bit(falsehoods)) ++state;
      expected[l] = state;
      if (before[l] < 128 && state >= 128) expected_included[l / 64] |= std::uint64_t{1} << (l % 64);
      expected_count += before[l] < 128 && state >= 128;
    }
    const Risen risen =
        GetParam()->dense_pass({kind, states.data(), states.data(), words, truths.data(), falsehoods.data(),
                                list.data(), key, reward_key, lowest, &owed, &owed_and_one, &one});
    ASSERT_LE(risen.words, words);
    for (std::size_t i = 0; i < risen.words; ++i) {
      ASSERT_TRUE(list[i].word < words && list[i].bits != 0 && (i == 0 || list[i].word > list[i - 1].word));
      included[list[i].word] = list[i].bits;
    }
    for (std::size_t l = 0; l < before.size(); ++l) {
      if (before[l] >= 128) {
        ASSERT_GE(states[l], 128) << "a hot lane left the upper half, trial " << trial;
      } else {
        ASSERT_EQ(states[l], expected[l]) << "trial " << trial << ", literal " << l;
      }
    }
    ASSERT_EQ(included, expected_included);
    ASSERT_EQ(risen.literals, expected_count);
  }
}

TEST_P(KernelsTest, ForgetTakesDownTheStatesWhoseDrawsSaySo) {
  TestRandom random(43);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t size = random.below(150), room = (size + 63) / 64 * 64;
    const std::uint8_t lowest = static_cast<std::uint8_t>(random.below(128));
    const double specificities[] = {1.0, 1.3, 3.9, 10, 1000};
    const std::uint32_t once =
        random.chance(0.1)
            ? 0
            : Forgetting(specificities[random.below(5)]).once(static_cast<std::uint32_t>(random.below(1 << 24)));
    const DrawKey key = {random()};
    std::vector<std::uint8_t> states(room);
    std::vector<LostWord> lost(4);
    std::vector<std::uint64_t> expected_lost(3);
    for (std::size_t i = 0; i < room; ++i) {
      states[i] = static_cast<std::uint8_t>(i >= size            ? random()  // not a state, and to be left alone
                                            : random.chance(0.3) ? 128
                                            : random.chance(0.3) ? lowest
                                                                 : lowest + random.below(256u - lowest));
    }
    std::vector<std::uint8_t> expected = states;
    for (std::size_t i = 0; i < size; ++i) {
      if (draw8(key, static_cast<std::uint32_t>(i)) >= once || expected[i] == lowest) continue;
      if (expected[i]-- == 128) expected_lost[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    const HotStates clauses[] = {{nullptr, 0, key, once}, {states.data(), size, key, once}};
    lost.resize(GetParam()->forget(clauses, 2, lowest, lost.data()));
    ASSERT_EQ(states, expected) << "trial " << trial << ", size " << size;
    auto next = lost.cbegin();
    for (std::uint32_t w = 0; w < 3; ++w) {
      if (expected_lost[w] == 0) continue;
      ASSERT_NE(next, lost.cend()) << "size " << size;
      ASSERT_EQ(next->clause, 1u);
      ASSERT_EQ(next->word, w);
      ASSERT_EQ(next->bits, expected_lost[w]) << "size " << size;
      ++next;
    }
    ASSERT_EQ(next, lost.cend());
  }
}

TEST_P(KernelsTest, ConjunctionTurnsOffTheUsesOfFalseLiterals) {
  TestRandom random(10);
  std::vector<std::uint64_t> columns(kLookaheadWords * 40);
  for (std::uint64_t& word : columns) word = random() | random() | random();
  for (std::size_t size = 0; size < 60; ++size) {
    std::vector<std::uint32_t> ids(size);
    std::vector<std::uint64_t> expected(kLookaheadWords), uses(kLookaheadWords);
    for (std::size_t w = 0; w < kLookaheadWords; ++w)
      uses[w] = expected[w] = size % 3 == 0 ? ~std::uint64_t{0} : random() & random();
    for (std::uint32_t& id : ids) {
      id = static_cast<std::uint32_t>(random.below(40));
      for (std::size_t w = 0; w < kLookaheadWords; ++w) expected[w] &= columns[kLookaheadWords * id + w];
    }
    const std::vector<std::uint16_t> narrow_ids(ids.begin(), ids.end());
    std::vector<std::uint64_t> again = uses;
    GetParam()->conjunction(columns.data(), {ids.data(), static_cast<std::uint32_t>(size), true}, uses.data());
    ASSERT_EQ(uses, expected) << "size " << size;
    GetParam()->conjunction(columns.data(), {narrow_ids.data(), static_cast<std::uint32_t>(size), false}, again.data());
    ASSERT_EQ(again, expected) << "16-bit ids, size " << size;
  }
}

TEST_P(KernelsTest, StrengthenStopsAtTheHighestStateAndTouchesNothingElse) {
  TestRandom random(12);
  for (std::size_t size = 0; size < 150; ++size) {
    const std::uint8_t highest = static_cast<std::uint8_t>(128 + random.below(128));
    std::vector<std::uint8_t> states(size + 64);
    for (std::uint8_t& state : states) state = static_cast<std::uint8_t>(128 + random.below(highest - 127u));
    std::vector<std::uint8_t> expected = states;
    for (std::size_t i = 0; i < size; ++i)
      expected[i] = static_cast<std::uint8_t>(std::min<int>(expected[i] + 1, highest));
    GetParam()->strengthen(states.data(), size, highest);
    ASSERT_EQ(states, expected) << "size " << size;
  }
}

TEST_P(KernelsTest, CountCountsBits) {
  TestRandom random(11);
  std::vector<std::uint64_t> words = {0, ~std::uint64_t{0}, 1, std::uint64_t{1} << 63};
  for (int i = 0; i < 50; ++i) words.push_back(random());
  for (std::size_t size = 0; size <= words.size(); ++size) {
    ASSERT_EQ(GetParam()->count(words.data(), size), count_bits(words.data(), size));
  }
}

TEST_P(KernelsTest, SliceTurnsRowsIntoColumnsAndTheirNegations) {
  TestRandom random(13);
  for (const std::size_t features : {1u, 63u, 64u, 65u, 200u}) {
    for (const std::size_t count : {1u, 64u, 65u, 511u, 512u}) {
      const std::size_t words = words_for(features) + 1;  // rows may lie further apart than they are long
      std::vector<std::uint64_t> rows(words * count);
      for (std::uint64_t& word : rows) word = random();
      AlignedArray<std::uint64_t> columns(16 * features);
      GetParam()->slice(rows.data(), words, count, features, columns.data());
      for (std::size_t k = 0; k < features; ++k) {
        for (std::size_t s = 0; s < 512; ++s) {
          const bool truth = s < count && ((rows[words * s + k / 64] >> (k % 64)) & 1);
          ASSERT_EQ((columns[8 * k + s / 64] >> (s % 64)) & 1, truth) << k << " " << s;
          ASSERT_EQ((columns[8 * (features + k) + s / 64] >> (s % 64)) & 1, !truth) << k << " " << s;
        }
      }
    }
  }
}

TEST_P(KernelsTest, TurnMakesRowsColumnsInEightSquares) {
  TestRandom random(17);
  AlignedArray<std::uint64_t> before(8 * 64), after(8 * 64);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = after[i] = random();
  GetParam()->transpose(after.data());
  for (std::size_t m = 0; m < 8; ++m) {
    for (std::size_t r = 0; r < 64; ++r) {
      for (std::size_t c = 0; c < 64; ++c) {
        ASSERT_EQ((after[8 * c + m] >> r) & 1, (before[8 * r + m] >> c) & 1) << m << ": " << r << "," << c;
      }
    }
  }
}

TEST_P(KernelsTest, SumWhereAddsTheValuesWhoseBitIsOn) {
  TestRandom random(9);
  for (std::size_t words = 0; words < 6; ++words) {
    std::vector<std::int32_t> values(64 * words);
    std::vector<std::uint64_t> bits(words);
    std::int32_t expected = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::int32_t>(random.below(2'000'001)) - 1'000'000;
      if (random.chance(0.4)) bits[i / 64] |= std::uint64_t{1} << (i % 64);
      if ((bits[i / 64] >> (i % 64) & 1) != 0) expected += values[i];
    }
    ASSERT_EQ(GetParam()->sum_where(values.data(), bits.data(), words), expected) << words << " words";
  }
}

TEST_P(KernelsTest, TallyAddsWhatTheBitPlanesSay) {
  TestRandom random(14);
  for (std::uint32_t planes = 0; planes < 20; ++planes) {
    std::vector<std::uint64_t> bits(8 * planes);
    for (std::uint64_t& word : bits) word = random();
    const std::int32_t worth = (random.chance(0.5) ? 1 : -1) * (1 << random.below(10));
    std::vector<std::int32_t> sums(512), expected(512);
    for (std::size_t s = 0; s < 512; ++s) {
      sums[s] = expected[s] = static_cast<std::int32_t>(random.below(1000)) - 500;
      for (std::uint32_t p = 0; p < planes; ++p) {
        if ((bits[8 * p + s / 64] >> (s % 64)) & 1) expected[s] += worth * (1 << p);
      }
    }
    GetParam()->tally(bits.data(), planes, worth, sums.data());
    ASSERT_EQ(sums, expected) << planes << " planes";
  }
}

TEST_P(KernelsTest, UniteJoinsRowsOfAnyLength) {
  TestRandom random(15);
  for (std::size_t lines = 0; lines < 14; ++lines) {
    for (const std::size_t count : {0u, 1u, 2u, 7u}) {
      AlignedArray<std::uint64_t> table(8 * lines * 10), words(8 * lines);
      for (std::size_t i = 0; i < table.size(); ++i) table[i] = random() & random() & random();
      std::vector<std::uint64_t> expected(8 * lines);
      for (std::size_t w = 0; w < expected.size(); ++w) words[w] = expected[w] = random() & random();
      std::vector<const std::uint64_t*> rows;
      for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(table.data() + 8 * lines * random.below(10));
        for (std::size_t w = 0; w < expected.size(); ++w) expected[w] |= rows.back()[w];
      }
      GetParam()->bitwise_or(rows.data(), count, lines, words.data());
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), words.data())) << lines << " lines, " << count;
    }
  }
}

TEST_P(KernelsTest, CountersOfPlanesStepAndTellWhichAreLow) {
  TestRandom random(12);
  for (const std::uint32_t planes : {2U, 3U, 4U, 5U, 6U, 9U}) {
    for (const std::size_t lines : {1U, 3U, 8U, 9U}) {
      const std::size_t clauses = 512 * lines;
      std::vector<std::uint32_t> counts(clauses);
      std::vector<std::uint64_t> counters(8 * lines * planes), turned(8 * lines), words((lines + 7) / 8);
      const auto bit = [](const std::vector<std::uint64_t>& v, std::size_t i) { return (v[i / 64] >> (i % 64)) & 1; };
      for (int step = 0; step < 30; ++step) {
        std::vector<std::uint64_t> up(8 * lines), down(8 * lines);
        std::vector<bool> expected(clauses);
        for (std::size_t c = 0; c < clauses; ++c) {
          const std::uint32_t most = (1U << planes) - 1, before = counts[c];
          const bool small = before <= 1 && random.chance(0.9);
          const bool grows = counts[c] < most && random.chance(small ? 0.1 : 0.5);
          const bool shrinks = !grows && counts[c] > 0 && random.chance(0.4);
          up[c / 64] |= std::uint64_t{grows} << (c % 64);
          down[c / 64] |= std::uint64_t{shrinks} << (c % 64);
          counts[c] += grows - shrinks;
          expected[c] = (before == 0) != (counts[c] == 0);
        }
        GetParam()->step_counters(
            {up.data(), down.data(), counters.data(), turned.data(), words.data(), lines, planes});
        for (std::size_t c = 0; c < clauses; ++c) {
          std::uint32_t count = 0;
          for (std::uint32_t p = 0; p < planes; ++p) {
            count |= static_cast<std::uint32_t>(bit(counters, 512 * (c / 512 * planes + p) + c % 512)) << p;
          }
          ASSERT_EQ(count, counts[c]) << planes << " planes";
          ASSERT_EQ(bit(turned, c) != 0, expected[c]);
        }
        std::vector<std::uint32_t> zeros(clauses + 1), ones(clauses + 1), expected_zeros, expected_ones;
        for (std::uint32_t c = 0; c < clauses; ++c) {
          if (counts[c] == 0) expected_zeros.push_back(c);
          if (counts[c] == 1) expected_ones.push_back(c);
        }
        const LowCounters low = GetParam()->low_counters(counters.data(), planes, lines, zeros.data(), ones.data());
        zeros.resize(low.zeros);
        ones.resize(low.ones);
        ASSERT_EQ(zeros, expected_zeros);
        ASSERT_EQ(ones, expected_ones);
        for (std::size_t w = 0; w < 64 * words.size(); ++w) {
          ASSERT_EQ(bit(words, w) != 0, w < turned.size() && turned[w] != 0);
        }
      }
    }
  }
}

TEST_P(KernelsTest, PickTakesOneBitOfEveryColumn) {
  TestRandom random(9);
  AlignedArray<std::uint64_t> columns(192);
  for (std::size_t j = 0; j < 192; ++j) columns[j] = random();
  for (unsigned bit = 0; bit < 64; ++bit) {
    std::vector<std::uint64_t> out(3);
    GetParam()->gather_bits(columns.data(), bit, 3, out.data());
    for (std::size_t j = 0; j < 192; ++j) ASSERT_EQ((out[j / 64] >> (j % 64)) & 1, (columns[j] >> bit) & 1);
  }
}

TEST_P(KernelsTest, SelectComparesEveryDraw) {
  TestRandom random(7);
  for (const std::uint32_t threshold : {0u, 1u, 777u, 32767u, 32768u, 32769u, 65535u, 65536u}) {
    const DrawKey key = {random()};
    std::vector<std::uint64_t> out(threshold == 777 ? 2000 : 5);  // beyond 65,536 draws once
    const std::uint32_t first = static_cast<std::uint32_t>(random.below(3));
    GetParam()->select(key, threshold, first, out.size(), out.data());
    for (std::uint32_t j = 0; j < 64 * out.size(); ++j) {
      ASSERT_EQ((out[j / 64] >> (j % 64)) & 1, draw16(key, 64 * first + j) < threshold)
          << "threshold " << threshold << ", slot " << j;
    }
  }
}

TEST_P(KernelsTest, DrawGivesTheDrawsOfTheListedLiterals) {
  TestRandom random(15);
  for (const bool wide : {false, true}) {
    const DrawKey key = {random()};
    std::vector<std::uint16_t> narrow_ids;
    std::vector<std::uint32_t> wide_ids;
    for (int i = 0; i < 200; ++i) {
      wide_ids.push_back(static_cast<std::uint32_t>(random.below(wide ? 1 << 30 : 65536)));
      narrow_ids.push_back(static_cast<std::uint16_t>(wide_ids.back()));
    }
    std::vector<std::uint8_t> out(201, 7);
    const void* const ids = wide ? static_cast<const void*>(wide_ids.data()) : narrow_ids.data();
    GetParam()->draw(key, {ids, 200, wide}, out.data());
    for (std::size_t i = 0; i < 200; ++i) ASSERT_EQ(out[i], draw8(key, wide_ids[i])) << "literal " << wide_ids[i];
    ASSERT_EQ(out[200], 7);
  }
}

TEST_P(KernelsTest, UnflaggedReadsTheTopBitsFromAnyAddress) {
  TestRandom random(8);
  std::vector<std::uint8_t> flags(64 * 4 + 13);
  for (std::uint8_t& f : flags) f = random.chance(0.5) ? 255 : 0;
  for (std::size_t start = 0; start < 13; ++start) {
    std::vector<std::uint64_t> out(4);
    GetParam()->unflagged(flags.data() + start, out.size(), out.data());
    for (std::size_t j = 0; j < 256; ++j) ASSERT_EQ((out[j / 64] >> (j % 64)) & 1, flags[start + j] == 0);
  }
}

TEST_P(KernelsTest, FuzzyMissesCountFalseLiterals) {
  TestRandom random(10);
  for (const std::size_t words : {1, 7, 8, 9, 13, 17}) {
    const std::size_t clauses = 5;
    std::vector<std::uint64_t> row(words), included(2 * words * clauses);
    for (std::uint64_t& word : row) word = random();
    for (std::uint64_t& word : included) word = random() & random();
    std::vector<std::uint32_t> misses(clauses);
    GetParam()->fuzzy_misses(row.data(), included.data(), words, clauses, misses.data());
    for (std::size_t c = 0; c < clauses; ++c) {
      std::uint32_t expected = 0;
      for (std::size_t k = 0; k < 64 * words; ++k) {
        const auto in = [&](std::size_t part) {
          return ((included[(2 * c + part) * words + k / 64] >> (k % 64)) & 1) != 0;
        };
        const bool on = ((row[k / 64] >> (k % 64)) & 1) != 0;
        if (in(0) && !on) ++expected;
        if (in(1) && on) ++expected;
      }
      ASSERT_EQ(misses[c], expected) << words << " words, clause " << c;
    }
  }
}

TEST_P(KernelsTest, NibbleVotesAddTheRowsOfNibblesThatAreOn) {
  TestRandom random(11);
  for (const std::size_t lines : {1, 2, 3, 4, 5, 7, 8, 9, 17}) {
    const std::size_t words = 3, stride = 64 * lines;
    AlignedArray<std::uint8_t> table(256 * words * stride), base(stride), most(stride), values(stride);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint8_t>(random.below(7));
    for (std::size_t i = 0; i < stride; ++i) {
      base[i] = static_cast<std::uint8_t>(random());
      most[i] = static_cast<std::uint8_t>(random());
    }
    for (const std::uint64_t on : {std::uint64_t{0}, ~std::uint64_t{0}, random() & random() & random(), random()}) {
      const std::vector<std::uint64_t> sample = {on, 0, on << 1};
      std::vector<std::uint32_t> rows(16 * words + 16);
      std::vector<std::uint8_t> sums(base.data(), base.data() + stride);
      std::size_t expected_rows = 0;
      for (std::size_t nibble = 0; nibble < 16 * words; ++nibble) {
        const std::size_t value = (sample[nibble / 16] >> (4 * (nibble % 16))) & 15;
        if (value == 0) continue;
        ++expected_rows;
        for (std::size_t i = 0; i < stride; ++i) {
          sums[i] = static_cast<std::uint8_t>(sums[i] + table[(16 * nibble + value) * stride + i]);
        }
      }
      const NibbleTable nibbles = {table.data(), base.data(), most.data(), stride, words};
      EXPECT_EQ(GetParam()->nibble_votes(nibbles, sample.data(), rows.data(), values.data()), expected_rows);
      for (std::size_t i = 0; i < stride; ++i) {
        ASSERT_EQ(values[i], most[i] > sums[i] ? most[i] - sums[i] : 0) << lines << " lines, clause " << i;
      }
    }
  }
}

TEST_P(KernelsTest, SumSlotsAddsBytesAStepApart) {
  TestRandom random(12);
  for (const std::size_t step : {1, 10, 16, 33}) {
    for (const std::size_t count : {0, 1, 20, 256}) {
      std::vector<std::uint8_t> values(step * count + 16);
      for (std::uint8_t& value : values) value = random.chance(0.5) ? 255 : static_cast<std::uint8_t>(random());
      std::uint16_t sums[16];
      GetParam()->sum_slots(values.data(), step, count, sums);
      for (std::size_t i = 0; i < 16; ++i) {
        std::uint32_t expected = 0;
        for (std::size_t s = 0; s < count; ++s) expected += values[step * s + i];
        ASSERT_EQ(sums[i], expected) << count << " slots of " << step << " bytes, byte " << i;
      }
    }
  }
}

TEST_P(KernelsTest, PackTurnsBytesIntoBitsAndTellsTheLargest) {
  TestRandom random(9);
  for (const std::size_t columns : {1, 7, 63, 64, 65, 127, 128, 784, 1000}) {
    for (const std::ptrdiff_t direction : {1, -1}) {
      const std::size_t rows = 5, stride = columns + random.below(70);
      std::vector<std::uint8_t> bytes((rows - 1) * stride + columns);  // not one more: it must not read past the end
      for (std::uint8_t& b : bytes) b = random.chance(0.5) ? 1 : 0;
      const std::uint8_t* const first = bytes.data() + (direction < 0 ? (rows - 1) * stride : 0);
      const ByteRowsView view{first, rows, columns, direction * static_cast<std::ptrdiff_t>(stride)};
      BitMatrix bits(rows, columns);
      for (std::uint64_t& word : bits.row(rows - 1)) word = ~std::uint64_t{0};  // what is there before does not matter
      EXPECT_LE(GetParam()->pack(view, bits.row(0).data()), 1);
      for (const std::uint8_t large :
           std::initializer_list<std::uint8_t>{2, 77, 255}) {  // anywhere, also where rows end
        bytes[static_cast<std::size_t>(first - bytes.data()) + (large == 77 ? columns - 1 : random.below(columns))] =
            large;
        EXPECT_EQ(GetParam()->pack(view, bits.row(0).data()), large);
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t k = 0; k < 64 * bits.words_per_row(); ++k) {
            const bool on = k < columns &&
                            first[static_cast<std::ptrdiff_t>(r) * view.stride + static_cast<std::ptrdiff_t>(k)] != 0;
            ASSERT_EQ(bits.get(r, k), on) << columns << " columns, row " << r << ", column " << k;
          }
        }
      }
    }
  }
  EXPECT_EQ(GetParam()->pack({nullptr, 0, 100, 100}, nullptr), 0);
}

TEST(Kernels, AutoIsTheFastestSupportedAndUnknownNamesAreRefused) {
  EXPECT_EQ(&find_kernels("auto"), supported_kernels().back());
  EXPECT_STREQ(find_kernels("scalar").name, "scalar");
  try {
    find_kernels("sse9");
    FAIL() << "accepted an unknown kernel set";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("scalar"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("sse9"), std::string::npos) << error.what();
  }
  int chosen = 0;
  for (const KernelSetInfo& info : list_kernel_sets()) chosen += info.chosen;
  EXPECT_EQ(chosen, 1);
}

}  // namespace
}  // namespace falsum::kernels_test
