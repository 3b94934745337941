#include "evaluate/fuzzy_lookahead.h"

#include <algorithm>
#include <bit>

#include "support/bits.h"

namespace falsum {

FuzzyBlock::FuzzyBlock(std::size_t features)
    : features_(features), words_(words_for(features)), rows_(kSamples * words_) {}

void FuzzyBlock::fill(std::span<const std::uint32_t> order, const Rows& rows) {
  order_ = order;
  has_columns_ = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t* const to = rows_.data() + words_ * i;
    if (rows.is_sparse()) {
      std::fill_n(to, words_, 0);
      for (const std::uint32_t feature : rows.sparse(order[i])) to[feature / 64] |= std::uint64_t{1} << (feature % 64);
    } else {
      std::copy_n(rows.packed(order[i]).data(), words_, to);
    }
  }
}

void FuzzyBlock::transpose(const Kernels& kernels) {
  if (columns_.size() == 0) {
    columns_ = AlignedArray<std::uint64_t>(8 * (features_ + 2));
    std::fill_n(columns_.data() + 8 * features_, 8, ~std::uint64_t{0});
  }
  kernels.slice_features(rows_.data(), words_, size(), features_, columns_.data());
  has_columns_ = true;
}

void FuzzyLookahead::Ids::clear() {
  ids_.clear();
  size_ = 0;
}

void FuzzyLookahead::Ids::add(std::uint32_t id, std::uint32_t filler) {
  if (size_ == ids_.size()) ids_.resize(size_ + 8, filler);
  ids_[size_++] = id;
}

void FuzzyLookahead::Ids::remove(std::uint32_t id, std::uint32_t filler) {
  *std::find(ids_.begin(), ids_.end(), id) = ids_[--size_];
  ids_[size_] = filler;
  if (size_ % 8 == 0) ids_.resize(size_);
}

FuzzyLookahead::FuzzyLookahead(const FuzzyBank& bank, const Options& options)
    : bank_(bank),
      threshold_(static_cast<std::uint64_t>(options.threshold)),
      lists_(bank.clauses()),
      most_votes_(bank.clauses()) {
  const auto votes = static_cast<std::uint64_t>(options.fuzzy);
  value_planes_ = std::max(4u, static_cast<std::uint32_t>(std::bit_width(votes - 1)));
  planes_ = static_cast<std::uint32_t>(std::bit_width(bank.features() + (std::uint64_t{1} << value_planes_)));
  sum_planes_ = static_cast<std::uint32_t>(std::bit_width(bank.clauses() / 2 * votes + threshold_)) + 1;
  sum_planes_ = std::max(sum_planes_, value_planes_ + 1);
  counters_ = AlignedArray<std::uint64_t>(8 * (planes_ + 1) * bank.clauses());
  sums_ = AlignedArray<std::uint64_t>(std::size_t{8} * sum_planes_);
  truths_ = AlignedArray<std::uint64_t>(8 * bank.clauses());
}

std::uint64_t FuzzyLookahead::bytes() const {
  std::uint64_t ids = 0;
  for (const Lists& lists : lists_) ids += lists.positive.padded() + lists.negated.padded();
  return 4 * ids + 8 * (counters_.size() + sums_.size() + truths_.size());
}

void FuzzyLookahead::rebuild(std::size_t clause) {
  Lists& lists = lists_[clause];
  lists.positive.clear();
  lists.negated.clear();
  const std::uint64_t* const bits = bank_.included(clause);
  for_each_bit(bits, bank_.words(), [&](std::size_t k) { lists.positive.add(static_cast<std::uint32_t>(k), ones()); });
  for_each_bit(bits + bank_.words(), bank_.words(),
               [&](std::size_t k) { lists.negated.add(static_cast<std::uint32_t>(k), zeros()); });
  lists.stale = false;
}

