// Prediction with fuzzy clauses in batches: 512 samples at once, one bit each.
//
//   columns    per feature 512 bits; a positive literal is false where its feature's bit is off, a negated one where it
//              is on, so literals need no columns of their own
//   counters   the false literals of a clause in bit planes, by carry-save adders. They start at 2^Q - most votes,
//              where 2^Q is at least the most votes of a clause; so a sample whose counter overflows gets no votes, and
//              the others get 2^Q - counter
//   sums       for each output its votes, two's complement, in planes; the largest is found plane by plane
//
// The cost follows the literals, whatever the samples are.
#include <algorithm>
#include <bit>
#include <utility>

#include "predict/sliced_blocks.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {
namespace {

class FuzzySlicedEngine final : public SlicedBlocks<FuzzySlicedEngine> {
 public:
  FuzzySlicedEngine(const Model& model, const Kernels& kernels)
      : SlicedBlocks(model.outputs()), features_(model.features()), kernels_(kernels) {
    const auto votes = static_cast<std::uint64_t>(model.options().fuzzy);
    value_planes_ = std::max(4u, static_cast<std::uint32_t>(std::bit_width(votes - 1)));
    std::size_t most = 1;  // clauses of an output
    for (std::size_t o = 0; o < outputs(); ++o) most = std::max(most, model.weights(o).size());
    sum_planes_ = static_cast<std::uint32_t>(std::bit_width(most * votes)) + 1;
    sum_planes_ = std::max(sum_planes_, value_planes_ + 1);
    opposite_ = has_opposite_outputs(model);
    const auto ones = static_cast<std::uint32_t>(features_), zeros = ones + 1;
    for (std::size_t o = opposite_ ? 1 : 0; o < outputs(); ++o) {
      for (const Weight& weight : model.weights(o)) {
        const std::span<const std::uint32_t> literals = model.clause(weight.clause);
        const auto middle = std::ranges::lower_bound(literals, features_);
        const auto add = [&](auto first, auto last, std::uint32_t less, std::uint32_t filler) {
          const std::size_t start = ids_.size();
          for (; first != last; ++first) ids_.push_back(*first - less);
          while ((ids_.size() - start) % 8 != 0) ids_.push_back(filler);
          return static_cast<std::uint32_t>(ids_.size() - start);
        };
        Clause clause = {};
        clause.positives = add(literals.begin(), middle, 0, ones);
        clause.negations = add(middle, literals.end(), ones, zeros);
        clause.start =
            (std::uint64_t{1} << value_planes_) - static_cast<std::uint64_t>(model.clause_votes(weight.clause));
        clause.is_for = weight.votes > 0;
        clauses_.push_back(clause);
      }
      ends_.push_back(clauses_.size());
    }
  }

  const char* name() const override { return "sliced"; }
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    return static_cast<double>(blocks) * (20 * static_cast<double>(features_) + 4 * static_cast<double>(ids_.size()) +
                                          100 * static_cast<double>(clauses_.size()) + 500);
  }
  std::uint64_t bytes() const override { return ids_.size() * 4 + clauses_.size() * sizeof(Clause); }

 private:
  friend class SlicedBlocks<FuzzySlicedEngine>;
  struct Clause {
    std::uint64_t start;
    std::uint32_t positives, negations;
    bool is_for;
  };
  struct Workspace {
    std::uint64_t *columns, *counters, *sums, *truths, *best, *numbers;
    std::int32_t* totals;
  };

  /// Two classes that share clauses: the votes for the first are those against the second.
  static bool has_opposite_outputs(const Model& model) {
    if (model.outputs() != 2) return false;
    return std::ranges::equal(model.weights(0), model.weights(1), [](const Weight& a, const Weight& b) {
      return a.clause == b.clause && a.votes == -b.votes;
    });
  }

  std::uint64_t* sums(const Workspace& work, std::size_t i) const { return work.sums + 8 * sum_planes_ * i; }

  void slice(const RowBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    kernels_.slice_features(block.words + first * block.words_per_row, block.words_per_row, count, features_, columns);
  }
  void slice(const SparseBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    slice_sparse(block, features_, first, count, columns);
  }

