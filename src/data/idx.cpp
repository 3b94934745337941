// IDX, the format of MNIST: two zero bytes, a type, the number of dimensions, the dimensions as 32-bit
// big-endian numbers, then the values. Images are (n, height, width) or (n, pixels) bytes; their labels
// are a second file beside them: train-images-idx3-ubyte.gz -> train-labels-idx1-ubyte(.gz).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "data/formats.h"
#include "falsum/error.h"
#include "support/file.h"

namespace falsum {
namespace {

struct Idx {
  std::vector<std::uint64_t> shape;
  std::string_view values;
};

std::uint64_t big_endian_32(std::string_view bytes) {
  std::uint64_t v = 0;
  for (int i = 0; i < 4; ++i) v = v << 8 | static_cast<std::uint8_t>(bytes[static_cast<std::size_t>(i)]);
  return v;
}

Idx parse_idx(std::string_view bytes, const std::string& path) {
  if (!looks_like_idx(bytes)) throw FileError(fmt::format("{} is not an IDX file", path));
  if (bytes[2] != 8) {
    throw DataError(fmt::format("{} holds values of IDX type {:#04x}; only unsigned bytes (0x08) are read", path,
                                static_cast<unsigned>(bytes[2])));
  }
  const std::size_t dimensions = static_cast<std::uint8_t>(bytes[3]);
  const std::size_t header = 4 + 4 * dimensions;
  if (bytes.size() < header) throw FileError(fmt::format("{} is truncated: it ends in its IDX header", path));
  Idx idx;
  std::uint64_t size = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    idx.shape.push_back(big_endian_32(bytes.substr(4 + 4 * d)));
    size = checked_product(size, idx.shape.back(), path);
  }
  idx.values = bytes.substr(header);
  if (size != idx.values.size()) {
    throw FileError(fmt::format("{} is damaged: its IDX header ({}) promises {} values and {} follow", path,
                                fmt::join(idx.shape, " x "), size, idx.values.size()));
  }
  return idx;
}

/// Names the labels of `path` could have, most usual first.
std::vector<std::string> label_paths(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::vector<std::string> found;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"images-idx3", "labels-idx1"},
                                 {"images.idx3", "labels.idx1"},
                                 {"images", "labels"}}) {
    const std::size_t at = name.rfind(from);
    if (at == std::string::npos) continue;
    const std::string twin = (path.parent_path() / (name.substr(0, at) + to + name.substr(at + from.size()))).string();
    const bool gz = twin.ends_with(".gz");
    for (const std::string& candidate : {twin, gz ? twin.substr(0, twin.size() - 3) : twin + ".gz"}) {
      if (std::find(found.begin(), found.end(), candidate) == found.end()) found.push_back(candidate);
    }
  }
  return found;
}

std::vector<std::string> load_labels(const std::string& path, std::uint64_t rows) {
  const std::vector<std::string> candidates = label_paths(path);
  for (const std::string& candidate : candidates) {
    if (!std::filesystem::exists(candidate)) continue;
    const std::string bytes = read_file_maybe_gzip(candidate);
    const Idx idx = parse_idx(bytes, candidate);
    if (idx.shape.size() != 1) {
      throw DataError(fmt::format("{} has {} dimensions; labels have 1", candidate, idx.shape.size()));
    }
    if (idx.shape[0] != rows) {
      throw DataError(fmt::format("{} has {} labels for the {} images of {}", candidate, idx.shape[0], rows, path));
    }
    std::vector<std::string> labels;
    labels.reserve(rows);
    for (const char value : idx.values) labels.push_back(std::to_string(static_cast<std::uint8_t>(value)));
    return labels;
  }
  if (candidates.empty()) {
    throw FileError(
        fmt::format("no labels for {}: an IDX file of images needs `images` in its name, "
                    "so that its labels can be found beside it",
                    path));
  }
  throw FileError(fmt::format("no labels for {}: none of {} is there", path, fmt::join(candidates, ", ")));
}

}  // namespace

bool looks_like_idx(std::string_view bytes) {
  if (bytes.size() < 4 || bytes[0] != 0 || bytes[1] != 0) return false;
  return bytes[2] >= 8 && bytes[2] <= 14 && bytes[3] >= 1 && bytes[3] <= 8;
}

Source load_idx(const std::string& bytes, const std::string& path, const LoadOptions& options) {
  const Idx idx = parse_idx(bytes, path);
  if (idx.shape.size() != 2 && idx.shape.size() != 3) {
    throw DataError(fmt::format("{} has {} dimension(s); images have 2 (number, pixels) or 3 (number, height, width)",
                                path, idx.shape.size()));
  }
  const bool flat = idx.shape.size() == 2;
  const std::uint64_t rows = idx.shape[0];
  const std::uint64_t pixels = flat ? idx.shape[1] : checked_product(idx.shape[1], idx.shape[2], path);
  check_size(rows, pixels, path);

  Source source;
  source.image_width = flat ? 0 : static_cast<std::uint32_t>(idx.shape[2]);
  // Images with no value above 1 are bits already; a grey threshold would make them all black. Training decides this: a
  // later batch of almost black images must not be read in another way.
  const auto brightest =
      static_cast<std::uint8_t>(*std::max_element(idx.values.begin(), idx.values.end(), [](char a, char b) {
        return static_cast<std::uint8_t>(a) < static_cast<std::uint8_t>(b);
      }));
  const bool known = options.schema != nullptr && options.schema->format == DataFormat::kIdx;
  source.schema.bits = known ? options.schema->bits : brightest == 1;
  if (source.schema.bits) {
    if (brightest > 1) {
      throw DataError(fmt::format("{} has pixels up to {}, expected 0 and 1 as in training", path, brightest));
    }
    BitMatrix bits(rows, pixels);
    for (std::size_t i = 0; i < idx.values.size(); ++i) {
      if (idx.values[i] != 0) bits.set(i / pixels, i % pixels);
    }
    source.values = std::move(bits);
  } else {
    const auto* first = reinterpret_cast<const std::uint8_t*>(idx.values.data());
    source.values = GreyImages{rows, pixels, {first, first + idx.values.size()}};
  }
  if (options.labelled) source.labels = load_labels(path, rows);
  return source;
}

}  // namespace falsum
