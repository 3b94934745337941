#include "support/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace falsum::random_test {
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
    const DrawKey key = dense_key(event_key(use_key(class_key(1, 0), event), 7));
    for (std::uint32_t l = 0; l < 1568; ++l) ++cells[draw8(key, l)];
  }
  EXPECT_LT(std::abs(chi_square_excess(cells)), 5);
}

TEST(Random, TheSameLiteralsBytesInConsecutiveEventsAreIndependent) {
  std::vector<double> pairs(256);  // top four bits of one event's byte against the next one's
  for (std::uint64_t event = 0; event < 200000; ++event) {
    const std::uint64_t use = use_key(class_key(1, 3), event), next = use_key(class_key(1, 3), event + 1);
    const std::uint32_t a = draw8(dense_key(event_key(use, 5)), 11) >> 4;
    const std::uint32_t b = draw8(dense_key(event_key(next, 5)), 11) >> 4;
    ++pairs[16 * a + b];
  }
  EXPECT_LT(std::abs(chi_square_excess(pairs)), 5);
}

TEST(Random, NeighbouringClausesDrawIndependently) {
  std::vector<double> pairs(256);
  const std::uint64_t use = use_key(class_key(9, 0), 1);
  for (std::uint32_t clause = 0; clause < 200000; ++clause) {
    ++pairs[16 * (pair_draw(forget_key(event_key(use, clause)), 2) >> 12) +
            (pair_draw(forget_key(event_key(use, clause + 1)), 2) >> 12)];
  }
  EXPECT_LT(std::abs(chi_square_excess(pairs)), 5);
}

// Literals that are a pixel, a row, a power of two, a negation or 65,536 apart draw independently in one event.
TEST(Random, DrawsOfOneEventAreIndependent) {
  for (const std::uint32_t apart : {1u, 2u, 3u, 28u, 64u, 255u, 256u, 784u, 4096u, 5000u, 32768u, 65536u, 131072u}) {
    std::vector<double> pairs(256), low_pairs(256);
    for (std::uint64_t k = 0; k < 200000; ++k) {
      const DrawKey key = draw_key(child(5 + apart, k));
      const std::uint32_t i = static_cast<std::uint32_t>(k % 1000);
      const std::uint32_t a = draw16(key, i), b = draw16(key, i + apart);
      ++pairs[16 * (a >> 12) + (b >> 12)];
      ++low_pairs[16 * ((a >> 4) & 15) + ((b >> 4) & 15)];  // the upper bits of the low bytes
    }
    // Two draws are never equal below 65,536 apart, which moves each cell by less than 1 in 4,000.
    EXPECT_LT(std::abs(chi_square_excess(pairs)), 5) << apart << " apart";
    EXPECT_LT(std::abs(chi_square_excess(low_pairs)), 5) << apart << " apart, low bytes";
  }
}

// How many of 200 hot automata forget in one event: neither steadier nor wilder than chance. A generator that spreads
// its draws too evenly would pass every test of pairs of cells and still make clauses forget in step.
TEST(Random, HowManyLiteralsForgetVariesAsItShould) {
  for (const std::uint32_t stride : {1u, 2u, 7u, 28u, 49u, 256u}) {
    for (const double s : {2.0, 3.9, 10.0, 27.0, 100.0}) {
      constexpr int kEvents = 40000, kLiterals = 200;
      const std::uint32_t once = static_cast<std::uint32_t>(65536 / s);
      const double p = once / 65536.0;
      double sum = 0, squares = 0;
      for (int event = 0; event < kEvents; ++event) {
        const DrawKey key = forget_key(child(stride, static_cast<std::uint64_t>(event)));
        int n = 0;
        for (std::uint32_t i = 0; i < kLiterals; ++i) n += pair_draw(key, stride * i) < once;
        sum += n;
        squares += n * n;
      }
      const double mean = sum / kEvents, variance = squares / kEvents - mean * mean, expected = kLiterals * p * (1 - p);
      EXPECT_NEAR(mean, kLiterals * p, 5 * std::sqrt(expected / kEvents)) << "s " << s << ", stride " << stride;
      const double uncertain = std::sqrt((2 + 1 / expected) / kEvents);  // of a variance, relative to it
      EXPECT_NEAR(variance / expected, 1, 5 * uncertain) << "s " << s << ", stride " << stride;
    }
  }
}

TEST(Random, TheTwoPlacesOfAPairAreHardlyCorrelated) {
  for (const double s : {1.01, 2.0, 3.9, 10.0, 27.0, 100.0, 1000.0}) {
    const auto once = static_cast<std::uint32_t>(65536 / s);
    const double p = once / 65536.0;
    double single = 0, both = 0;
    for (std::uint32_t draw = 0; draw < 65536; ++draw) {  // every draw that a pair can have
      const DrawKey key = {0, 1, 0, 1};
      const bool even = pair_draw(key, 2 * draw) < once, odd = pair_draw(key, 2 * draw + 1) < once;
      single += (even + odd) / 131072.0;
      both += (even && odd) / 65536.0;
    }
    EXPECT_DOUBLE_EQ(single, p) << "s " << s;
    EXPECT_LT(std::abs(both - p * p) / (p * (1 - p)), s < 256 ? 0.008 : s / 60000) << "s " << s;
  }
}

TEST(Random, EveryBitOfADrawIsFair) {
  std::vector<double> ones(16);
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint32_t draw =
        draw16(draw_key(child(3, static_cast<std::uint64_t>(i) / 100)), static_cast<std::uint32_t>(i % 100));
    for (int b = 0; b < 16; ++b) ones[b] += (draw >> b) & 1;
  }
  for (int b = 0; b < 16; ++b) EXPECT_NEAR(ones[b] / kDraws, 0.5, 5 * 0.5 / std::sqrt(kDraws)) << "bit " << b;
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
}  // namespace falsum::random_test
