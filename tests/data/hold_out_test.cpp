#include "falsum/hold_out.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/data_files.h"
#include "falsum/error.h"
#include "random_data.h"

namespace falsum::hold_out_test {
namespace {

using testing_data::expect_error;

std::vector<std::size_t> counts(const std::vector<std::uint32_t>& labels, const std::vector<bool>& held,
                                std::size_t classes) {
  std::vector<std::size_t> of_class(classes);
  for (std::size_t r = 0; r < labels.size(); ++r) of_class[labels[r]] += held[r];
  return of_class;
}

TEST(HoldOut, TheSameShareOfEveryClass) {
  TestRandom random(1);
  std::vector<std::uint32_t> labels(1000);
  for (std::uint32_t& label : labels) label = random.chance(0.1) ? 2 : static_cast<std::uint32_t>(random.below(2));
  std::vector<std::size_t> all = counts(labels, std::vector<bool>(labels.size(), true), 3);
  const std::vector<std::size_t> held = counts(labels, held_out_rows(labels, 0.2, 7), 3);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(held[c], static_cast<std::size_t>(std::llround(0.2 * static_cast<double>(all[c]))));
  }
}

TEST(HoldOut, DependsOnSeedAndLabelsOnlyDeterminism) {
  std::vector<std::uint32_t> labels(200);
  for (std::size_t r = 0; r < labels.size(); ++r) labels[r] = r % 3 == 0;
  const std::vector<bool> held = held_out_rows(labels, 0.1, 42);
  EXPECT_EQ(held, held_out_rows(labels, 0.1, 42));
  EXPECT_NE(held, held_out_rows(labels, 0.1, 43));
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (held[r]) rows.push_back(r);
  }
  // Part of what a checkpoint means: these numbers never change.
  EXPECT_EQ(rows, (std::vector<std::size_t>{8,  16, 27, 30,  31,  38,  41,  49,  66,  72,
                                            85, 88, 92, 113, 117, 119, 129, 153, 157, 158}));
}

TEST(HoldOut, AClassKeepsARowAndAtLeastOneRowIsHeldOut) {
  EXPECT_EQ(counts({0, 1, 1, 2}, held_out_rows(std::vector<std::uint32_t>{0, 1, 1, 2}, 0.9, 1), 3),
            (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(counts({0, 1, 1, 1, 2}, held_out_rows(std::vector<std::uint32_t>{0, 1, 1, 1, 2}, 0.1, 1), 3),
            (std::vector<std::size_t>{0, 1, 0}));
}

TEST(HoldOut, RefusesWhatCannotBe) {
  const std::vector<std::uint32_t> labels = {0, 1};
  expect_error<DataError>([&] { held_out_rows(labels, 0.5, 1); }, {"at least 2 rows"});
  for (const double share : {0.0, 1.0, -0.1, std::nan("")}) {
    expect_error<ConfigError>([&] { held_out_rows(labels, share, 1); }, {"more than 0 and less than 1"});
  }
}

}  // namespace
}  // namespace falsum::hold_out_test
