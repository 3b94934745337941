// The section that says how often features are true is optional, and its tag says so (FINDINGS 6.3). Falsum 0.1.0 wrote
// it with a capital.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "falsum/machine.h"
#include "falsum/model.h"

namespace falsum::truths_tag_test {
namespace {

std::string golden(const std::string& name) {
  std::ifstream file(std::string(FALSUM_SOURCE_DIR) + "/tests/golden/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has_tag(const std::string& bytes, const std::string& tag) {
  for (std::size_t at = 16; at + 20 <= bytes.size();) {
    if (bytes.compare(at, 4, tag) == 0) return true;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      length |= std::uint64_t{static_cast<std::uint8_t>(bytes[at + 4 + i])} << (8 * i);
    }
    at += 20 + length;
  }
  return false;
}

TEST(TruthsTag, OfOldModelsIsReadAndWrittenWithASmallLetter) {
  const std::string old = golden("model_v1.fsm");
  ASSERT_TRUE(has_tag(old, "TRUE"));
  const Model model = Model::from_bytes(old);
  EXPECT_EQ(model.truth_shares().size(), model.features());
  const std::string written = model.to_bytes();
  EXPECT_TRUE(has_tag(written, "true"));
  EXPECT_FALSE(has_tag(written, "TRUE"));
  EXPECT_EQ(Model::from_bytes(written).truth_shares(), model.truth_shares());
}

TEST(TruthsTag, OfOldCheckpointsIsReadAndWrittenWithASmallLetter) {
  const std::string old = golden("checkpoint_v1_ordered.fsc");
  ASSERT_TRUE(has_tag(old, "TRUE"));
  const Machine machine = Machine::from_checkpoint(old, {});
  EXPECT_FALSE(machine.model().truth_shares().empty());
  const std::string written = machine.checkpoint();
  EXPECT_TRUE(has_tag(written, "true"));
  EXPECT_FALSE(has_tag(written, "TRUE"));
  EXPECT_EQ(Machine::from_checkpoint(written, {}).model().truth_shares(), machine.model().truth_shares());
}

}  // namespace
}  // namespace falsum::truths_tag_test
