// The options of patches as numbers: "10x10".
#include "falsum/patches.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "falsum/error.h"
#include "model/patch_options.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {
namespace {

constexpr std::size_t kLongest = 1 << 20;  // side of an image

/// The numbers of "28x28x1"; none if it is anything else.
std::vector<std::size_t> sides(std::string_view text) {
  std::vector<std::size_t> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    std::size_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number == 0 || number > kLongest || numbers.size() == 3) return {};
    numbers.push_back(number);
    if (next == end) return numbers;
    if (*next != 'x') return {};
    at = next + 1;
  }
}

std::vector<std::size_t> read(std::string_view name, std::string_view text, std::size_t least, std::size_t most,
                              std::string_view form) {
  std::vector<std::size_t> numbers = sides(text);
  if (numbers.size() < least || numbers.size() > most) {
    throw ConfigError(fmt::format("{} must be {}, each from 1 to {}, got \"{}\"", name, form, kLongest, text));
  }
  return numbers;
}

}  // namespace

void check_patch_options(const Options& options) {
  std::vector<std::size_t> image, patch;
  if (!options.image.empty()) {
    image = read("image", options.image, 2, 3, "rows x columns or rows x columns x channels, as 28x28 or 32x32x3");
  }
  if (!options.patch.empty()) patch = read("patch", options.patch, 2, 2, "rows x columns, as 10x10");
  read("stride", options.stride, 2, 2, "rows x columns, as 1x1");
  if (image.empty() || patch.empty()) return;
  if (patch[0] > image[0] || patch[1] > image[1]) {
    throw ConfigError(
        fmt::format("patch must be at most the image, which is {}x{}, got {}", image[0], image[1], options.patch));
  }
}

std::optional<PatchShape> patch_shape(const Options& options) {
  check_patch_options(options);
  if (options.patch.empty()) {
    if (!options.image.empty())
      throw ConfigError(fmt::format("image needs a patch, got image {} alone", options.image));
    if (options.stride != Options().stride) {
      throw ConfigError(fmt::format("stride must be {} without a patch, got {}", Options().stride, options.stride));
    }
    return std::nullopt;
  }
  if (options.image.empty()) {
    throw ConfigError(fmt::format("patch {} needs the size of the image, as image 28x28", options.patch));
  }
  const std::vector<std::size_t> image = sides(options.image), patch = sides(options.patch),
                                 stride = sides(options.stride);
  const PatchShape shape = {.image_rows = image[0],
                            .image_columns = image[1],
                            .channels = image.size() == 3 ? image[2] : 1,
                            .rows = patch[0],
                            .columns = patch[1],
                            .row_stride = stride[0],
                            .column_stride = stride[1]};
  for (const std::size_t features : {shape.image_features(), shape.features()}) {  // sides are below 2^20
    if (features > kMaxFeatures) {
      throw ConfigError(fmt::format("image and patch must have at most {} features, got {}", kMaxFeatures, features));
    }
  }
  return shape;
}

std::vector<std::string> patch_feature_names(const PatchShape& shape) {
  std::vector<std::string> names;
  for (std::size_t t = 1; t < shape.down(); ++t) names.push_back(fmt::format("patch row >= {}", t));
  for (std::size_t t = 1; t < shape.across(); ++t) names.push_back(fmt::format("patch column >= {}", t));
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t c = 0; c < shape.columns; ++c) {
      for (std::size_t z = 0; z < shape.channels; ++z) {
        names.push_back(fmt::format("pixel {},{}", r, c) + (shape.channels > 1 ? fmt::format(",{}", z) : ""));
      }
    }
  }
  return names;
}

std::size_t clause_features(const Options& options, std::size_t features) {
  const std::optional<PatchShape> shape = patch_shape(options);
  if (!shape) return features;
  if (shape->image_features() != features) {
    throw ConfigError(fmt::format("image must have as many bits as the data have features, which is {}, got {} with {}",
                                  features, options.image, shape->image_features()));
  }
  return shape->features();
}

}  // namespace falsum