  Workspace begin() const {
    const std::size_t columns = 8 * (features_ + 2), planes = 8 * (value_planes_ + 1);
    std::uint64_t* at = scratch(columns + planes + 8 * sum_planes_ * (ends_.size() + 1) + 8 + 8 * 32 + kBlockRows / 2);
    const auto take = [&](std::size_t words) { return std::exchange(at, at + words); };
    Workspace work = {};
    work.columns = take(columns);
    work.counters = take(planes);
    work.sums = take(8 * sum_planes_ * ends_.size());
    work.truths = take(8);
    work.best = take(8 * sum_planes_);
    work.numbers = take(8 * 32);
    work.totals = reinterpret_cast<std::int32_t*>(take(kBlockRows / 2));
    std::fill_n(work.columns + 8 * features_, 8, ~std::uint64_t{0});
    std::fill_n(work.columns + 8 * (features_ + 1), 8, 0);
    return work;
  }

  void count_votes(const Workspace& work) const {
    const std::uint32_t* ids = ids_.data();
    std::size_t c = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      std::fill_n(sums(work, i), 8 * sum_planes_, 0);
      for (; c < ends_[i]; ++c) {
        const Clause& clause = clauses_[c];
        kernels_.fuzzy_count(work.columns, {ids, ids + clause.positives, clause.positives, clause.negations},
                             clause.start, value_planes_, work.counters);
        kernels_.fuzzy_vote(work.counters, value_planes_, value_planes_, clause.is_for, sum_planes_, sums(work, i),
                            work.truths);
        ids += clause.positives + clause.negations;
      }
    }
  }

  void write_votes(const Workspace& work, std::size_t count, std::int32_t* votes) const {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      std::fill_n(work.totals, kBlockRows, 0);
      kernels_.tally(sums(work, i), sum_planes_ - 1, 1, work.totals);
      const std::uint32_t sign = sum_planes_ - 1;  // worth -2^sign
      kernels_.tally(sums(work, i) + 8 * sign, 1, static_cast<std::int32_t>(~std::uint32_t{0} << sign), work.totals);
      for (std::size_t s = 0; s < count; ++s) {
        std::int32_t* const row = votes + s * outputs();
        row[opposite_ ? 1 : i] = work.totals[s];
        if (opposite_) row[0] = -work.totals[s];
      }
    }
  }

  void write_winners(const Workspace& work, std::size_t count, std::uint32_t* winners) const {
    const auto number_planes = static_cast<std::uint32_t>(std::bit_width(outputs() - 1));
    // With the sign turned, two's complement compares as numbers without a sign. Opposite votes: against 0.
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      std::uint64_t* const sign = sums(work, i) + 8 * (sum_planes_ - 1);
      for (std::size_t w = 0; w < 8; ++w) sign[w] = ~sign[w];
    }
    std::fill_n(work.numbers, 8 * 32, 0);
    if (opposite_) {
      std::fill_n(work.best, 8 * (sum_planes_ - 1), 0);
      std::fill_n(work.best + 8 * (sum_planes_ - 1), 8, ~std::uint64_t{0});
    } else {
      std::copy_n(sums(work, 0), 8 * sum_planes_, work.best);
    }
    for (std::size_t output = 1; output < outputs(); ++output) {
      kernels_.sliced_most(sums(work, opposite_ ? 0 : output), sum_planes_, static_cast<std::uint32_t>(output),
                           number_planes, work.best, work.numbers);
    }
    std::fill_n(work.totals, kBlockRows, 0);
    kernels_.tally(work.numbers, number_planes, 1, work.totals);
    std::copy_n(work.totals, count, winners);
  }

  std::size_t features_;
  const Kernels& kernels_;
  std::uint32_t value_planes_ = 0, sum_planes_ = 0;
  bool opposite_ = false;
  std::vector<Clause> clauses_;
  std::vector<std::size_t> ends_;  // of each output's clauses; one output if they are opposite
  LargeVector<std::uint32_t> ids_;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_fuzzy_sliced_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<FuzzySlicedEngine>(model, kernels);
}

}  // namespace falsum
