#include "data/data_files.h"

namespace falsum::idx_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;
using testing_data::gzip;
using testing_data::idx;

const std::string kPixels("\x00\x40\x80\xff\x01\x02\x03\x04\x05\x06\x07\x08", 12);

TEST(Idx, ImagesComeWithTheirLabels) {
  const Folder folder;
  folder.file("train-labels-idx1-ubyte", idx({2}, "\x07\x03"));
  const Source source = load_source(folder.file("train-images-idx3-ubyte", idx({2, 2, 3}, kPixels)));
  const auto& images = std::get<GreyImages>(source.values);
  EXPECT_EQ(images.rows, 2u);
  EXPECT_EQ(images.pixels, 6u);
  EXPECT_EQ(images.values[3], 255);
  EXPECT_EQ(source.image_width, 3u);
  EXPECT_EQ(source.labels, (std::vector<std::string>{"7", "3"}));
  EXPECT_EQ(source.origin, "train-images-idx3-ubyte");
}

/// Two images of CIFAR-10: their classes, then planes of colours.
std::string cifar() {
  std::string bytes;
  for (const char label : {'\3', '\7'}) {
    bytes += label;
    for (const char colour : {'\x0a', '\x14', '\x1e'}) {
      std::string plane(1024, colour);
      plane[33] = static_cast<char>(plane[33] + label);  // row 1, column 1
      bytes += plane;
    }
  }
  return bytes;
}

TEST(Cifar, TheColoursOfAPixelAreNeighbours) {
  const Folder folder;
  for (const std::string& path :
       {folder.file("data_batch_1.bin", cifar()), folder.file("test_batch.bin.gz", gzip(cifar()))}) {
    const Source source = load_source(path);
    const auto& images = std::get<GreyImages>(source.values);
    EXPECT_EQ(images.rows, 2u);
    EXPECT_EQ(images.pixels, 3072u);
    EXPECT_EQ(source.image_width, 0u);
    EXPECT_EQ(source.labels, (std::vector<std::string>{"3", "7"}));
    EXPECT_EQ((std::vector<std::uint8_t>(images.values.begin(), images.values.begin() + 4)),
              (std::vector<std::uint8_t>{10, 20, 30, 10}));
    EXPECT_EQ(images.values[3072 + 3 * 33 + 2], 37);
  }
}

TEST(Cifar, ADamagedFileIsRefused) {
  const Folder folder;
  const std::string bytes = cifar();
  expect_error<FileError>([&] { load_source(folder.file("a_batch.bin", bytes.substr(1))); },
                          {"a_batch.bin is damaged", "3073 bytes for each image", "6145"});
  expect_error<FileError>([&] { load_source(folder.file("b_batch.bin", "\x0a" + bytes.substr(1))); },
                          {"image 0 has class 10, expected 0 to 9"});
  expect_error<DataError>([&] { load_source(folder.file("c_batch.bin", "")); }, {});
}

TEST(Idx, EitherFileMayBeGzip) {
  for (const bool images_gz : {false, true}) {
    for (const bool labels_gz : {false, true}) {
      const Folder folder;
      const std::string labels = idx({2}, "\x07\x03"), images = idx({2, 2, 3}, kPixels);
      folder.file(labels_gz ? "t-labels-idx1-ubyte.gz" : "t-labels-idx1-ubyte", labels_gz ? gzip(labels) : labels);
      const Source source = load_source(
          folder.file(images_gz ? "t-images-idx3-ubyte.gz" : "t-images-idx3-ubyte", images_gz ? gzip(images) : images));
      EXPECT_EQ(source.labels.size(), 2u);
    }
  }
}

TEST(Idx, PlainNamesFindTheirLabelsToo) {
  const Folder folder;
  folder.file("my-labels.idx", idx({2}, "\x01\x02"));
  EXPECT_EQ(load_source(folder.file("my-images.idx", idx({2, 6}, kPixels))).labels[0], "1");
}

TEST(Idx, FlatImagesHaveNoWidth) {
  const Folder folder;
  LoadOptions options;
  options.labelled = false;
  const Source source = load_source(folder.file("x", idx({2, 6}, kPixels)), options);
  EXPECT_EQ(source.image_width, 0u);
  EXPECT_TRUE(source.labels.empty());
}

