// FuzzyLookahead: the votes of fuzzy clauses for a block of 512 samples, kept up to date while the clauses learn.
//
//   columns    per feature 512 bits: in which samples of the block it is true
//   counters   per clause, in bit planes: its false literals in every sample, plus 2^Q - most votes (2^Q is at least
//              that), so that it has votes where all planes from Q on are 0, and then 2^Q - counter of them
//   sums       votes for minus votes against, in bit planes, two's complement
//   active     the samples whose votes have not reached T (or -T): all others learn nothing (p = 0)
//
// A counter can be undone: a literal that leaves a clause takes its column away. So a flip costs one addition in
// planes, for all samples at once, and nothing is ever evaluated again unless many literals flip together. Counters
// are wide enough for all features and never overflow. Exact by invariant I1 (evaluate/evaluator.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bank/fuzzy_bank.h"
#include "falsum/rows.h"
#include "kernels/kernels.h"
#include "support/aligned.h"

namespace falsum {

/// Up to 512 samples in the order of learning: packed rows and, if asked for, columns.
class FuzzyBlock {
 public:
  static constexpr std::size_t kSamples = 512;
  explicit FuzzyBlock(std::size_t features);

  /// Sample i is row order[i].
  void fill(std::span<const std::uint32_t> order, const Rows& rows);
  void transpose(const Kernels& kernels);

  std::size_t size() const { return order_.size(); }
  std::span<const std::uint32_t> order() const { return order_; }
  const std::uint64_t* row(std::size_t i) const { return rows_.data() + words_ * i; }
  bool has_columns() const { return has_columns_; }
  /// 8 words for each feature, then a column of ones and one of zeros.
  const std::uint64_t* columns() const { return columns_.data(); }
  std::uint64_t bytes() const { return 8 * (rows_.size() + columns_.size()); }

 private:
  std::size_t features_, words_;
  std::span<const std::uint32_t> order_;
  bool has_columns_ = false;
  AlignedArray<std::uint64_t> rows_, columns_;
};

class FuzzyLookahead {
 public:
  /// The first half of the bank's clauses votes for the output, the second half against.
  FuzzyLookahead(const FuzzyBank& bank, const Options& options);

  /// `labels`: 8 words; on where the votes should go up.
  void begin(const FuzzyBlock& block, const std::uint64_t* labels, const Kernels& kernels);
  std::size_t active() const;  // samples
  /// The first active sample from `from` on, or size() of the block.
  std::size_t next_active(std::size_t from) const;
  std::int64_t votes(std::size_t sample) const;
  bool is_true(std::size_t clause, std::size_t sample) const {
    return ((truths_[8 * clause + sample / 64] >> (sample % 64)) & 1) != 0;
  }
  /// Literals of a clause flipped. next_active is right again after refresh().
  void flipped(std::size_t clause, FuzzyBank::Flips flips, const Kernels& kernels);
  void refresh(const Kernels& kernels);

  /// A clause changed while no block was looked ahead at.
  void changed(std::size_t clause) { lists_[clause].stale = true; }

  std::uint64_t literals_counted() const { return counted_; }
  std::uint64_t bytes() const;

 private:
  /// Ids of columns, filled up to a multiple of 8.
  class Ids {
   public:
    void clear();
    void add(std::uint32_t id, std::uint32_t filler);
    void remove(std::uint32_t id, std::uint32_t filler);
    const std::uint32_t* data() const { return ids_.data(); }
    std::uint32_t padded() const { return static_cast<std::uint32_t>(ids_.size()); }
    std::size_t size() const { return size_; }

   private:
    std::vector<std::uint32_t> ids_;
    std::size_t size_ = 0;
  };
  struct Lists {
    Ids positive, negated;
    bool stale = true;
  };

  std::uint32_t ones() const { return static_cast<std::uint32_t>(bank_.features()); }
  std::uint32_t zeros() const { return ones() + 1; }
  std::uint64_t* counters(std::size_t clause) { return counters_.data() + 8 * (planes_ + 1) * clause; }
  void rebuild(std::size_t clause);
  void count(std::size_t clause, const Kernels& kernels);
  void vote(std::size_t clause, bool add, const Kernels& kernels);

  const FuzzyBank& bank_;
  std::uint64_t threshold_;
  std::uint32_t value_planes_, planes_, sum_planes_;
  const FuzzyBlock* block_ = nullptr;
  std::uint64_t labels_[8] = {}, active_[8] = {}, inside_[8] = {};
  std::vector<Lists> lists_;
  std::vector<std::int64_t> most_votes_;  // by clause, as its counters have it
  AlignedArray<std::uint64_t> counters_, sums_, truths_;
  std::uint64_t counted_ = 0;
};

}  // namespace falsum
