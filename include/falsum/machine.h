// Machine: what learns. The automata of every class, the random streams, where in which epoch it stands.
//
//   Machine machine(options, features, classes);
//   for (...) machine.learn_epoch(rows, labels);
//   Model model = machine.model();
//
// Same options, data and seed: the same machine, bit for bit, whatever the engine, kernel set or number
// of threads. Not safe for concurrent use; learn_epoch uses options.threads threads inside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "falsum/bit_matrix.h"
#include "falsum/model.h"
#include "falsum/options.h"
#include "falsum/sparse_bits.h"

namespace falsum {

/// What happened while learning. Deterministic: the same for every engine and thread count, except the
/// counters of evaluation work, which belong to the engine.
struct LearnCounters {
  std::uint64_t type_1a = 0;          // Type I on a true clause
  std::uint64_t type_1b = 0;          // Type I on a false clause
  std::uint64_t type_2 = 0;           // Type II on a true clause
  std::uint64_t flips = 0;            // automata that crossed the boundary
  std::uint64_t evaluations = 0;      // class sums computed
  std::uint64_t words_compared = 0;   // scan: 64-literal words looked at
  std::uint64_t entries_visited = 0;  // index: inclusion list entries walked
  std::uint64_t columns_joined = 0;   // lookahead: literals of the clauses it evaluated, 256 uses each
  LearnCounters& operator+=(const LearnCounters& other);
  friend bool operator==(const LearnCounters&, const LearnCounters&) = default;
};

struct EpochReport {
  std::uint64_t epoch = 0;  // 1 for the first
  bool complete = true;     // false: stopped by the progress callback, resumable
  LearnCounters counters;
  double mean_clause_length = 0;
};

class Machine {
 public:
  /// Throws ConfigError for options out of range and for sizes that cannot be held in memory.
  Machine(const Options& options, std::size_t features, std::size_t classes);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  /// Called every few thousand samples with the share of the epoch that is done; false stops. A stopped
  /// epoch has learned the same samples in every class and goes on at the next learn_epoch call. It may call model()
  /// and checkpoint().
  using Progress = std::function<bool(double done)>;

  /// One pass over the rows in a fresh random order. Throws DataError for a wrong number of columns, a label
  /// outside 0..classes-1, or fewer than two classes.
  EpochReport learn_epoch(const BitMatrix& rows, std::span<const std::uint32_t> labels, const Progress& progress = {});
  /// The same from sparse rows, which never become packed as a whole; the machine is the same, bit for bit. DataError
  /// also for rows whose features do not ascend or do not exist.
  EpochReport learn_epoch(const SparseBitsView& rows, std::span<const std::uint32_t> labels,
                          const Progress& progress = {});

  /// Forgets that an epoch was stopped: the next learn_epoch begins a new one, of any rows. Nothing learned is lost.
  void abandon_epoch();

  std::size_t features() const;
  std::size_t classes() const;
  const Options& options() const;
  std::uint64_t epoch() const;  // epochs completed
  std::string engine() const;   // the engine in use: "index" when "auto" chose it
  std::string kernels() const;  // the kernel set in use
  unsigned threads() const;     // the number of threads in use
  std::uint64_t automata_bytes() const;
  std::uint64_t engine_bytes() const;  // the index, or what the engine keeps beside the automata

  /// The machine's clauses as they are now, without labels, booleanizer and provenance.
  Model model() const;

  /// Everything needed to go on bit-identically: automata, pending forgetting, epoch and position.
  std::string checkpoint() const;
  static Machine from_checkpoint(std::string_view bytes, const Options& run, const std::string& what = "checkpoint");

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace falsum
