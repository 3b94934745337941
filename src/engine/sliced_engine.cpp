// Prediction in batches: 512 samples at once, one bit each.
//
//   columns   per literal 512 bits: its truth in each sample (64 bytes, so a table of 2 x features x 64 bytes)
//   clause    the AND of its literals' columns: its output for all 512 samples, without a branch
//   votes     counted in bit planes by carry-save adders, per class and polarity; turned into numbers at the end
//
// Clauses of a class and polarity are sorted by length, so that the inner loop runs a fixed number of times for long
// stretches. Among 512 samples a clause is hardly ever false for all, so it does not look for an early exit. A clause
// of weight w stands once in the group of each binary digit of w that is on (`worth`).
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "engine/vote_engine.h"
#include "literals/transpose.h"
#include "support/aligned.h"
#include "support/bits.h"

namespace falsum {
namespace {

constexpr std::size_t kSamples = 512;

class SlicedEngine final : public VoteEngine {
 public:
  SlicedEngine(const Model& model, const Kernels& kernels)
      : features_(model.features()), classes_(model.classes()), kernels_(kernels) {
    for (std::size_t c = 0; c < classes_; ++c) {
      std::vector<VotingClause> clauses = non_empty_clauses(model, c);
      std::stable_sort(clauses.begin(), clauses.end(), [](const VotingClause& a, const VotingClause& b) {
        return a.literals.size() < b.literals.size();
      });
      for (const bool positive : {true, false}) {
        for (std::uint32_t digit = 0; digit < 31; ++digit) add_group(c, positive, digit, clauses);
      }
    }
    ids_.shrink_to_fit();
  }

  const char* name(std::size_t) const override { return "sliced"; }
  std::uint64_t bytes() const override {
    return ids_.size() * 4 + runs_.size() * sizeof(SlicedRun) + groups_.size() * sizeof(Group);
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    AlignedArray<std::uint64_t> columns(8 * (2 * features_ + 1));
    std::fill_n(columns.data() + 16 * features_, 8, ~std::uint64_t{0});  // padding: always true
    AlignedArray<std::uint64_t> planes(8 * 32);
    for (std::size_t first = 0; first < block.rows; first += kSamples) {
      const std::size_t count = std::min(kSamples, block.rows - first);
      slice(block, first, count, columns.data());
      std::int32_t* const votes = out + first * classes_;
      std::fill_n(votes, count * classes_, 0);
      for (const Group& group : groups_) {
        kernels_.sliced_votes(columns.data(), runs_.data() + group.runs, group.run_count, ids_.data() + group.ids,
                              group.planes, planes.data());
        add_votes(group, planes.data(), count, votes);
      }
      counters.columns_joined += ids_.size();
    }
    counters.samples += block.rows;
  }

 private:
  /// Clauses of one class and polarity whose weight has this binary digit.
  struct Group {
    std::size_t runs, run_count, ids;
    std::uint32_t class_id, planes;
    std::int32_t worth;
  };

  void add_group(std::size_t class_id, bool positive, std::uint32_t digit, const std::vector<VotingClause>& clauses) {
    Group group = {
        runs_.size(), 0, ids_.size(), static_cast<std::uint32_t>(class_id), 0, (positive ? 1 : -1) * (1 << digit)};
    std::uint32_t members = 0;
    for (const VotingClause& clause : clauses) {
      if ((clause.weight > 0) != positive || ((std::abs(clause.weight) >> digit) & 1) == 0) continue;
      const std::uint32_t length = static_cast<std::uint32_t>((clause.literals.size() + 3) / 4 * 4);
      if (runs_.size() == group.runs || runs_.back().length != length) runs_.push_back({length, 0});
      ++runs_.back().clauses;
      ids_.insert(ids_.end(), clause.literals.begin(), clause.literals.end());
      ids_.resize(ids_.size() + length - clause.literals.size(), static_cast<std::uint32_t>(2 * features_));
      ++members;
    }
    if (members == 0) return;
    group.run_count = runs_.size() - group.runs;
    group.planes = static_cast<std::uint32_t>(std::bit_width(members));
    groups_.push_back(group);
  }

  /// The block's rows as columns; samples past its end are all false.
  void slice(const RowBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    std::uint64_t square[64];
    for (std::size_t w = 0; w < words_for(features_); ++w) {
      for (std::size_t group = 0; group < kSamples / 64; ++group) {
        for (std::size_t r = 0; r < 64; ++r) {
          const std::size_t sample = 64 * group + r;
          square[r] = sample < count ? block.row(first + sample)[w] : 0;
        }
        transpose64(square);
        for (std::size_t k = 64 * w; k < std::min(64 * w + 64, features_); ++k) {
          columns[8 * k + group] = square[k % 64];
          columns[8 * (features_ + k) + group] = ~square[k % 64];
        }
      }
    }
  }

  /// Turns bit planes into numbers: 64 samples at a time, a transposition makes a plane's bit s the bit p of word s.
  void add_votes(const Group& group, const std::uint64_t* planes, std::size_t count, std::int32_t* votes) const {
    for (std::size_t word = 0; 64 * word < count; ++word) {
      std::uint64_t square[64] = {};
      for (std::uint32_t p = 0; p < group.planes; ++p) square[p] = planes[8 * p + word];
      transpose64(square);
      for (std::size_t s = 64 * word; s < std::min(64 * word + 64, count); ++s) {
        votes[s * classes_ + group.class_id] += group.worth * static_cast<std::int32_t>(square[s % 64]);
      }
    }
  }

  std::size_t features_, classes_;
  const Kernels& kernels_;
  std::vector<Group> groups_;
  std::vector<SlicedRun> runs_;
  std::vector<std::uint32_t> ids_;
};

}  // namespace

std::unique_ptr<const VoteEngine> make_sliced_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<SlicedEngine>(model, kernels);
}

}  // namespace falsum
