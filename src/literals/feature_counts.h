// FeatureCounts: how often each feature is true in the training data. Prediction engines choose their layout by it: a
// literal that is nearly always false should cost nothing unless it is true. Only speed depends on the counts, never a
// vote, so the first rows are enough.
#pragma once

#include <cstdint>
#include <vector>

#include "literals/in_order.h"
#include "literals/row_features.h"
#include "support/bytes.h"

namespace falsum {

class FeatureCounts {
 public:
  explicit FeatureCounts(std::size_t features) : counts_(features) {}

  /// Counts whole calls only, so that the counts do not depend on how an epoch was divided.
  void add(const Rows& rows) {
    if (samples_ >= kEnough) return;
    samples_ += rows.rows();
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      will_need_next(rows, r);
      for_each_feature(rows, r, [&](std::size_t k) { ++counts_[k]; });
    }
  }

  /// In 1/65535 of the samples; empty when there were none.
  std::vector<std::uint16_t> shares() const {
    std::vector<std::uint16_t> shares;
    if (samples_ == 0) return shares;
    shares.reserve(counts_.size());
    for (const std::uint64_t n : counts_) {
      shares.push_back(static_cast<std::uint16_t>((n * 65535 + samples_ / 2) / samples_));
    }
    return shares;
  }

  void write(ByteWriter& writer) const {
    writer.varint(samples_);
    for (const std::uint64_t n : counts_) writer.varint(n);
  }
  void read(ByteReader& reader) {
    samples_ = reader.varint();
    for (std::uint64_t& n : counts_) {
      n = reader.varint();
      if (n > samples_ || samples_ > 0xffffffffffff) reader.fail("it counts more true features than samples");
    }
  }

 private:
  static constexpr std::uint64_t kEnough = 65536;
  std::uint64_t samples_ = 0;
  std::vector<std::uint64_t> counts_;
};

}  // namespace falsum
