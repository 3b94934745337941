// The binary files of CIFAR-10 (data_batch_1.bin, test_batch.bin): for each image its class, a byte from 0 to 9, then
// 32 x 32 values of red, then of green, then of blue. A row of the data has the three values of a pixel side by side,
// so that its image is 32x32x3.
#include <fmt/format.h>

#include <filesystem>

#include "data/formats.h"
#include "falsum/error.h"

namespace falsum {
namespace {

constexpr std::size_t kPixels = 32 * 32, kChannels = 3, kImage = 1 + kPixels * kChannels;
constexpr std::uint8_t kClasses = 10;

}  // namespace

bool is_named_like_cifar(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".xz") name.replace_extension();
  return name.extension() == ".bin" && name.string().find("batch") != std::string::npos;
}

Source load_cifar(const std::string& bytes, const std::string& path, const LoadOptions& options) {
  if (bytes.size() % kImage != 0) {
    throw FileError(fmt::format("{} is damaged: a file of CIFAR-10 has {} bytes for each image, and it has {} bytes",
                                path, kImage, bytes.size()));
  }
  const std::size_t rows = bytes.size() / kImage;
  check_size(rows, kPixels * kChannels, path);
  Source source;
  GreyImages images{rows, kPixels * kChannels, std::vector<std::uint8_t>(rows * kPixels * kChannels)};
  for (std::size_t r = 0; r < rows; ++r) {
    const char* const image = bytes.data() + r * kImage;
    const auto label = static_cast<std::uint8_t>(image[0]);
    if (label >= kClasses) {
      throw FileError(
          fmt::format("{} is damaged: image {} has class {}, expected 0 to {}", path, r, label, kClasses - 1));
    }
    if (options.labelled) source.labels.push_back(std::to_string(label));
    for (std::size_t k = 0; k < kPixels * kChannels; ++k) {
      images.values[(r * kPixels + k % kPixels) * kChannels + k / kPixels] = static_cast<std::uint8_t>(image[1 + k]);
    }
  }
  source.values = std::move(images);
  return source;
}

}  // namespace falsum
