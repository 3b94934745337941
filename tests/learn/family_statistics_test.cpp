// Every law of the family against the textbook machine (textbook_statistics.h), each alone and all together: 165
// comparisons. With the 72 of forgetting_statistics_test.cpp a sound library fails one change of its draws in 220.
// `make statistics` has a tail that is nearly normal, one in 147,000: its 213 comparisons fail one change in 690.
#include <gtest/gtest.h>

#include "random_data.h"
#include "textbook_statistics.h"

namespace falsum::family_statistics_test {
namespace {

using textbook_statistics::compare_machines;
using textbook_statistics::Data;
using textbook_statistics::Slice;

constexpr int kSeeds = 60, kEpochs = 2;
constexpr std::size_t kRows = 250, kFeatures = 12, kClasses = 4, kLabels = 3;

Slice slice_of(Task task, std::uint64_t seed) {
  const RandomData data(seed, kRows, kFeatures, kClasses);
  TestRandom noise(seed + 100);
  BitMatrix labels(kRows, kLabels);
  std::vector<double> numbers;
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool a = data.rows.get(r, 0), b = data.rows.get(r, 3), c = data.rows.get(r, 6);
    const bool apply[kLabels] = {a != b, b && c, a || c};
    for (std::size_t o = 0; o < kLabels; ++o) {
      if (apply[o] != noise.chance(0.1)) labels.set(r, o);
    }
    numbers.push_back(10 * a + 20 * b + 15 * (b && c) + static_cast<double>(noise.below(10)));
  }
  if (task == Task::kMultilabel) return {data.rows, labels};
  if (task == Task::kRegression) return {data.rows, numbers};
  return {data.rows, data.labels};
}

void compare(const Options& options, int epochs = kEpochs) {
  const std::size_t outputs = options.task == Task::kRegression   ? 1
                              : options.task == Task::kMultilabel ? kLabels
                                                                  : kClasses;
  compare_machines(options, {slice_of(options.task, 1), slice_of(options.task, 2), outputs}, epochs, kSeeds);
}

Options base(std::int64_t threshold = 10) {
  Options options;
  options.clauses = 20;
  options.threshold = threshold;
  options.specificity = 3.9;
  return options;
}

Options regression() {
  Options options = base(60);
  options.task = Task::kRegression;
  options.weighted = true;
  return options;
}

Options labels() {
  Options options = base();
  options.task = Task::kMultilabel;
  options.negative_share = 0.5;
  return options;
}

Options shared() {
  Options options = base(20);
  options.shared = true;
  return options;
}

TEST(FamilyStatisticsSlow, Weights) {
  Options options = base(40);
  options.weighted = true;
  compare(options);
}

TEST(FamilyStatisticsSlow, WeightsUpToALimit) {
  Options options = base(40);
  options.max_weight = 4;
  compare(options);
}

// Ours are rounded to 256ths of a vote, the textbook's are real numbers.
TEST(FamilyStatisticsSlow, SlowWeights) {
  Options options = base();
  options.weight_growth = 0.02;
  compare(options);
}

TEST(FamilyStatisticsSlow, RangeOfS) {
  Options options = base();
  options.specificity = 1.5;
  options.specificity_to = 9;
  compare(options);
}

TEST(FamilyStatisticsSlow, LiteralBudget) {
  Options options = base();
  options.max_literals = 3;
  compare(options);
}

TEST(FamilyStatisticsSlow, DroppedClauses) {
  Options options = base();
  options.drop_clauses = 0.4;
  compare(options);
}

TEST(FamilyStatisticsSlow, DroppedLiterals) {
  Options options = base();
  options.drop_literals = 0.3;
  compare(options);
}

// In most epochs none is: forgetting that waits must not wait for an epoch in which some are.
TEST(FamilyStatisticsSlow, FewDroppedLiterals) {
  Options options = base();
  options.drop_literals = 0.02;
  compare(options);
}

TEST(FamilyStatisticsSlow, SharedClauses) { compare(shared()); }

// Learning soon hides how they began.
TEST(FamilyStatisticsSlow, FirstWeights) { compare(shared(), 0); }

TEST(FamilyStatisticsSlow, SharedClausesFocused) {
  Options options = shared();
  options.negatives = Negatives::kFocused;
  options.threshold = 8;  // so that classes differ in T + votes
  compare(options);
}

TEST(FamilyStatisticsSlow, SeveralLabels) { compare(labels()); }

TEST(FamilyStatisticsSlow, SeveralLabelsShared) {
  Options options = labels();
  options.shared = true;
  compare(options);
}

TEST(FamilyStatisticsSlow, SquaredError) { compare(regression()); }

TEST(FamilyStatisticsSlow, LinearError) {
  Options options = regression();
  options.error = ErrorLaw::kLinear;
  compare(options);
}

// With few votes for the whole range it shows how numbers are rounded.
TEST(FamilyStatisticsSlow, FewVotes) {
  Options options = regression();
  options.threshold = 8;
  options.weighted = false;
  options.error = ErrorLaw::kLinear;
  compare(options);
}

TEST(FamilyStatisticsSlow, Together) {
  Options options = base(20);
  options.weighted = true;
  options.specificity_to = 8;
  options.max_literals = 5;
  options.drop_clauses = 0.2;
  options.drop_literals = 0.1;
  options.boost = false;
  compare(options);
}

}  // namespace
}  // namespace falsum::family_statistics_test
