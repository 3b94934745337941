// What the engines that predict 512 samples at once have in common: they slice a block into columns, one bit a sample,
// count the votes of all its samples in bit planes, and write votes or winners.
//
// An Engine has begin() (the memory of one thread, with `columns`), slice(block, first, count, columns),
// count_votes(work), write_votes(work, count, votes), write_winners(work, count, winners) and ids_, the columns that
// its clauses join; it makes this class its friend.
#pragma once

#include <algorithm>
#include <cstdint>

#include "predict/vote_engine.h"

namespace falsum {

template <class Engine>
class SlicedBlocks : public CostedEngine {
 public:
  using CostedEngine::CostedEngine;

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters);
  }
  void winners(const RowBlock& block, std::uint32_t* out, PredictCounters& counters) const override {
    all_winners(block, out, counters);
  }
  void winners(const SparseBlock& block, std::uint32_t* out, PredictCounters& counters) const override {
    all_winners(block, out, counters);
  }

 protected:
  /// Columns of sparse rows: nothing is transposed.
  static void slice_sparse(const SparseBlock& block, std::size_t features, std::size_t first, std::size_t count,
                           std::uint64_t* columns) {
    std::fill_n(columns, 8 * features, 0);
    for (std::size_t s = 0; s < count; ++s) {
      const std::uint64_t bit = std::uint64_t{1} << (s % 64);
      std::uint64_t* const word = columns + s / 64;
      for (const std::size_t k : block.row(first + s)) word[8 * k] |= bit;
    }
  }

 private:
  const Engine& engine() const { return static_cast<const Engine&>(*this); }

  template <class Block>
  void all_votes(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    for_each_slice(block, counters, [&](const auto& work, std::size_t first, std::size_t count) {
      engine().write_votes(work, count, out + first * outputs());
    });
  }
  template <class Block>
  void all_winners(const Block& block, std::uint32_t* out, PredictCounters& counters) const {
    for_each_slice(block, counters, [&](const auto& work, std::size_t first, std::size_t count) {
      engine().write_winners(work, count, out + first);
    });
  }
  template <class Block, class Use>
  void for_each_slice(const Block& block, PredictCounters& counters, const Use& use) const {
    const auto work = engine().begin();
    for (std::size_t first = 0; first < block.rows; first += kBlockRows) {
      const std::size_t count = std::min(kBlockRows, block.rows - first);
      engine().slice(block, first, count, work.columns);
      engine().count_votes(work);
      counters.columns_joined += engine().ids_.size();
      use(work, first, count);
    }
    counters.samples += block.rows;
  }
};

}  // namespace falsum
