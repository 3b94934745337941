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
  std::uint64_t* const truths = truths_.data();
  std::uint64_t* const falsehoods = falsehoods_.data();
  for (std::size_t w = 0; w < base; ++w) {
    truths[w] = features[w];
    falsehoods[w] = ~features[w];
  }
  // The bits already in the current word: the last features, then the end of the previous negations.
  std::uint64_t truth = shift == 0 ? 0 : features[base] & last, falsehood = shift == 0 ? 0 : ~features[base] & last;
  for (std::size_t w = 0; w < n; ++w) {
    const std::uint64_t used = w + 1 == n ? last : ~std::uint64_t{0};
    const std::uint64_t yes = features[w] & used, no = ~features[w] & used;
    truths[base + w] = truth | no << shift;
    falsehoods[base + w] = falsehood | yes << shift;
    truth = shift == 0 ? 0 : no >> (64 - shift);
    falsehood = shift == 0 ? 0 : yes >> (64 - shift);
  }
  if (base + n < words()) {
    truths[base + n] = truth;
    falsehoods[base + n] = falsehood;
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