TEST(Idx, ImagesOfZeroAndOneAreBits) {
  const Folder folder;
  LoadOptions options;
  options.labelled = false;
  const Source source = load_source(folder.file("x", idx({2, 2, 2}, std::string_view("\0\1\1\0\0\0\0\1", 8))), options);
  const auto& bits = std::get<BitMatrix>(source.values);
  EXPECT_TRUE(bits.get(0, 1) && bits.get(0, 2) && bits.get(1, 3));
  EXPECT_FALSE(bits.get(0, 0));
  EXPECT_EQ(source.image_width, 2u);
}

TEST(Idx, SizesThatDoNotMatchTheFileAreRefused) {
  const Folder folder;
  LoadOptions options;
  options.labelled = false;
  const auto load = [&](const std::string& bytes) {
    return [&folder, &options, bytes] { load_source(folder.file("x-images", bytes), options); };
  };
  expect_error<FileError>(load(idx({2, 2, 3}, kPixels.substr(1))), {"x-images", "promises 12 values and 11 follow"});
  expect_error<FileError>(load(idx({2, 2, 3}, kPixels + "x")), {"promises 12 values and 13 follow"});
  expect_error<FileError>(load(idx({2, 2, 3}, "").substr(0, 9)), {"ends in its IDX header"});
  expect_error<FileError>(load(idx({0xffffffff, 0xffffffff}, kPixels)), {"promises 18446744065119617025"});
  expect_error<DataError>(load(idx({0xffffffff, 0xffffffff, 0xffffffff}, kPixels)), {"too large"});
  expect_error<DataError>(load(idx({0, 2, 3}, "")), {"has no rows"});
  expect_error<DataError>(load(idx({3, 0}, "")), {"has no features"});
}

TEST(Idx, OtherTypesAndDimensionsAreRefused) {
  const Folder folder;
  std::string floats = idx({2, 6}, kPixels);
  floats[2] = 0x0d;
  expect_error<DataError>([&] { load_source(folder.file("f", floats)); }, {"IDX type 0x0d", "0x08"});
  expect_error<DataError>([&] { load_source(folder.file("l", idx({12}, kPixels))); }, {"1 dimension"});
}

TEST(Idx, WrongMagicIsRefused) {
  const Folder folder;
  std::string bytes = idx({2, 2, 3}, kPixels);
  bytes[1] = 1;
  expect_error<FileError>([&] { load_source(folder.file("train-images-idx3-ubyte", bytes)); },
                          {"does not begin like an IDX file"});
}

TEST(Idx, MissingLabelsAreNamed) {
  const Folder folder;
  const std::string path = folder.file("a-images-idx3-ubyte", idx({2, 2, 3}, kPixels));
  expect_error<FileError>([&] { load_source(path); },
                          {"no labels for", "a-labels-idx1-ubyte", "a-labels-idx1-ubyte.gz"});
  expect_error<FileError>(
      [&] {
        load_source(folder.file("pictures", idx({2, 2, 3}, kPixels)));
      },
      {"`images` in its name"});
}

TEST(Idx, LabelsOfAnotherNumberAreRefused) {
  const Folder folder;
  folder.file("a-labels-idx1-ubyte", idx({3}, "\x07\x03\x01"));
  const std::string path = folder.file("a-images-idx3-ubyte", idx({2, 2, 3}, kPixels));
  expect_error<DataError>([&] { load_source(path); }, {"3 labels for the 2 images"});
  folder.file("a-labels-idx1-ubyte", idx({2, 1}, "\x07\x03"));
  expect_error<DataError>([&] { load_source(path); }, {"2 dimensions; labels have 1"});
}

TEST(Idx, TruncatedGzipIsRefused) {
  const Folder folder;
  const std::string bytes = gzip(idx({2, 2, 3}, kPixels));
  const std::string path = folder.file("a-images-idx3-ubyte.gz", bytes.substr(0, bytes.size() - 5));
  expect_error<FileError>([&] { load_source(path); }, {"a-images-idx3-ubyte.gz", "truncated"});
}

}  // namespace
}  // namespace falsum::idx_test
