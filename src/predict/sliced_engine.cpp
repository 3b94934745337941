// Prediction in batches: 512 samples at once, one bit each.
//
//   columns   per literal 512 bits: its truth in each sample (64 bytes, so a table of 2 x features x 64 bytes)
//   clause    the AND of its literals' columns: its output for all 512 samples, without a branch
//   votes     counted in bit planes by carry-save adders, per class and polarity; turned into numbers at the end
//
// Clauses of a class and polarity are sorted by length, so that the inner loop runs a fixed number of times for long
// stretches. A clause is hardly ever false for all 512 samples, so there is no early exit. A clause of weight w is in
// the group of each binary digit of w that is on (`worth`).
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>

#include "predict/vote_engine.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {
namespace {

class SlicedEngine final : public CostedEngine {
 public:
  SlicedEngine(const Model& model, const Kernels& kernels)
      : features_(model.features()), classes_(model.outputs()), kernels_(kernels) {
    std::size_t ids = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      for (const VotingClause& clause : non_empty_clauses(model, c)) {
        ids += padded(clause.literals.size()) * static_cast<std::size_t>(std::popcount(worth(clause)));
      }
    }
    ids_.reserve(ids);
    for (std::size_t c = 0; c < classes_; ++c) {
      std::vector<VotingClause> clauses = non_empty_clauses(model, c);
      std::stable_sort(clauses.begin(), clauses.end(), [](const VotingClause& a, const VotingClause& b) {
        return a.literals.size() < b.literals.size();
      });
      for (const bool positive : {true, false}) {
        for (std::uint32_t digit = 0; digit < 31; ++digit) add_group(c, positive, digit, clauses);
      }
    }
  }

  const char* name() const override { return "sliced"; }
  /// Nearly the same for any number of rows.
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    const double slicing = 40 * static_cast<double>(features_), votes = 800 * static_cast<double>(groups_.size());
    const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    return static_cast<double>(blocks) * (slicing + votes + 2 * static_cast<double>(ids_.size()));
  }
  std::uint64_t bytes() const override {
    return ids_.size() * 4 + runs_.size() * sizeof(SlicedRun) + groups_.size() * sizeof(Group);
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    const Workspace work = begin();
    for (std::size_t first = 0; first < block.rows; first += kBlockRows, out += kBlockRows * classes_) {
      const std::size_t count = std::min(kBlockRows, block.rows - first);
      kernels_.slice(block.row(first).data(), block.words_per_row, count, features_, work.columns);
      vote(work, count, out, counters);
    }
    counters.samples += block.rows;
  }

  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    const Workspace work = begin();
    for (std::size_t first = 0; first < block.rows; first += kBlockRows, out += kBlockRows * classes_) {
      const std::size_t count = std::min(kBlockRows, block.rows - first);
      slice(block, first, count, work.columns);
      vote(work, count, out, counters);
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

  static std::size_t padded(std::size_t length) { return (length + 3) / 4 * 4; }
  static std::uint32_t worth(const VotingClause& clause) { return static_cast<std::uint32_t>(std::abs(clause.weight)); }

  void add_group(std::size_t class_id, bool positive, std::uint32_t digit, const std::vector<VotingClause>& clauses) {
    Group group = {
        runs_.size(), 0, ids_.size(), static_cast<std::uint32_t>(class_id), 0, (positive ? 1 : -1) * (1 << digit)};
    std::uint32_t members = 0;
    for (const VotingClause& clause : clauses) {
      if ((clause.weight > 0) != positive || ((worth(clause) >> digit) & 1) == 0) continue;
      const std::uint32_t length = static_cast<std::uint32_t>(padded(clause.literals.size()));
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

  struct Workspace {
    std::uint64_t *columns, *planes;
    std::int32_t* sums;
  };
  Workspace begin() const {
    std::uint64_t* const columns = scratch(8 * (2 * features_ + 1) + 8 * 32 + kBlockRows / 2);
    std::uint64_t* const ones = columns + 16 * features_;  // padding: always true
    std::fill_n(ones, 8, ~std::uint64_t{0});
    return {columns, ones + 8, reinterpret_cast<std::int32_t*>(ones + 8 + 8 * 32)};
  }

  /// Columns of sparse rows: nothing is transposed. Setting a bit touches a distant column, so negations are made
  /// afterwards, from whole columns.
  void slice(const SparseBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    std::fill_n(columns, 8 * features_, 0);
    for (std::size_t s = 0; s < count; ++s) {
      const std::uint64_t bit = std::uint64_t{1} << (s % 64);
      std::uint64_t* const word = columns + s / 64;
      for (const std::size_t k : block.row(first + s)) word[8 * k] |= bit;
    }
    std::transform(columns, columns + 8 * features_, columns + 8 * features_, std::bit_not<>());
  }

  void vote(const Workspace& work, std::size_t count, std::int32_t* votes, PredictCounters& counters) const {
    auto group = groups_.begin();
    for (std::size_t c = 0; c < classes_; ++c) {
      std::fill_n(work.sums, kBlockRows, 0);
      for (; group != groups_.end() && group->class_id == c; ++group) {
        kernels_.sliced_votes(work.columns, runs_.data() + group->runs, group->run_count, ids_.data() + group->ids,
                              group->planes, work.planes);
        kernels_.tally(work.planes, group->planes, group->worth, work.sums);
      }
      for (std::size_t s = 0; s < count; ++s) votes[s * classes_ + c] = work.sums[s];
    }
    counters.columns_joined += ids_.size();
  }

  std::size_t features_, classes_;
  const Kernels& kernels_;
  std::vector<Group> groups_;
  std::vector<SlicedRun> runs_;
  LargeVector<std::uint32_t> ids_;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_sliced_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<SlicedEngine>(model, kernels);
}

}  // namespace falsum
