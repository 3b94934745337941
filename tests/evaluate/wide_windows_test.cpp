// Literals of neighbouring pixels that are joined.
#include "evaluate/wide_windows.h"

#include <gtest/gtest.h>

#include <set>

#include "random_data.h"

namespace falsum::wide_windows_test {
namespace {

/// The literals that a pixel of a table stands for.
void expand(const PatchShape& shape, const PixelLiteral& pixel, std::set<std::uint32_t>& out) {
  if (pixel.table < 2) {
    const std::size_t feature = (pixel.row * shape.columns + pixel.column) * shape.channels + pixel.channel;
    out.insert(static_cast<std::uint32_t>(shape.position_features() + feature + pixel.table * shape.features()));
    return;
  }
  const auto& [of, down, right] = kPixelJoins[pixel.table - 2];
  const auto column = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(pixel.column) + right);
  ASSERT_LT(column, shape.columns);
  expand(shape, {pixel.row, pixel.column, pixel.channel, of}, out);
  expand(shape, {pixel.row + down, column, pixel.channel, of}, out);
}

TEST(WideWindows, JoinedPixelsAreTheLiteralsOfTheClause) {
  TestRandom random(3);
  const PatchShape shapes[] = {{28, 28, 1, 10, 10, 1, 1}, {9, 7, 3, 4, 5, 2, 1}, {1, 50, 1, 1, 9, 1, 1}};
  for (const PatchShape& shape : shapes) {
    for (const double share : {0.05, 0.3, 0.9}) {
      std::vector<std::uint32_t> literals;
      std::set<std::uint32_t> wanted;
      for (std::uint32_t l = 0; l < 2 * shape.features(); ++l) {
        if (!random.chance(share)) continue;
        literals.push_back(l);
        if (l % shape.features() >= shape.position_features()) wanted.insert(l);
      }
      std::size_t before = literals.size() + 1;
      for (const std::size_t tables : {std::size_t{2}, kLeastPixelTables, kMostPixelTables}) {
        const std::vector<PixelLiteral> joined = joined_pixels(shape, literals, tables);
        std::set<std::uint32_t> found;
        for (const PixelLiteral& pixel : joined) {
          EXPECT_LT(pixel.table, tables);
          std::set<std::uint32_t> some;
          expand(shape, pixel, some);
          EXPECT_EQ(some.size(), pixel.pixels());
          EXPECT_EQ(*some.begin() >= shape.features(), pixel.negated());
          found.merge(some);
        }
        EXPECT_EQ(found, wanted);
        EXPECT_LE(joined.size(), before);
        before = joined.size();
      }
    }
  }
}

}  // namespace
}  // namespace falsum::wide_windows_test
