// UseRows: the uses of a class as literals, made when they are asked for. Most uses late in learning get no feedback,
// and an engine that looks ahead evaluates them without ever seeing them one by one.
#pragma once

#include <cstdint>
#include <span>

#include "literals/literal_row.h"
#include "literals/sample_rows.h"

namespace falsum {

enum class Target : std::uint8_t { kNegative = 0, kPositive = 1 };

/// One update of a class: with this sample, to make it say yes or no.
struct Use {
  std::uint32_t sample;
  Target target;
};

class UseRows {
 public:
  UseRows(std::span<const Use> uses, const SampleRows& rows) : uses_(uses), rows_(rows), row_(rows.columns()) {}

  std::span<const Use> uses() const { return uses_; }
  bool is_sparse() const { return rows_.is_sparse(); }
  /// Packed features, or the list of those that are true if the rows are sparse.
  std::span<const std::uint64_t> features(std::size_t i) const { return rows_.bits().row(uses_[i].sample); }
  std::span<const std::uint32_t> present(std::size_t i) const { return rows_.sparse().row(uses_[i].sample); }
  /// Valid until the next call for another use.
  const LiteralRow& literals(std::size_t i) {
    if (i != made_ && is_sparse()) row_.assign(present(i));
    if (i != made_ && !is_sparse()) row_.assign(features(i));
    made_ = i;
    return row_;
  }

 private:
  std::span<const Use> uses_;
  SampleRows rows_;
  LiteralRow row_;
  std::size_t made_ = ~std::size_t{0};
};

}  // namespace falsum
