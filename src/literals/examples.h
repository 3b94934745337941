// Examples: the coming rows of a learner, in order, converted to literals on demand. Late in learning most uses get no
// feedback, and an engine that looks ahead evaluates them without converting them one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "falsum/rows.h"
#include "literals/literal_row.h"

namespace falsum {

class Examples {
 public:
  /// Example i is row order[i]; the rows are packed or sparse. Both must outlive the examples.
  Examples(std::span<const std::uint32_t> order, const Rows& rows) : order_(order), rows_(rows), row_(rows.columns()) {
    will_need(0, kAskedAhead);
  }

  /// Rows of a file larger than the memory are asked for this many examples before they are used.
  static constexpr std::size_t kAskedAhead = 256;
  void will_need(std::size_t first, std::size_t count) const {
    if (first < size()) rows_.will_need(order_.subspan(first, std::min(count, size() - first)));
  }

  std::size_t size() const { return order_.size(); }
  bool is_sparse() const { return rows_.is_sparse(); }
  /// Packed features, or the list of true features if the rows are sparse.
  std::span<const std::uint64_t> features(std::size_t i) const { return rows_.packed(order_[i]); }
  std::span<const std::uint32_t> present(std::size_t i) const { return rows_.sparse(order_[i]); }
  /// Packed features, whatever form the rows have; valid until the next call for another example.
  std::span<const std::uint64_t> packed(std::size_t i) {
    if (!is_sparse()) return features(i);
    if (i != packed_ || sparse_as_words_.empty()) {
      sparse_as_words_.assign(words_for(rows_.columns()), 0);
      for (const std::uint32_t k : present(i)) sparse_as_words_[k / 64] |= std::uint64_t{1} << (k % 64);
      packed_ = i;
    }
    return sparse_as_words_;
  }
  /// Valid until the next call for another example.
  const LiteralRow& literals(std::size_t i) {
    if (i != made_ && is_sparse()) row_.assign(present(i));
    if (i != made_ && !is_sparse()) row_.assign(features(i));
    made_ = i;
    return row_;
  }

 private:
  std::span<const std::uint32_t> order_;
  Rows rows_;
  LiteralRow row_;
  std::size_t made_ = ~std::size_t{0}, packed_ = ~std::size_t{0};
  std::vector<std::uint64_t> sparse_as_words_;  // example packed_
};

}  // namespace falsum
