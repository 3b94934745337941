// The clauses of one literal, which large models have in thousands and many of them several times: together they are a
// number for each feature and output, added up where the feature is true, whatever their number.
//
//   start    the votes of a row without true features: those of the negated literals
//   change   what each feature changes when it is true, kLanes outputs at a time so that a row of the table is a vector
#pragma once

#include <bit>

#include "predict/vote_engine.h"
#include "support/bits.h"
#include "support/large_block.h"

namespace falsum {

class LiteralVotes {
 public:
  /// Takes no clause of a model where these are few: then the sum would cost more than they do. With the 900 of IMDb
  /// with 20,000 words it was as fast as without.
  explicit LiteralVotes(const Model& model) : features_(model.features()), outputs_(model.outputs()) {
    std::size_t taken = 0;
    for (const Weight& weight : model.parts().weights) taken += model.clause(weight.clause).size() == 1;
    lanes_ = outputs_ <= kFewLanes ? kFewLanes : kLanes;
    const std::size_t numbers = (outputs_ + lanes_ - 1) / lanes_ * lanes_ * features_;
    if (taken < kLeast || kShare * taken < model.parts().weights.size() ||
        numbers > kNumbers * voting_literals(model)) {
      return;
    }
    start_.resize((outputs_ + lanes_ - 1) / lanes_ * lanes_);
    change_.resize(numbers);
    const double groups = static_cast<double>(numbers) / static_cast<double>(lanes_ * features_);
    for (std::uint32_t k = 0; k < features_; ++k) row_cycles_ += kRowCycles * groups * (1 - false_share(model, k));
    for (std::size_t o = 0; o < outputs_; ++o) {
      for (const Weight& weight : model.weights(o)) {
        const std::span<const std::uint32_t> literals = model.clause(weight.clause);
        if (literals.size() != 1) continue;
        const auto votes = static_cast<std::uint32_t>(weight.votes);
        const bool negated = literals[0] >= features_;
        std::uint32_t& change = row(o / lanes_, literals[0] - (negated ? features_ : 0))[o % lanes_];
        change += negated ? 0 - votes : votes;
        if (negated) start_[o] += votes;
      }
    }
  }

  /// Whether such a clause votes here; an engine evaluates all others.
  bool takes(const VotingClause& clause) const { return !change_.empty() && clause.literals.size() == 1; }
  bool empty() const { return change_.empty(); }
  std::uint64_t bytes() const { return (change_.size() + start_.size()) * 4; }
  double row_cycles() const { return row_cycles_; }

  /// Adds the votes for a row to `out`.
  void add(std::span<const std::uint64_t> row, std::int32_t* out) const {
    add_all(out, [&](const auto& use) { for_each_bit_between(row.data(), 0, features_, use); });
  }
  void add(std::span<const std::uint32_t> row, std::int32_t* out) const {
    add_all(out, [&](const auto& use) {
      for (const std::uint32_t k : row) use(k);
    });
  }

 private:
  static constexpr std::size_t kLanes = 16, kFewLanes = 4;
  static constexpr std::size_t kLeast = 2048, kShare = 8, kNumbers = 8;
  static constexpr double kRowCycles = 4;  // of the table

  std::uint32_t* row(std::size_t group, std::size_t k) { return change_.data() + (group * features_ + k) * lanes_; }

  template <class Each>
  void add_all(std::int32_t* out, const Each& each) const {
    if (empty()) return;
    for (std::size_t first = 0; first < outputs_; first += lanes_) {
      lanes_ == kFewLanes ? add_some<kFewLanes>(first, out, each) : add_some<kLanes>(first, out, each);
    }
  }
  /// Sums modulo 2^32: an output's votes fit, but a part of them may not.
  template <std::size_t kCount, class Each>
  void add_some(std::size_t first, std::int32_t* out, const Each& each) const {
    const std::uint32_t* const table = change_.data() + first * features_;
    std::uint32_t sums[kCount];
    std::copy_n(start_.data() + first, kCount, sums);
    each([&](std::size_t k) {
      for (std::size_t i = 0; i < kCount; ++i) sums[i] += table[kCount * k + i];
    });
    for (std::size_t i = 0; i < kCount && first + i < outputs_; ++i) {
      out[first + i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(out[first + i]) + sums[i]);
    }
  }

  std::size_t features_, outputs_, lanes_ = kLanes;
  double row_cycles_ = 0;
  LargeVector<std::uint32_t> start_, change_;
};

}  // namespace falsum
