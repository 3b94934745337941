// Machine: what learns. The automata of every class, the random streams, where in which epoch it stands.
//
//   Machine machine(options, features, classes);
//   machine.learn(rows, labels, epochs);
//   Model model = machine.model();
//
// Same options, data and seed: the same machine, bit for bit, whatever the engine, kernel set or number
// of threads. Not safe for concurrent use; learn_epoch uses options.threads threads inside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "falsum/data_digest.h"
#include "falsum/learn_counters.h"
#include "falsum/model.h"
#include "falsum/options.h"
#include "falsum/rows.h"

namespace falsum {

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

  /// Called about ten times a second, and at least every few thousand samples, with the share of the epoch that is
  /// done; false stops. Classes may then stand at different samples; the next learn_epoch call goes on from there, and
  /// so does a machine from a checkpoint, bit-identically to one that never stopped. It may call model() and
  /// checkpoint().
  using Progress = std::function<bool(double done)>;

  /// One pass over the rows in a fresh random order. Throws DataError for a wrong number of columns, a label
  /// outside 0..classes-1, fewer than two classes, and sparse rows whose features do not ascend or do not exist.
  EpochReport learn_epoch(const Rows& rows, std::span<const std::uint32_t> labels, const Progress& progress = {});

  struct Callbacks {
    Progress progress = {};                                    // during an epoch
    std::function<bool(const EpochReport&)> after_epoch = {};  // also after one that was stopped; false stops
  };
  /// Completes so many epochs more, one that was stopped among them. Gives the report of the last; it is not complete
  /// if the last was stopped.
  EpochReport learn(const Rows& rows, std::span<const std::uint32_t> labels, std::uint64_t epochs,
                    const Callbacks& callbacks);
  EpochReport learn(const Rows& rows, std::span<const std::uint32_t> labels, std::uint64_t epochs) {
    return learn(rows, labels, epochs, {});
  }

  /// Forgets that an epoch was stopped: the next learn_epoch begins a new one, of any rows. Nothing learned is lost.
  void abandon_epoch();

  std::size_t features() const;
  std::size_t classes() const;
  const Options& options() const;
  std::uint64_t epoch() const;  // epochs completed
  Engine engine() const;        // the engine in use: kLookahead where kAuto chose it
  std::string kernels() const;  // the kernel set in use
  unsigned threads() const;     // the number of threads in use
  std::uint64_t automata_bytes() const;
  std::uint64_t engine_bytes() const;  // the index, or what the engine keeps beside the automata

  /// What the machine learns from, if it was told; checkpoints hold it. It has no influence on learning: who resumes a
  /// checkpoint compares (data_digest.h).
  const std::optional<DataDigest>& data() const;
  void set_data(const DataDigest& data);

  /// The machine's clauses as they are now, without labels, booleanizer and provenance.
  Model model() const;

  /// Everything needed to go on bit-identically: automata, pending forgetting, epoch, position and data().
  std::string checkpoint() const;
  /// The same bytes piece by piece, in order and as they are made, on any thread but never on two at once: for a file
  /// this takes far less time and memory. What `sink` throws ends it.
  void checkpoint(const std::function<void(std::string_view)>& sink) const;
  static Machine from_checkpoint(std::string_view bytes, const Options& run, const std::string& what = "checkpoint");

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace falsum
