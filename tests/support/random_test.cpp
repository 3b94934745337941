#include "support/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace falsum {
namespace {

// A chi-square statistic over n cells has mean n-1 and standard deviation sqrt(2(n-1)); 5 of those is one in 10^6.
double chi_square_excess(const std::vector<double>& cells) {
  double total = 0;
  for (const double c : cells) total += c;
  const double expected = total / static_cast<double>(cells.size());
  double chi = 0;
  for (const double c : cells) chi += (c - expected) * (c - expected) / expected;
  const double freedom = static_cast<double>(cells.size()) - 1;
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(Random, BytesOfOnePassAreUniform) {
  std::vector<double> cells(256);
  for (std::uint64_t event = 0; event < 2000; ++event) {
    const DrawKey key = event_key(use_key(class_key(1, 0), event), 7);
    for (std::uint32_t l = 0; l < 1568; ++l) ++cells[draw8(key, l)];
  }
  EXPECT_LT(std::abs(chi_square_excess(cells)), 5);
}

TEST(Random, TheSameLiteralsBytesInConsecutiveEventsAreIndependent) {
  std::vector<double> pairs(256);  // top four bits of one event's byte against the next one's
  for (std::uint64_t event = 0; event < 200000; ++event) {
    const std::uint64_t use = use_key(class_key(1, 3), event), next = use_key(class_key(1, 3), event + 1);
    const std::uint32_t a = draw8(event_key(use, 5), 11) >> 4, b = draw8(event_key(next, 5), 11) >> 4;
    ++pairs[16 * a + b];
  }
  EXPECT_LT(std::abs(chi_square_excess(pairs)), 5);
}

TEST(Random, NeighbouringClausesDrawIndependently) {
  std::vector<double> pairs(256);
  const std::uint64_t use = use_key(class_key(9, 0), 1);
  for (std::uint32_t clause = 0; clause < 200000; ++clause) {
    ++pairs[16 * (draw8(event_key(use, clause), 2) >> 4) + (draw8(event_key(use, clause + 1), 2) >> 4)];
  }
  EXPECT_LT(std::abs(chi_square_excess(pairs)), 5);
}

TEST(Random, NeighbouringWordsOfATableAreIndependent) {
  std::vector<double> pairs(256);
  for (std::uint32_t k = 0; k < 500; ++k) {
    const DrawKey key = draw_key(child(5, k));
    for (std::uint32_t i = 0; i < 400; ++i) ++pairs[16 * (draw32(key, i) >> 28) + (draw32(key, i + 1) >> 28)];
  }
  EXPECT_LT(std::abs(chi_square_excess(pairs)), 5);
}

TEST(Random, EveryBitOfAWordIsFair) {
  std::vector<double> ones(32);
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t word =
        draw32(draw_key(child(3, static_cast<std::uint64_t>(i) / 100)), static_cast<std::uint32_t>(i % 100));
    for (int b = 0; b < 32; ++b) ones[b] += (word >> b) & 1;
  }
  for (int b = 0; b < 32; ++b) EXPECT_NEAR(ones[b] / kDraws, 0.5, 5 * 0.5 / std::sqrt(kDraws)) << "bit " << b;
}

TEST(Random, ASeedOfZeroIsAsGoodAsAnyOther) {
  EXPECT_NE(class_key(0, 0), 0u);
  EXPECT_NE(class_key(0, 0), class_key(0, 1));
  EXPECT_NE(class_key(0, 0), class_key(1, 0));
}

TEST(Random, BoundedCoversItsRangeEvenly) {
  std::vector<double> cells(9);
  for (std::uint64_t i = 0; i < 90000; ++i) {
    const std::uint64_t x = bounded(child(1, i), 9);
    ASSERT_LT(x, 9u);
    ++cells[x];
  }
  EXPECT_LT(std::abs(chi_square_excess(cells)), 5);
}

TEST(Random, MultiplyHighIsTheUpperHalfOfTheProduct) {
  EXPECT_EQ(multiply_high(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(multiply_high(1ull << 63, 2), 1u);
  EXPECT_EQ(multiply_high(0xffffffffull, 0xffffffffull), 0u);
  EXPECT_EQ(multiply_high(0x123456789abcdef0ull, 0xfedcba9876543210ull), 0x121fa00ad77d7422ull);
}

}  // namespace
}  // namespace falsum
