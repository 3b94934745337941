#include "data/data_files.h"
#include "data/formats.h"

namespace falsum::load_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;

using Texts = std::vector<std::string>;

TEST(Load, MissingEmptyAndUnknownFilesAreNamed) {
  const Folder folder;
  expect_error<FileError>([&] { load_source(folder / "none.csv"); }, {"none.csv", "No such file"});
  expect_error<DataError>([&] { load_source(folder.file("e.csv", "")); }, {"e.csv is empty"});
  expect_error<FileError>([&] { load_source(folder.file("b", std::string_view("\1\0\2\3", 4))); },
                          {"IDX, CSV, SVMlight, NPY and NPZ"});
  expect_error<FileError>([&] { load_source(folder.file("x.npy", "text")); }, {"does not begin like a NPY file"});
  expect_error<FileError>([&] { load_source(folder.file("x.npz", "text")); }, {"does not begin like a zip file"});
  expect_error<FileError>([&] { load_source(folder.path().string()); }, {"it is a folder"});
}

TEST(Load, TextOfUnknownNameIsSvmlightOrCsvByContent) {
  const Folder folder;
  EXPECT_TRUE(std::holds_alternative<SparseRows>(load_source(folder.file("a.txt", "1 1:1\n")).values));
  EXPECT_TRUE(std::holds_alternative<Columns>(load_source(folder.file("b.txt", "1,2\n3,4\n")).values));
}

TEST(Load, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(parse_number(" +1.5e3 "), 1500);
  EXPECT_EQ(parse_number("-0"), 0);
  EXPECT_EQ(parse_number("1e-999"), 0);
  for (const char* text : {"", " ", "+", "-", "1x", "x1", "1,5", "+-1", "--1", "0x10", "1 2"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(Labels, NumbersAreOrderedAsNumbersAndTextAsText) {
  EXPECT_EQ(distinct_labels({"10", "9", "-1", "9"}), (Texts{"-1", "9", "10"}));
  EXPECT_EQ(distinct_labels({"10", "9", "x", "9"}), (Texts{"10", "9", "x"}));
  EXPECT_EQ(distinct_labels({}), Texts{});
}

TEST(Labels, EncodingFollowsTheNames) {
  Source source;
  source.values = BitMatrix(3, 1);
  source.labels = {"b", "a", "b"};
  EXPECT_EQ(encode_labels(source, {"a", "b"}), (std::vector<std::uint32_t>{1, 0, 1}));
}

TEST(Labels, UnseenLabelIsNamedWithItsRow) {
  Source source;
  source.values = BitMatrix(2, 1);
  source.labels = {"a", "c"};
  source.origin = "t.csv";
  expect_error<DataError>([&] { encode_labels(source, {"a", "b"}); }, {"t.csv", "row 1", "\"c\"", "a, b"});
  source.labels.pop_back();
  expect_error<DataError>([&] { encode_labels(source, {"a", "b"}); }, {"2 rows and 1 labels"});
}

}  // namespace
}  // namespace falsum::load_test
