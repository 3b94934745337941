// VoteEngine: a model compiled for prediction. Immutable: any number of threads may call votes() at once; each call has
// its own working memory. Takes blocks of rows, packed or sparse, so that an engine can work on many samples at a time.
//
// Empty clauses do not vote: compiling leaves them out (non_empty_clauses), so no engine can count them otherwise.
// Fuzzy clauses vote also when they are empty, and have engines of their own (fuzzy_*_engine.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "falsum/model.h"
#include "falsum/predictor.h"
#include "kernels/kernels.h"

namespace falsum {

/// Rows that a thread takes at a time, and the block size of the sliced engine.
inline constexpr std::size_t kBlockRows = 512;

/// A block of packed rows: row r starts at words + r * words_per_row.
struct RowBlock {
  const std::uint64_t* words;
  std::size_t words_per_row;
  std::size_t rows;
  std::span<const std::uint64_t> row(std::size_t r) const { return {words + r * words_per_row, words_per_row}; }
};

/// A block of sparse rows, already checked: the true features of each row, ascending.
struct SparseBlock {
  const std::uint64_t* starts;  // rows + 1, positions in `features`
  const std::uint32_t* features;
  std::size_t rows;
  std::span<const std::uint32_t> row(std::size_t r) const { return {features + starts[r], features + starts[r + 1]}; }
};

/// The output with the most votes in each row of votes, the lowest on ties.
void write_winners(const std::int32_t* votes, std::size_t rows, std::size_t outputs, std::uint32_t* out);

class VoteEngine {
 public:
  explicit VoteEngine(std::size_t outputs) : outputs_(outputs) {}
  virtual ~VoteEngine() = default;
  std::size_t outputs() const { return outputs_; }
  virtual const char* name() const = 0;
  virtual std::uint64_t bytes() const = 0;
  /// The engine for a block of this many rows, and the reason.
  virtual EngineChoice choice(std::size_t /*rows*/, bool /*sparse*/) const { return {name(), "it was asked for"}; }
  /// Writes block.rows x outputs() votes to `out`, row by row.
  virtual void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const = 0;
  virtual void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const = 0;
  /// Writes the output with the most votes of each row, the lowest on ties.
  virtual void winners(const RowBlock& block, std::uint32_t* out, PredictCounters& counters) const {
    winners_of_votes(block, out, counters);
  }
  virtual void winners(const SparseBlock& block, std::uint32_t* out, PredictCounters& counters) const {
    winners_of_votes(block, out, counters);
  }

 private:
  template <class Block>
  void winners_of_votes(const Block& block, std::uint32_t* out, PredictCounters& counters) const {
    // The votes of a block stay in the caches until its winners are known.
    const auto votes = std::make_unique_for_overwrite<std::int32_t[]>(block.rows * outputs_);
    this->votes(block, votes.get(), counters);
    write_winners(votes.get(), block.rows, outputs_, out);
  }
  std::size_t outputs_;
};

/// An engine that auto can choose.
class CostedEngine : public VoteEngine {
 public:
  using VoteEngine::VoteEngine;
  /// Estimated CPU cycles for a block of this many rows; only the ratio between engines is meaningful.
  virtual double cycles(std::size_t rows, bool sparse) const = 0;
};

/// A clause that votes.
struct VotingClause {
  std::span<const std::uint32_t> literals;
  std::int32_t weight;
};
/// The non-empty clauses that vote on an output, in the model's order.
std::vector<VotingClause> non_empty_clauses(const Model& model, std::size_t output);
/// The literals of all clauses, counted once for every output that the clause votes on: the number that engines store.
std::uint64_t voting_literals(const Model& model);

std::unique_ptr<const VoteEngine> make_scan_engine(const Model& model);
std::unique_ptr<const CostedEngine> make_index_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const CostedEngine> make_bitmap_engine(const Model& model, const Kernels& kernels);
/// Whether make_byte_engine can. make_bitmap_engine makes it for large models where kernels are fast at it and it is
/// expected to be faster.
bool can_test_bytes(const Model& model);
std::unique_ptr<const CostedEngine> make_byte_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const CostedEngine> make_sliced_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const VoteEngine> make_fuzzy_scan_engine(const Model& model);
std::unique_ptr<const CostedEngine> make_fuzzy_sliced_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const CostedEngine> make_fuzzy_tables_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const VoteEngine> make_fuzzy_auto_engine(const Model& model, const Kernels& kernels);
/// For models of patches.
std::unique_ptr<const CostedEngine> make_sliced_window_engine(const Model& model, const Kernels& kernels);
std::unique_ptr<const CostedEngine> make_bitmap_window_engine(const Model& model, const Kernels& kernels);
/// `memory`: bytes that bitmaps may take.
std::unique_ptr<const VoteEngine> make_auto_engine(const Model& model, const Kernels& kernels, std::uint64_t memory);
/// The most bytes that the bitmaps of a bitmap engine can take.
std::uint64_t most_bitmap_bytes(const Model& model);

/// How often a literal was false in training; 0.5 if not counted.
double false_share(const Model& model, std::uint32_t literal);

}  // namespace falsum
