#include <bit>
#include <cstdlib>
#include <optional>

#include "data/data_files.h"
#include "data/provider.h"
#include "falsum/booleanizer.h"
#include "falsum/datasets.h"

namespace falsum::builtin_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;
using testing_data::idx;

std::uint64_t count_bits(const BitMatrix& bits) {
  std::uint64_t count = 0;
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    for (const std::uint64_t word : bits.row(r)) count += static_cast<std::uint64_t>(std::popcount(word));
  }
  return count;
}

TEST(Builtin, NamesMayCarryASplit) {
  for (const char* name : {"mnist", "mnist:train", "mnist:test", "fashion-mnist", "imdb:test", "noisy-xor"}) {
    EXPECT_TRUE(is_builtin(name)) << name;
  }
  for (const char* name : {"", "mnist:", "mnist:other", "MNIST", "mnist.csv", ":train"}) {
    EXPECT_FALSE(is_builtin(name)) << name;
  }
  expect_error<DataError>([] { load_source("mnist:validation"); }, {"mnist:validation", "train or test"});
}

/// No data set is on this machine as long as this lives, except in `home`.
class BareMachine {
 public:
  explicit BareMachine(const std::string& home) : working_(std::filesystem::current_path()) {
    for (const char* name : {"FALSUM_DATA", "XDG_CACHE_HOME", "HOME"}) {
      const char* const value = std::getenv(name);
      before_.emplace_back(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
      unsetenv(name);
    }
    setenv("HOME", home.c_str(), 1);
  }
  BareMachine(const BareMachine&) = delete;
  BareMachine& operator=(const BareMachine&) = delete;
  ~BareMachine() {
    for (const auto& [name, value] : before_) value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    std::filesystem::current_path(working_);
    use_builtin_datasets();
  }

 private:
  std::filesystem::path working_;
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

void put_tiny_mnist(const Folder& folder, const std::string& where) {
  for (const char* part : {"train", "t10k"}) {
    folder.file(fmt::format("{}/{}-images-idx3-ubyte", where, part), idx({1, 2, 2}, "\x01\xff\x03\x04"));
    folder.file(fmt::format("{}/{}-labels-idx1-ubyte", where, part), idx({1}, "\x09"));
  }
}

// FINDINGS 6.5: the library does not carry MNIST; a program without falsum::datasets is told what to do.
TEST(Builtin, WithoutTheDatasetsLibraryMnistIsFilesOrASentence) {
  const Folder folder;
  const BareMachine machine(folder.path().string());
  set_mnist_provider(nullptr);
  expect_error<FileError>([] { load_source("mnist"); }, {"mnist is neither in this program nor on this machine",
                                                         "falsum::datasets", "falsum::use_builtin_datasets()"});
  EXPECT_FALSE(list_datasets().front().available);
  EXPECT_EQ(list_datasets().front().location, "");

  put_tiny_mnist(folder, ".cache/falsum/mnist");
  EXPECT_TRUE(list_datasets().front().available);
  const Source files = load_source("mnist");
  EXPECT_EQ(files.labels[0], "9");
  EXPECT_EQ(count_bits(Booleanizer::fit(files).transform(files)), 1u);

  use_builtin_datasets();
  EXPECT_EQ(load_source("mnist").rows(), 60000u);
}

// FINDINGS 6.4: what lies beside the current directory is not a place for data.
TEST(Builtin, DataAreNotLookedForBesideTheCurrentDirectory) {
  const Folder folder;
  const BareMachine machine(folder / "home");
  set_mnist_provider(nullptr);
  for (const char* where : {"shared/data/mnist", "shared/data", "data/mnist", "mnist"}) put_tiny_mnist(folder, where);
  folder.file("checkout/README.md", "");
  std::filesystem::current_path(folder / "checkout");
  expect_error<FileError>([] { load_source("mnist"); }, {"neither in this program nor on this machine"});
  setenv("FALSUM_DATA", (folder / "data").c_str(), 1);
  EXPECT_EQ(load_source("mnist").labels[0], "9");
}

TEST(Builtin, MnistIsInsideTheProgram) {
  const Source train = load_source("mnist"), test = load_source("mnist:test");
  EXPECT_EQ(train.origin, "mnist:train");
  EXPECT_EQ(train.rows(), 60000u);
  EXPECT_EQ(test.rows(), 10000u);
  EXPECT_EQ(train.image_width, 28u);
  EXPECT_EQ(distinct_labels(train.labels).size(), 10u);
  EXPECT_EQ(train.labels[0], "5");
  EXPECT_EQ(test.labels[0], "7");
  EXPECT_EQ(count_bits(std::get<BitMatrix>(train.values)), 7123981u);
  EXPECT_EQ(count_bits(std::get<BitMatrix>(test.values)), 1201251u);
}

TEST(Builtin, MnistInsideTheProgramIsThatOfTheIdxFiles) {
  const std::string shared = testing_data::large_data();
  if (!std::filesystem::exists(shared + "/mnist/t10k-images-idx3-ubyte.gz")) {
    GTEST_SKIP() << "the MNIST IDX files are not in the folder FALSUM_DATA";
  }
  const Source bits = load_source("mnist:test");
  const Source grey = load_source(shared + "/mnist/t10k-images-idx3-ubyte.gz");
  EXPECT_EQ(Booleanizer::fit(grey).transform(grey), std::get<BitMatrix>(bits.values));
  EXPECT_EQ(grey.labels, bits.labels);
  EXPECT_EQ(Booleanizer::fit(bits).transform(grey), std::get<BitMatrix>(bits.values));
  EXPECT_EQ(Booleanizer::fit(grey).transform(bits), std::get<BitMatrix>(bits.values));
}

TEST(Builtin, GreyMnistComesFromTheDataDirectory) {
  const Folder folder;
  folder.file("mnist/train-images-idx3-ubyte", idx({1, 2, 2}, "\x01\x02\x03\x04"));
  folder.file("mnist/train-labels-idx1-ubyte", idx({1}, "\x09"));
  folder.file("mnist/t10k-images-idx3-ubyte", idx({1, 2, 2}, "\x05\x06\x07\x08"));
  folder.file("mnist/t10k-labels-idx1-ubyte", idx({1}, "\x08"));
  LoadOptions options;
  options.levels = 4;
  for (const std::string& directory : {folder.path().string(), folder / "mnist", folder / "mnist/"}) {
    options.data_directory = directory;
    EXPECT_EQ(load_source("mnist:train", options).labels[0], "9");
    options.split = Split::kTest;
    EXPECT_EQ(load_source("mnist", options).labels[0], "8");
  }
  EXPECT_EQ(load_source("mnist", options).origin, "mnist:test");
}

TEST(Builtin, MnistIsNotMistakenForFashion) {
  const Folder folder;
  for (const char* part : {"train", "t10k"}) {
    folder.file(fmt::format("mnist/{}-images-idx3-ubyte", part), idx({1, 2, 2}, "\x01\x02\x03\x04"));
    folder.file(fmt::format("mnist/{}-labels-idx1-ubyte", part), idx({1}, "\x09"));
  }
  for (const DatasetInfo& set : list_datasets(folder / "mnist")) {
    if (set.name != "fashion-mnist") continue;
    EXPECT_EQ(set.location.find(folder.path().string()), std::string::npos);
  }
}

TEST(Builtin, LevelsOutOfRangeAreRefused) {
  for (const int levels : {0, 5, -1}) {
    LoadOptions options;
    options.levels = levels;
    expect_error<ConfigError>([&] { load_source("mnist", options); },
                              {"levels must be from 1 to 4", std::to_string(levels)});
  }
}

TEST(Builtin, MissingDataSetSaysHowToGetIt) {
  const Folder folder;
  const BareMachine machine(folder.path().string());
  for (const DatasetInfo& set : list_datasets()) {
    EXPECT_FALSE(set.how_to_get.empty());
    EXPECT_EQ(set.available, !set.location.empty());
  }
  expect_error<FileError>([] { load_source("imdb"); }, {"imdb is not on this machine", "aclImdb"});
}

TEST(Builtin, ImdbIsReadFromItsFolderOfFiles) {
  const Folder folder;
  for (const std::string split : {"train", "test"}) {
    folder.file("aclImdb/" + split + "/pos/1_9.txt", "good " + split);
    folder.file("aclImdb/" + split + "/pos/0_8.txt", "better " + split);
    folder.file("aclImdb/" + split + "/neg/0_2.txt", "bad " + split);
    folder.file("aclImdb/" + split + "/neg/urls.html", "not a review");
  }
  LoadOptions options;
  options.data_directory = folder.path().string();
  const Source source = load_source("imdb:test", options);
  EXPECT_EQ(std::get<Documents>(source.values).texts,
            (std::vector<std::string>{"bad test", "better test", "good test"}));
  EXPECT_EQ(source.labels, (std::vector<std::string>{"neg", "pos", "pos"}));
  std::filesystem::remove_all(folder.path() / "aclImdb/test/neg");
  expect_error<FileError>([&] { load_source("imdb:test", options); }, {"no .txt file", "neg"});
}

TEST(Builtin, ImdbIsReadFromLines) {
  const Folder folder;
  folder.file("imdb_train.tsv", "0\t3\t0\tbad\tfilm\n1\t9\t1\tgood\n");
  folder.file("imdb_test.tsv.gz", testing_data::gzip("2\t3\t0\tbad\n"));
  LoadOptions options;
  options.data_directory = folder.path().string();
  const Source source = load_source("imdb", options);
  EXPECT_EQ(source.labels, (std::vector<std::string>{"neg", "pos"}));
  EXPECT_EQ(std::get<Documents>(source.values).texts[0], "bad\tfilm");
  expect_error<DataError>([&] { load_source("imdb:test", options); }, {"line 1", "0 (negative) or 1", "\"2\""});
  folder.file("imdb_train.tsv", "0\t3\t0\n");
  expect_error<DataError>([&] { load_source("imdb", options); }, {"line 1", "found 3 of the 4"});
}

TEST(Builtin, NoisyXorIsTheSameForTheSameSeed) {
  LoadOptions options;
  const Source once = load_source("noisy-xor", options), again = load_source("noisy-xor", options);
  EXPECT_EQ(std::get<BitMatrix>(once.values), std::get<BitMatrix>(again.values));
  EXPECT_EQ(once.labels, again.labels);
  options.seed = 0;
  EXPECT_NE(std::get<BitMatrix>(load_source("noisy-xor", options).values), std::get<BitMatrix>(once.values));
}

TEST(Builtin, NoisyXorHasNoiseInTrainingOnly) {
  for (const bool train : {true, false}) {
    const Source source = load_source(train ? "noisy-xor:train" : "noisy-xor:test");
    const auto& bits = std::get<BitMatrix>(source.values);
    ASSERT_EQ(bits.rows(), 5000u);
    ASSERT_EQ(bits.columns(), 12u);
    int inverted = 0;
    for (std::size_t r = 0; r < bits.rows(); ++r) {
      inverted += source.labels[r] != (bits.get(r, 0) != bits.get(r, 1) ? "1" : "0");
    }
    if (train) {
      EXPECT_NEAR(inverted, 2000, 175) << "five standard deviations";
    } else {
      EXPECT_EQ(inverted, 0);
    }
    EXPECT_NEAR(static_cast<double>(count_bits(bits)), 30000, 613);
  }
}

TEST(Builtin, LabelsCanBeLeftOut) {
  LoadOptions options;
  options.labelled = false;
  EXPECT_TRUE(load_source("noisy-xor", options).labels.empty());
}

}  // namespace
}  // namespace falsum::builtin_test
