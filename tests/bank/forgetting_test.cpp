#include "bank/forgetting.h"

#include <gtest/gtest.h>

#include <cmath>

namespace falsum::forgetting_test {
namespace {

/// The mean and P(at least one) of the count after `events`, exact over the byte, averaged over dithers of many keys.
struct Law {
  double mean = 0, any = 0;
};
Law law(const Forgetting& forgetting, std::uint32_t events, std::uint64_t keys) {
  Law sum;
  for (std::uint64_t k = 0; k < keys; ++k) {
    Decrements d;
    forgetting.decrements(events, child(77, k), d);
    double mean = d.always, any = d.always > 0 ? 1 : (d.size > 0 ? d.value[0] / 256.0 : 0);
    for (std::uint32_t i = 0; i < d.size; ++i) mean += d.value[i] / 256.0;
    sum.mean += mean / static_cast<double>(keys);
    sum.any += any / static_cast<double>(keys);
  }
  return sum;
}

TEST(Forgetting, ActsAsGivenForSpecificitiesFromOneToAThousand) {
  for (const double s : {1.0, 1.5, 2.0, 3.9, 10.0, 27.0, 64.0, 100.0, 317.3, 1000.0}) {
    const Forgetting forgetting(s);
    for (const std::uint32_t events : {1u, 2u, 7u, 30u}) {
      constexpr std::uint64_t kKeys = 200000;
      const Law found = law(forgetting, events, kKeys);
      // Dither adds at most half a step of 1/256 per threshold; its mean over the keys is this uncertain.
      const double noise = 5 * 0.5 / 256 * std::sqrt(static_cast<double>(events + 1)) / std::sqrt(kKeys);
      EXPECT_NEAR(found.mean, events / s, 1e-4 * events / s + noise) << "s " << s << ", events " << events;
      EXPECT_NEAR(found.any, 1 - std::pow(1 - 1 / s, events), 1e-4 + noise) << "s " << s << ", events " << events;
    }
  }
}

TEST(Forgetting, TheDecrementRateIsExactToAMillionth) {
  for (const double s : {1.0, 3.9, 10.0, 100.0, 1000.0}) {
    const Forgetting forgetting(s);
    double sum = 0;
    for (std::uint32_t dither = 0; dither < 1 << 24; ++dither) sum += forgetting.once(dither);
    EXPECT_NEAR(sum / 0x1.0p32 * s, 1, 1e-6) << "s " << s;
  }
}

TEST(Forgetting, TailsAreThoseOfTheBinomialLaw) {
  const double s = 10;
  const Forgetting forgetting(s);
  for (const std::uint32_t events : {0u, 1u, 5u, 50u, 255u, 256u}) {
    // Average threshold k over dithers estimates 256 * P(at least k).
    std::vector<double> tail(256, 0.0);
    constexpr int kKeys = 20000;
    for (int k = 0; k < kKeys; ++k) {
      Decrements d;
      forgetting.decrements(events, child(5, static_cast<std::uint64_t>(k)), d);
      for (std::uint32_t i = 0; i < d.always; ++i) tail[i] += 1.0 / kKeys;
      for (std::uint32_t i = 0; i < d.size; ++i) tail[d.always + i] += d.value[i] / 256.0 / kKeys;
    }
    double at_least = 1, probability = std::pow(1 - 1 / s, events);
    for (std::uint32_t k = 1; k <= std::min(events, 60u); ++k) {
      at_least -= probability;
      probability *= (events - k + 1) / static_cast<double>(k) / (s - 1);
      EXPECT_NEAR(tail[k - 1], at_least, 5 * 0.5 / 256 / std::sqrt(kKeys) + 1e-6)
          << events << " events, at least " << k;
    }
  }
}

TEST(Forgetting, SpecificityOneAlwaysForgets) {
  const Forgetting forgetting(1);
  Decrements d;
  forgetting.decrements(9, 12, d);
  EXPECT_EQ(d.always, 9u);
  EXPECT_EQ(d.size, 0u);
  EXPECT_EQ(forgetting.once(0), 256u);
  EXPECT_EQ(forgetting.once((1 << 24) - 1), 256u);
}

TEST(Forgetting, NoEventsDecrementNothing) {
  const Forgetting forgetting(3.9);
  Decrements d;
  forgetting.decrements(0, ~std::uint64_t{0}, d);
  EXPECT_EQ(d.always, 0u);
  EXPECT_EQ(d.size, 0u);
}

}  // namespace
}  // namespace falsum::forgetting_test
