// Every kernel set this CPU can run, against one automaton at a time.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "bank/forgetting.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "random_data.h"
#include "support/aligned.h"

namespace falsum {
namespace {

class KernelsTest : public testing::TestWithParam<const Kernels*> {};
INSTANTIATE_TEST_SUITE_P(Sets, KernelsTest, testing::ValuesIn(supported_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

int count(const Decrements& d, std::uint8_t draw) {
  int n = static_cast<int>(d.always);
  for (std::uint32_t k = 0; k < d.size; ++k) n += draw < d.value[k];
  return n;
}

TEST_P(KernelsTest, DensePassesDoWhatTheRulesSayForEachAutomaton) {
  TestRandom random(42);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t words = 1 + random.below(5);
    const auto kind = static_cast<DenseKind>(random.below(4));
    const std::uint8_t half = static_cast<std::uint8_t>(trial % 3 == 0 ? 128 : 1 + random.below(128));
    const std::uint8_t lowest = static_cast<std::uint8_t>(128 - half), highest = static_cast<std::uint8_t>(127 + half);
    const double specificities[] = {1.0, 1.3, 3.9, 10, 100};
    const Forgetting forgetting(specificities[random.below(5)]);
    const std::uint32_t pending =
        static_cast<std::uint32_t>(random.chance(0.3) ? 0 : random.below(Forgetting::kMostPending + 1));
    const DrawKey key = draw_key(random());
    Decrements owed, owed_and_one, one;
    forgetting.decrements(pending, key, owed);
    forgetting.decrements(pending + 1, key, owed_and_one);
    forgetting.decrements(1, key, one);

    AlignedArray<std::uint8_t> states(64 * words);
    std::vector<std::uint64_t> truths(words), falsehoods(words), hot(words), included(words), flips(words);
    for (std::size_t l = 0; l < 64 * words; ++l) {
      const std::uint64_t bit = std::uint64_t{1} << (l % 64);
      states[l] = static_cast<std::uint8_t>(lowest + random.below(2u * half));
      if (random.chance(0.2)) states[l] = random.chance(0.5) ? 127 : 128;
      const bool padding = l + 20 > 64 * words, truth = random.chance(0.5);
      if (padding) states[l] = std::min<std::uint8_t>(states[l], 127);
      // A clause that gets a dense pass with an example is true: its included literals are.
      if (!padding) (truth || states[l] >= 128 ? truths : falsehoods)[l / 64] |= bit;
      if (states[l] >= 128) included[l / 64] |= bit;
      if (states[l] >= 128 || random.chance(0.1)) hot[l / 64] |= bit;
    }
    std::vector<std::uint8_t> expected(states.data(), states.data() + 64 * words);
    std::vector<std::uint64_t> included_after(words);
    for (std::size_t l = 0; l < expected.size(); ++l) {
      const auto bit = [&](const std::vector<std::uint64_t>& v) { return ((v[l / 64] >> (l % 64)) & 1) != 0; };
      const bool reward = kind == DenseKind::kRewardAll || kind == DenseKind::kRewardSome;
      const std::uint8_t draw = draw8(key, static_cast<std::uint32_t>(l));
      int down = bit(hot) ? 0 : count(owed, draw);
      if (reward && bit(falsehoods)) down = count(bit(hot) ? one : owed_and_one, draw);
      int state = std::max<int>(expected[l] - down, lowest);
      const std::uint8_t again =
          static_cast<std::uint8_t>(draw32(key, kRewardDraws + static_cast<std::uint32_t>(l / 4)) >> (8 * (l % 4)));
      if (kind == DenseKind::kRewardAll && bit(truths)) ++state;
      if (kind == DenseKind::kRewardSome && bit(truths) && count(one, again) == 0) ++state;
      if (kind == DenseKind::kIncludeMore && bit(falsehoods)) ++state;
      expected[l] = static_cast<std::uint8_t>(std::min<int>(state, highest));
      included_after[l / 64] |= static_cast<std::uint64_t>(expected[l] >= 128) << (l % 64);
    }
    const std::vector<std::uint64_t> before = included;
    const bool any =
        GetParam()->dense_pass({kind, states.data(), words, truths.data(), falsehoods.data(), hot.data(),
                                included.data(), flips.data(), key, lowest, highest, &owed, &owed_and_one, &one});
    ASSERT_EQ(std::vector<std::uint8_t>(states.data(), states.data() + 64 * words), expected) << "trial " << trial;
    ASSERT_EQ(included, included_after);
    bool expected_any = false;
    for (std::size_t w = 0; w < words; ++w) {
      ASSERT_EQ(flips[w], before[w] ^ included[w]);
      expected_any |= flips[w] != 0;
    }
    ASSERT_EQ(any, expected_any);
  }
}

TEST_P(KernelsTest, SelectComparesEveryHalfWord) {
  TestRandom random(7);
  for (const std::uint32_t threshold : {0u, 1u, 777u, 32767u, 32768u, 32769u, 65535u, 65536u}) {
    const DrawKey key = draw_key(random());
    std::vector<std::uint64_t> out(5);
    GetParam()->select(key, threshold, out.size(), out.data());
    for (std::uint32_t j = 0; j < 64 * out.size(); ++j) {
      ASSERT_EQ((out[j / 64] >> (j % 64)) & 1, draw16(key, j) < threshold)
          << "threshold " << threshold << ", slot " << j;
    }
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
}  // namespace falsum
