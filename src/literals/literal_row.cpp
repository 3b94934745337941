#include "literals/literal_row.h"

#include <cassert>

namespace falsum {

void LiteralRow::assign(std::span<const std::uint64_t> features) {
  const std::size_t n = features.size();
  assert(n == words_for(features_));
  const std::size_t shift = features_ % 64;
  // Bits past the last feature must be off in both halves, and the negated half starts `shift` bits into
  // the word that the features end in.
  const std::uint64_t last = shift == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << shift) - 1;
  const std::size_t base = features_ / 64;
  for (std::size_t w = 0; w < words(); ++w) truths_[w] = falsehoods_[w] = 0;
  for (std::size_t w = 0; w < n; ++w) {
    const std::uint64_t used = w + 1 == n ? last : ~std::uint64_t{0};
    const std::uint64_t yes = features[w] & used, no = ~features[w] & used;
    truths_[w] |= yes;
    falsehoods_[w] |= no;
    truths_[base + w] |= no << shift;
    falsehoods_[base + w] |= yes << shift;
    if (shift != 0 && base + w + 1 < words()) {
      truths_[base + w + 1] |= no >> (64 - shift);
      falsehoods_[base + w + 1] |= yes >> (64 - shift);
    }
  }
}

void LiteralRow::assign(std::span<const std::uint32_t> present) {
  const auto set = [](std::vector<std::uint64_t>& words, std::size_t first, std::size_t last) {
    for (std::size_t w = first / 64; 64 * w < last; ++w) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (64 * w < first) bits &= ~std::uint64_t{0} << (first % 64);
      if (64 * w + 64 > last) bits &= (std::uint64_t{1} << (last % 64)) - 1;
      words[w] |= bits;
    }
  };
  for (std::size_t w = 0; w < words(); ++w) truths_[w] = falsehoods_[w] = 0;
  set(falsehoods_, 0, features_);
  set(truths_, features_, 2 * features_);
  for (const std::size_t k : present) {
    for (const std::size_t l : {k, features_ + k}) {
      truths_[l / 64] ^= std::uint64_t{1} << (l % 64);
      falsehoods_[l / 64] ^= std::uint64_t{1} << (l % 64);
    }
  }
}

}  // namespace falsum
