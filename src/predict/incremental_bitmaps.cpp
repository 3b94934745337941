// A flip adds a bitmap to counters and takes another one away: those of the literals that become false and true. Of 512
// clauses the counters are a few bit planes, one after the other, so that both take a few instructions a plane, and the
// clauses that became true or false come out as bits. Only these change votes.
#include "predict/incremental_bitmaps.h"

#include <algorithm>
#include <bit>
#include <span>

#include "kernels/dispatch.h"
#include "support/bits.h"

namespace falsum {
namespace {

constexpr std::size_t kLineWords = 8, kLineClauses = 512;
/// What a plane of a line costs with all that follows, in entries of lists: about four with AVX-512.
constexpr std::size_t kPlaneEntries = 4;

/// Writes the bits that are on and returns the end of what it wrote: three at a time, whether there are so many or not,
/// so that their number is hardly ever a branch. One id more than those must fit.
std::uint32_t* list_bits(std::uint64_t bits, std::uint32_t first, std::uint32_t* to) {
  do {
    for (int i = 0; i < 3; ++i, bits &= bits - 1) {
      *to = first + static_cast<std::uint32_t>(std::countr_zero(bits | std::uint64_t{1} << 63));
      to += bits != 0;
    }
  } while (bits != 0);
  return to;
}

}  // namespace

bool IncrementalIndex::bitmaps_are_faster() const {
  const std::size_t lines = (clauses() + kLineClauses - 1) / kLineClauses;
  const auto planes = static_cast<std::size_t>(std::bit_width(longest_));
  return literals_.size() > kPlaneEntries * planes * lines * features_;  // a flip walks literals / features entries
}

void IncrementalIndex::make_bitmaps() {
  lines_ = std::max<std::size_t>(1, (clauses() + kLineClauses - 1) / kLineClauses);
  planes_ = std::max(2U, static_cast<std::uint32_t>(std::bit_width(longest_)));
  const std::size_t words = words_for(features_);
  bitmaps_.resize(2 * features_ * lines_);
  masks_.resize(2 * words * clauses());
  counters_.resize(lines_ * planes_);
  zero_votes_.assign(outputs_, 0);
  const auto set_count = [&](std::size_t j, std::size_t count) {
    for (std::uint32_t p = 0; p < planes_; ++p) {
      Line& plane = counters_[j / kLineClauses * planes_ + p];
      plane.words[j % kLineClauses / 64] |= std::uint64_t{(count >> p) & 1} << (j % 64);
    }
  };
  for (std::size_t j = 0; j < clauses(); ++j) {
    std::size_t falsehoods = 0;
    for (const std::uint32_t l : literals(j)) {
      const bool negated = l >= features_;
      const std::size_t feature = negated ? l - features_ : l;
      bitmaps_[l * lines_ + j / kLineClauses].words[j % kLineClauses / 64] |= std::uint64_t{1} << (j % 64);
      masks_[(2 * j + negated) * words + feature / 64] |= std::uint64_t{1} << (feature % 64);
      falsehoods += !negated;
    }
    set_count(j, falsehoods);
    for (std::uint64_t i = vote_starts_[j]; falsehoods == 0 && i < vote_starts_[j + 1]; ++i) {
      zero_votes_[votes_[i].output] += votes_[i].votes;
    }
  }
  // Bits that are no clause: never true, nor one literal short.
  for (std::size_t j = clauses(); j < lines_ * kLineClauses; ++j) set_count(j, ~std::size_t{0});
}

bool IncrementalPredictor::Bitmaps::is_true(const IncrementalPredictor& position, std::size_t clause) {
  const IncrementalIndex& index = *position.index_;
  const IncrementalIndex::Line* const planes = position.planes_.data() + clause / kLineClauses * index.planes_;
  std::uint64_t some = 0;
  for (std::uint32_t p = 0; p < index.planes_; ++p) some |= planes[p].words[clause % kLineClauses / 64];
  return ((some >> (clause % 64)) & 1) == 0;
}

void IncrementalPredictor::Bitmaps::flip(IncrementalPredictor& position, std::size_t feature) {
  const IncrementalIndex& index = *position.index_;
  const bool on = position.feature(feature);
  const std::size_t negation = feature + index.features_;
  const std::uint64_t* const falsified = index.bitmaps_[(on ? feature : negation) * index.lines_].words;
  const std::uint64_t* const satisfied = index.bitmaps_[(on ? negation : feature) * index.lines_].words;
  std::uint64_t* const turned = position.turned_.data()->words;
  std::uint64_t* const turned_words = position.turned_[index.lines_].words;
  index.kernels_->step_counters(
      {falsified, satisfied, position.planes_.data()->words, turned, turned_words, index.lines_, index.planes_});
  // Learned clauses turn by the hundred, so nothing in this loop should surprise the processor, nor wait for memory.
  std::uint32_t* end = position.near_.data();
  for_each_bit(turned_words, words_for(kLineWords * index.lines_),
               [&](std::size_t w) { end = list_bits(turned[w], static_cast<std::uint32_t>(64 * w), end); });
  std::int32_t* const votes = position.votes_.data();
  const auto signed_votes = [&](std::uint32_t j, const IncrementalIndex::Vote& vote) {
    const auto lost = -static_cast<std::int32_t>((falsified[j / 64] >> (j % 64)) & 1);
    return (vote.votes ^ lost) - lost;
  };
  std::uint32_t output = 0;
  std::int32_t sum = 0;  // of an output, until the next one comes
  const auto add = [&](std::uint32_t j, const IncrementalIndex::Vote& vote) {
    if (vote.output != output) {
      votes[output] += sum;
      output = vote.output;
      sum = 0;
    }
    sum += signed_votes(j, vote);
  };
  for (const std::uint32_t j : std::span(position.near_.data(), end)) {
    if (index.single_) {
      add(j, index.votes_[j]);
    } else {
      for (std::uint64_t i = index.vote_starts_[j]; i < index.vote_starts_[j + 1]; ++i) add(j, index.votes_[i]);
    }
  }
  votes[output] += sum;
  position.counters_.lines_joined += index.lines_;
}

void IncrementalPredictor::Bitmaps::successors(IncrementalPredictor& position, std::int32_t* out) {
  const IncrementalIndex& index = *position.index_;
  std::uint32_t* const zeros = position.near_.data();
  std::uint32_t* const ones = zeros + position.near_.size() / 2;
  const LowCounters low =
      index.kernels_->low_counters(position.planes_.data()->words, index.planes_, index.lines_, zeros, ones);
  const std::span<const std::uint32_t> satisfied(zeros, low.zeros), short_of_one(ones, low.ones);
  const std::size_t words = position.row_.size(), features = index.features_, outputs = index.outputs_;
  const std::uint64_t* const row = position.row_.data();
  const auto add = [&](std::size_t feature, std::size_t j, std::int32_t times) {
    if (index.single_) {
      out[feature * outputs + index.votes_[j].output] += times * index.votes_[j].votes;
    } else {
      for (std::uint64_t i = index.vote_starts_[j]; i < index.vote_starts_[j + 1]; ++i) {
        out[feature * outputs + index.votes_[i].output] += times * index.votes_[i].votes;
      }
    }
  };
  for (const std::uint32_t j : short_of_one) {  // the flip that makes the missing literal true
    const std::uint64_t* const mask = index.masks_.data() + 2 * words * j;
    std::size_t feature = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t missing = (mask[w] & ~row[w]) | (mask[words + w] & row[w]);
      feature += missing == 0 ? 0 : 64 * w + static_cast<std::size_t>(std::countr_zero(missing));
    }
    add(feature, j, 1);
  }
  for (const std::uint32_t j : satisfied) {
    for (const std::uint32_t l : index.literals(j)) add(l < features ? l : l - features, j, -1);
    position.counters_.literals_walked += index.literals(j).size();
  }
  position.counters_.near_clauses += short_of_one.size() + satisfied.size();
}

}  // namespace falsum
