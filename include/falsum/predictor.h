// Predictor: a Model compiled for one engine. Compiling happens once, here; every call after that only
// reads, so one Predictor serves any number of threads.
//
//   scan   the clauses' include masks, each left at its first falsified word (the paper's baseline)
//   index  the paper's inclusion lists, packed: walk the lists of the false literals
//   bitmap clauses as bits, by what is unusual about a sample: for single ones
//   sliced 512 samples at once, a bit each: for batches
//
// Votes are the unclipped class sums; empty clauses do not vote; ties go to the lowest class.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "falsum/bit_matrix.h"
#include "falsum/byte_rows.h"
#include "falsum/model.h"
#include "falsum/sparse_bits.h"

namespace falsum {

/// Deterministic work of prediction, as in the paper's remarks.
struct PredictCounters {
  std::uint64_t samples = 0;
  std::uint64_t words_compared = 0;   // scan: 64-literal words looked at
  std::uint64_t entries_visited = 0;  // index, bitmap: inclusion list entries walked
  std::uint64_t bitmaps_joined = 0;   // bitmap: bitmaps of literals joined
  std::uint64_t columns_joined = 0;   // sliced: literals' columns ANDed, 512 samples each
  PredictCounters& operator+=(const PredictCounters& other);
};

/// Which engine, and why it.
struct EngineChoice {
  std::string name, reason;
};

class VoteEngine;
struct Kernels;

class Predictor {
 public:
  explicit Predictor(const Model& model, const std::string& engine = "auto", const std::string& kernels = "auto");
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  /// rows() x classes() votes, row by row. `threads` 0: all cores.
  std::vector<std::int32_t> votes(const BitMatrix& rows, unsigned threads = 1,
                                  PredictCounters* counters = nullptr) const;
  /// Class ids, one per row.
  std::vector<std::uint32_t> predict(const BitMatrix& rows, unsigned threads = 1,
                                     PredictCounters* counters = nullptr) const;
  /// The same for sparse rows. Throws DataError for rows whose features do not ascend or do not exist.
  std::vector<std::int32_t> votes(const SparseBitsView& rows, unsigned threads = 1,
                                  PredictCounters* counters = nullptr) const;
  std::vector<std::uint32_t> predict(const SparseBitsView& rows, unsigned threads = 1,
                                     PredictCounters* counters = nullptr) const;
  /// The same for a byte a feature: each block is packed just before it is voted on, while it is in the caches.
  std::vector<std::uint32_t> predict(const ByteRowsView& rows, unsigned threads = 1,
                                     PredictCounters* counters = nullptr) const;
  /// Votes of one row, into classes() places: packed features, or the ascending list of those that are true.
  void votes(std::span<const std::uint64_t> row, std::span<std::int32_t> out) const;
  void votes(std::span<const std::uint32_t> row, std::span<std::int32_t> out) const;

  std::size_t classes() const { return classes_; }
  std::size_t features() const { return features_; }
  /// The engine that predicts this many rows at once: "auto" takes one for batches and another for single rows.
  std::string engine(std::size_t rows) const { return choice(rows).name; }
  /// The same with a sentence on why; `sparse` for rows given as SparseBits.
  EngineChoice choice(std::size_t rows, bool sparse = false) const;
  std::string kernels() const;
  std::uint64_t bytes() const;  // memory of the compiled engine

 private:
  void check_columns(std::size_t columns) const;
  template <class VotesOf>
  std::vector<std::int32_t> all_votes(std::size_t rows, unsigned threads, PredictCounters* counters,
                                      const VotesOf& votes_of) const;
  template <class VotesOf>
  std::vector<std::uint32_t> all_winners(std::size_t rows, unsigned threads, PredictCounters* counters,
                                         const VotesOf& votes_of) const;

  std::size_t features_ = 0;
  std::size_t classes_ = 0;
  const Kernels* kernels_ = nullptr;
  std::unique_ptr<const VoteEngine> engine_;
};

/// The class of each row of votes: the largest sum, the lowest class on ties.
std::vector<std::uint32_t> winners(std::span<const std::int32_t> votes, std::size_t classes);

}  // namespace falsum
