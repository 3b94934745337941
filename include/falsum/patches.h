// Patches: the windows of an image that a convolutional machine looks at. Its clauses are about one patch, and a clause
// is true of an image when it is true of at least one of its patches.
//
//   image   rows x columns x channels bits; the bit of (row, column, channel) is feature (row * columns + column) *
//           channels + channel of a row of data
//   patch   a window of all channels; it moves by the stride, and stays inside the image
//
// The features of a patch, in this order: where it lies (bit t of the first part is on when there are more than t
// positions above it, bit t of the second when there are more than t to its left), then its bits as in the image. A
// sequence is an image of one row. If the patch is the whole image, the features of the only patch are those of the
// row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "falsum/options.h"

namespace falsum {

struct PatchShape {
  std::size_t image_rows = 1, image_columns = 1, channels = 1;
  std::size_t rows = 1, columns = 1;
  std::size_t row_stride = 1, column_stride = 1;

  /// Positions of the patch, from top to bottom and from left to right; patch p lies at (p / across(), p % across()).
  std::size_t down() const { return (image_rows - rows) / row_stride + 1; }
  std::size_t across() const { return (image_columns - columns) / column_stride + 1; }
  std::size_t patches() const { return down() * across(); }

  std::size_t position_features() const { return down() - 1 + across() - 1; }
  std::size_t features() const { return position_features() + rows * columns * channels; }
  std::size_t image_features() const { return image_rows * image_columns * channels; }
};

/// No value for a machine without patches. Throws ConfigError for options that do not fit together: a patch without an
/// image, or one that is larger than the image.
std::optional<PatchShape> patch_shape(const Options& options);

/// How many features a clause sees: those of a row, or of a patch. Throws ConfigError if an image has another number of
/// features than a row.
std::size_t clause_features(const Options& options, std::size_t features);

/// "patch row >= 3", "patch column >= 1", "pixel 0,2", or "pixel 0,2,1" if there are several channels.
std::vector<std::string> patch_feature_names(const PatchShape& shape);

}  // namespace falsum
