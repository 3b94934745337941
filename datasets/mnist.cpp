// The MNIST images inside the program; tools/make_embedded_mnist.py describes their layout, LICENSE-MNIST their
// licence.
#include <zstd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "data/provider.h"
#include "falsum/datasets.h"
#include "falsum/error.h"

extern "C" const unsigned char falsum_mnist_begin[];
extern "C" const std::uint64_t falsum_mnist_size;

namespace falsum {
namespace {

constexpr std::size_t kTrain = 60000, kTest = 10000, kPixels = 784, kRowBytes = kPixels / 8;

Source load_mnist(Split split) {
  std::string bytes((kTrain + kTest) * (kRowBytes + 1), '\0');
  const std::size_t size = ZSTD_decompress(bytes.data(), bytes.size(), falsum_mnist_begin, falsum_mnist_size);
  if (size != bytes.size()) throw FileError("the MNIST images inside this program are damaged: build it again");

  const std::size_t first = split == Split::kTrain ? 0 : kTrain;
  const std::size_t rows = split == Split::kTrain ? kTrain : kTest;
  const std::string_view labels = std::string_view(bytes).substr((kTrain + kTest) * kRowBytes);
  BitMatrix bits(rows, kPixels);
  Source source;
  source.labels.reserve(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::string_view image = std::string_view(bytes).substr((first + r) * kRowBytes, kRowBytes);
    for (std::size_t b = 0; b < kRowBytes; ++b) {
      bits.row(r)[b / 8] |= std::uint64_t{static_cast<std::uint8_t>(image[b])} << (8 * (b % 8));
    }
    source.labels.push_back(std::to_string(labels[first + r]));
  }
  source.values = std::move(bits);
  source.image_width = 28;
  return source;
}

}  // namespace

void use_builtin_datasets() { set_mnist_provider(load_mnist); }

}  // namespace falsum