void FuzzyLookahead::count(std::size_t clause, const Kernels& kernels) {
  const Lists& lists = lists_[clause];
  most_votes_[clause] = bank_.most_votes(clause);
  const std::uint64_t start = (std::uint64_t{1} << value_planes_) - static_cast<std::uint64_t>(most_votes_[clause]);
  kernels.fuzzy_count(block_->columns(),
                      {lists.positive.data(), lists.negated.data(), lists.positive.padded(), lists.negated.padded()},
                      start, planes_, counters(clause));
  counted_ += lists.positive.padded() + lists.negated.padded();
}

void FuzzyLookahead::vote(std::size_t clause, bool add, const Kernels& kernels) {
  const bool is_for = clause < bank_.clauses() / 2;
  kernels.fuzzy_vote(counters(clause), planes_, value_planes_, add == is_for, sum_planes_, sums_.data(),
                     truths_.data() + 8 * clause);
}

void FuzzyLookahead::begin(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels) {
  block_ = &block;
  std::copy_n(labels, 8, labels_);
  for (std::size_t w = 0; w < 8; ++w) {
    const std::size_t left = block.size() - std::min(block.size(), 64 * w);
    inside_[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  std::fill_n(sums_.data(), sums_.size(), 0);
  for (std::size_t c = 0; c < bank_.clauses(); ++c) {
    if (lists_[c].stale) rebuild(c);
    count(c, kernels);
    vote(c, true, kernels);
  }
  refresh(kernels);
}

void FuzzyLookahead::refresh(const Kernels& kernels) {
  kernels.fuzzy_active(sums_.data(), sum_planes_, threshold_, labels_, active_);
  for (std::size_t w = 0; w < 8; ++w) active_[w] &= inside_[w];
}

std::size_t FuzzyLookahead::active() const { return count_bits(active_, 8); }

std::size_t FuzzyLookahead::next_active(std::size_t from) const {
  for (std::size_t w = from / 64; w < 8; ++w) {
    const std::uint64_t bits = w == from / 64 ? active_[w] >> (from % 64) << (from % 64) : active_[w];
    if (bits != 0) return 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return block_->size();
}

std::int64_t FuzzyLookahead::votes(std::size_t sample) const {
  const std::uint64_t* const word = sums_.data() + sample / 64;
  std::uint64_t votes = 0;
  for (std::uint32_t p = 0; p < sum_planes_; ++p) votes |= ((word[8 * p] >> (sample % 64)) & 1) << p;
  const std::uint32_t unused = 64 - sum_planes_;  // the top plane is the sign
  return static_cast<std::int64_t>(votes << unused) >> unused;
}

void FuzzyLookahead::flipped(std::size_t clause, FuzzyBank::Flips flips, const Kernels& kernels) {
  Lists& lists = lists_[clause];
  const std::uint64_t* const included = bank_.included(clause);
  std::size_t count = 0;
  for (const RisenWord& flip : flips) count += static_cast<std::size_t>(std::popcount(flip.bits));
  // Counting anew takes as long as about a quarter of the literals do one by one.
  const bool anew =
      4 * count > lists.positive.size() + lists.negated.size() + 16 || bank_.most_votes(clause) != most_votes_[clause];
  vote(clause, false, kernels);
  if (anew && 2 * count > lists.positive.size() + lists.negated.size()) {
    rebuild(clause);
  } else {
    for (const RisenWord& flip : flips) {
      const bool negated = flip.word >= bank_.words();
      const std::size_t first = 64 * (flip.word - (negated ? bank_.words() : 0));
      const std::uint32_t filler = negated ? zeros() : ones();
      Ids& ids = negated ? lists.negated : lists.positive;
      for_each_bit(flip.bits, first, [&](std::size_t feature) {
        const bool joins = ((included[flip.word] >> (feature % 64)) & 1) != 0;
        const auto id = static_cast<std::uint32_t>(feature);
        joins ? ids.add(id, filler) : ids.remove(id, filler);
        if (!anew) {
          kernels.fuzzy_flip(block_->columns() + 8 * feature, negated, joins, planes_, counters(clause));
        }
      });
    }
  }
  if (anew) this->count(clause, kernels);
  vote(clause, true, kernels);
}

}  // namespace falsum
