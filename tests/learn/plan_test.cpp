#include "learn/plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "random_data.h"

namespace falsum::plan_test {
namespace {

using ByClass = std::vector<Uses>;

std::vector<std::uint32_t> labels_of(std::size_t samples, std::size_t classes, std::uint64_t seed) {
  TestRandom random(seed);
  std::vector<std::uint32_t> labels(samples);
  for (std::uint32_t& label : labels) label = static_cast<std::uint32_t>(random.below(classes));
  return labels;
}

Plan plan_of(std::uint64_t seed, std::uint64_t epoch, const std::vector<std::uint32_t>& labels, std::size_t classes) {
  Options options;
  options.seed = seed;
  return Plan(options, epoch, labels, classes);
}

ByClass all_uses(std::uint64_t seed, std::uint64_t epoch, const std::vector<std::uint32_t>& labels,
                 std::size_t classes) {
  ByClass uses;
  plan_of(seed, epoch, labels, classes).uses(0, labels.size(), uses);
  return uses;
}

TEST(Plan, EverySampleIsForItsOwnClassAndAgainstOneOther) {
  EXPECT_TRUE(rc::check("for any labels", [](std::uint64_t seed) {
    const auto classes = *rc::gen::inRange<std::size_t>(2, 12);
    const auto samples = *rc::gen::inRange<std::size_t>(0, 300);
    const std::vector<std::uint32_t> labels = labels_of(samples, classes, seed);
    const ByClass uses = all_uses(seed, 3, labels, classes);
    RC_ASSERT(uses.size() == classes);
    std::vector<int> for_own(samples), against_other(samples);
    for (std::uint32_t c = 0; c < classes; ++c) {
      RC_ASSERT(uses[c].targets.size() == uses[c].size());
      for (std::size_t i = 0; i < uses[c].size(); ++i) {
        const std::uint32_t row = uses[c].rows[i];
        RC_ASSERT(row < samples);
        RC_ASSERT(uses[c].targets[i] == (labels[row] == c ? 1 : 0));
        ++(uses[c].targets[i] == 1 ? for_own : against_other)[row];
      }
    }
    RC_ASSERT(for_own == std::vector<int>(samples, 1));
    RC_ASSERT(against_other == std::vector<int>(samples, 1));
  }));
}

TEST(Plan, CutIntoChunksItIsTheSameSequenceOfUses) {
  EXPECT_TRUE(rc::check("for any cuts", [](std::uint64_t seed) {
    const std::vector<std::uint32_t> labels = labels_of(200, 5, seed);
    const Plan plan = plan_of(seed, 0, labels, 5);
    ByClass joined(5), chunk = {{{7}, {1}, {}, {}}};  // what was in it goes
    for (std::size_t first = 0; first < labels.size();) {
      const auto last = first + *rc::gen::inRange<std::size_t>(1, labels.size() - first + 1);
      plan.uses(first, last, chunk);
      for (std::size_t c = 0; c < 5; ++c) {
        for (std::size_t i = 0; i < chunk[c].size(); ++i) joined[c].add(chunk[c].rows[i], chunk[c].targets[i]);
      }
      first = last;
    }
    const ByClass whole = all_uses(seed, 0, labels, 5);
    for (std::size_t c = 0; c < 5; ++c) {
      RC_ASSERT(joined[c].rows == whole[c].rows);
      RC_ASSERT(joined[c].targets == whole[c].targets);
    }
  }));
}

/// The samples of class 0, with their targets: enough to tell plans apart.
std::vector<std::uint32_t> trace(std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::uint32_t> trace;
  const ByClass uses = all_uses(seed, epoch, labels_of(100, 3, 1), 3);
  for (std::size_t i = 0; i < uses[0].size(); ++i) {
    trace.push_back(2 * uses[0].rows[i] + static_cast<std::uint32_t>(uses[0].targets[i]));
  }
  return trace;
}

TEST(Plan, EveryEpochAndEverySeedHasAnOrderOfItsOwn) {
  EXPECT_EQ(trace(1, 0), trace(1, 0));
  EXPECT_NE(trace(1, 0), trace(1, 1));
  EXPECT_NE(trace(1, 0), trace(2, 0));
}

TEST(Plan, AllPlacesAndAllOtherClassesAreEquallyLikely) {
  constexpr std::size_t kSamples = 10, kClasses = 5;
  constexpr int kEpochs = 20000;
  const std::vector<std::uint32_t> labels(kSamples, 2);  // so the uses of class 2 are the order
  int first_place[kSamples] = {}, against[kClasses] = {};
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    const ByClass uses = all_uses(11, static_cast<std::uint64_t>(epoch), labels, kClasses);
    ++first_place[uses[2].rows.front()];
    for (std::size_t c = 0; c < kClasses; ++c) against[c] += c == 2 ? 0 : static_cast<int>(uses[c].size());
  }
  // 6 standard deviations of a binomial.
  for (const int count : first_place) EXPECT_NEAR(count, kEpochs / 10, 6 * 43);
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (c == 2) continue;
    EXPECT_NEAR(against[c], kEpochs * 10 / 4, 6 * 194) << c;
  }
  EXPECT_EQ(against[2], 0);
}

}  // namespace
}  // namespace falsum::plan_test
