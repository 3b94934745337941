// RowPatches: a row of data as literals, patch by patch; a row of a model without patches is its only patch.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "falsum/model.h"
#include "literals/literal_row.h"
#include "literals/patch_row.h"

namespace falsum {

class RowPatches {
 public:
  explicit RowPatches(const std::optional<PatchShape>& shape, std::size_t features)
      : features_(features), row_(shape ? 0 : features) {
    if (shape) patch_.emplace(*shape);
  }

  std::size_t count() const { return patch_ ? patch_->shape().patches() : 1; }
  /// Packed, or the list of true features. The row must stay valid until the next call.
  void assign(std::span<const std::uint64_t> row) {
    if (!patch_) return row_.assign(row);
    image_ = row;
  }
  void assign(std::span<const std::uint32_t> row) {
    if (!patch_) return row_.assign(row);
    packed_.assign(words_for(features_), 0);
    for (const std::uint32_t k : row) packed_[k / 64] |= std::uint64_t{1} << (k % 64);
    image_ = packed_;
  }
  const LiteralRow& literals(std::size_t patch) { return patch_ ? patch_->of(image_, patch) : row_; }

 private:
  std::size_t features_;
  LiteralRow row_;
  std::optional<PatchRow> patch_;
  std::span<const std::uint64_t> image_;
  std::vector<std::uint64_t> packed_;
};

}  // namespace falsum
