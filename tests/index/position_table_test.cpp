#include "index/position_table.h"

#include <gtest/gtest.h>

#include <map>

#include "random_data.h"

namespace falsum::position_table_test {
namespace {

template <class Id>
void follow_a_map(std::uint64_t seed, std::size_t literals) {
  PositionTable<Id> table;
  std::map<std::size_t, std::size_t> twin;
  TestRandom random(seed);
  for (int step = 0; step < 100000; ++step) {
    const std::size_t l = random.below(literals);
    const std::size_t position = random.below(60000);
    const bool grow = random.chance(step / 10000 % 2 == 0 ? 0.8 : 0.2);
    if (twin.count(l) == 0 && grow) {
      table.insert(l, position, literals);
      twin[l] = position;
    } else if (twin.count(l) != 0 && !grow) {
      table.erase(l, literals);
      twin.erase(l);
    } else if (twin.count(l) != 0) {
      table.assign(l, position);
      twin[l] = position;
    }
    ASSERT_EQ(table.size(), twin.size());
    const std::size_t other = random.below(literals);
    ASSERT_EQ(table.find(other), twin.count(other) ? static_cast<Id>(twin[other]) : PositionTable<Id>::kNone) << step;
  }
  for (const auto& [l, position] : twin) ASSERT_EQ(table.find(l), position);
}

TEST(PositionTable, IsAMapInDisguiseWhateverItsDensity) {
  for (const std::size_t literals : {4, 50, 2000, 40000}) {
    follow_a_map<std::uint16_t>(literals, literals);
    follow_a_map<std::uint32_t>(literals + 1, literals);
  }
}

TEST(PositionTable, GivesMemoryBackWhenItEmpties) {
  PositionTable<std::uint16_t> table;
  for (std::size_t l = 0; l < 784; ++l) table.insert(l, 1, 1568);
  EXPECT_LE(table.bytes(), 1568 * 2u) << "never more than the paper's full row";
  for (std::size_t l = 20; l < 784; ++l) table.erase(l, 1568);
  EXPECT_LE(table.bytes(), 300u);
}

}  // namespace
}  // namespace falsum::position_table_test
