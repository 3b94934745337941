// PatchRow: one patch of an image as literals, made on the fly from the packed bits of the image. Patches are never
// stored: an image of MNIST is 98 bytes, its 361 patches of 10x10 would be 12 KB.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "falsum/patches.h"
#include "literals/literal_row.h"

namespace falsum {

class PatchRow {
 public:
  explicit PatchRow(const PatchShape& shape)
      : shape_(shape), features_(words_for(shape.features())), row_(shape.features()) {}

  const PatchShape& shape() const { return shape_; }
  /// The literals of a patch of a packed image; valid until the next call.
  const LiteralRow& of(std::span<const std::uint64_t> image, std::size_t patch);

 private:
  PatchShape shape_;
  std::vector<std::uint64_t> features_;
  LiteralRow row_;
};

}  // namespace falsum
