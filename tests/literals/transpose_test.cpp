#include "literals/transpose.h"

#include <gtest/gtest.h>

#include <array>

#include "random_data.h"

namespace falsum {
namespace {

TEST(Transpose, RowsBecomeColumns) {
  TestRandom random(1);
  std::array<std::uint64_t, 64> before, after;
  for (std::uint64_t& word : before) word = random();
  after = before;
  transpose64(after.data());
  for (int r = 0; r < 64; ++r) {
    for (int c = 0; c < 64; ++c) ASSERT_EQ((after[c] >> r) & 1, (before[r] >> c) & 1) << r << "," << c;
  }
}

}  // namespace
}  // namespace falsum
