#include <gtest/gtest.h>

#include "data/data_files.h"
#include "data/formats.h"

namespace falsum::labels_test {
namespace {

using testing_data::expect_error;

using Texts = std::vector<std::string>;

LabelKind kind_of(Texts labels) {
  Texts notes;
  return settle_labels(labels, notes);
}

Source labelled(Texts labels) {
  Source source;
  source.values = BitMatrix(labels.size(), 1);
  source.labels = std::move(labels);
  source.origin = "t.csv";
  return source;
}

TEST(LabelKinds, AreWhatAllLabelsHaveInCommon) {
  EXPECT_EQ(kind_of({"0", "1", "-12"}), LabelKind::kInteger);
  EXPECT_EQ(kind_of({"0.5", "1", "2"}), LabelKind::kReal);
  EXPECT_EQ(kind_of({"True", "False"}), LabelKind::kBoolean);
  EXPECT_EQ(kind_of({"yes", "no"}), LabelKind::kText);
  EXPECT_EQ(kind_of({"1", "x"}), LabelKind::kText);
  EXPECT_EQ(kind_of({"1", "true"}), LabelKind::kText);
  EXPECT_EQ(kind_of({"01", "02"}), LabelKind::kText) << "codes keep their zeros";
  EXPECT_EQ(kind_of({}), LabelKind::kText);
}

TEST(LabelKinds, OneValueInSeveralSpellingsIsOneClassAndSaid) {
  Texts labels = {"1", "1.0", "01", "0", "0.0"}, notes;
  EXPECT_EQ(settle_labels(labels, notes), LabelKind::kInteger);
  EXPECT_EQ(labels, (Texts{"1", "1", "1", "0", "0"}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("one class"), std::string::npos);
  labels = {"true", "TRUE", "False"};
  notes.clear();
  EXPECT_EQ(settle_labels(labels, notes), LabelKind::kBoolean);
  EXPECT_EQ(labels, (Texts{"True", "True", "False"}));
}

TEST(LabelKinds, NumbersThatADoubleWouldRoundStayApart) {
  Texts labels = {"9007199254740993", "9007199254740992"}, notes;
  EXPECT_EQ(settle_labels(labels, notes), LabelKind::kText);
  EXPECT_EQ(distinct_labels(labels).size(), 2u);
  EXPECT_TRUE(notes.empty());
}

TEST(LabelKinds, LabelsOfNumbersAreComparedByValueAndOthersAsText) {
  const auto ids = [](Texts labels, const Texts& names, LabelKind kind) {
    return encode_labels(labelled(std::move(labels)), names, kind);
  };
  EXPECT_EQ(ids({"1.0", "+0", "1"}, {"0", "1"}, LabelKind::kInteger), (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(ids({"TRUE", "1", "false"}, {"False", "True"}, LabelKind::kBoolean), (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_EQ(ids({"01", "1"}, {"01", "1"}, LabelKind::kText), (std::vector<std::uint32_t>{0, 1}));
  expect_error<DataError>([&] { ids({"01", "1.0"}, {"01", "1"}, LabelKind::kText); }, {"row 1", "\"1.0\""});
  expect_error<DataError>([&] { ids({"2"}, {"0", "1"}, LabelKind::kInteger); }, {"row 0", "\"2\"", "0, 1"});
}

}  // namespace
}  // namespace falsum::labels_test
