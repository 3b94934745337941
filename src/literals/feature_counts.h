// FeatureCounts: how often each feature is true in the training data. Prediction engines choose their layout by it: a
// literal that is nearly always false should cost nothing unless it is true. Only speed depends on the counts, never a
// vote, so the first rows are enough.
#pragma once

#include <algorithm>
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
    if (rows.form() == Rows::Form::kPacked) return add_packed(rows);
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

  /// Counters of 8 bits for 64 features at a time, in bit planes, for so many rows that none can overflow.
  void add_packed(const Rows& rows) {
    constexpr std::size_t kPlanes = 8, kTogether = (1 << kPlanes) - 1;
    const std::size_t words = rows.words_per_row();
    std::vector<std::uint64_t> planes(kPlanes * words);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      will_need_next(rows, r);
      const std::uint64_t* const row = rows.packed(r).data();
      for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t carry = row[w];
        for (std::size_t p = 0; p < kPlanes; ++p) {
          std::uint64_t& plane = planes[p * words + w];
          const std::uint64_t both = plane & carry;
          plane ^= carry;
          carry = both;
        }
      }
      if (r % kTogether + 1 < kTogether && r + 1 < rows.rows()) continue;
      for (std::size_t p = 0; p < kPlanes; ++p) {
        for_each_bit(planes.data() + p * words, words, [&](std::size_t k) { counts_[k] += std::uint64_t{1} << p; });
      }
      std::fill(planes.begin(), planes.end(), 0);
    }
  }

  std::uint64_t samples_ = 0;
  std::vector<std::uint64_t> counts_;
};

}  // namespace falsum
