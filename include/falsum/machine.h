// Machine: the part that learns. It holds the automata of every output, the random streams, the epoch and the position
// in it. An output is a class, a label or, in regression, the number.
//
//   Machine machine(options, features, outputs);
//   machine.learn(rows, targets, epochs);
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

#include "falsum/collective.h"
#include "falsum/data_digest.h"
#include "falsum/learn_counters.h"
#include "falsum/model.h"
#include "falsum/options.h"
#include "falsum/part.h"
#include "falsum/rows.h"
#include "falsum/targets.h"

namespace falsum {

/// What a checkpoint is of.
struct CheckpointFacts {
  Options options;  // those that make the machine
  std::size_t features = 0, outputs = 0;
  std::uint64_t epoch = 0;  // complete
  bool is_between = true;   // two epochs: else it was stopped in the middle of one
  Part part;
};
/// Reads it without making a machine. Throws FileError for a damaged checkpoint.
CheckpointFacts facts_of_checkpoint(std::string_view bytes, const std::string& what = "checkpoint");

struct EpochReport {
  std::uint64_t epoch = 0;  // 1 for the first
  bool complete = true;     // false: stopped by the progress callback; can be resumed
  LearnCounters counters;
  double mean_clause_length = 0;
  std::uint64_t sums = 0, summed_bytes = 0;  // over the Collective, and what each member gave to them
};

class Machine {
 public:
  /// Throws ConfigError for options out of range, fewer than two classes, and sizes that do not fit into memory. A
  /// regression machine has one output.
  /// `outputs` are those of the whole machine, also where it holds only a part.
  Machine(const Options& options, std::size_t features, std::size_t outputs, const Part& part = {});
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  /// Called about ten times a second, and at least every few thousand samples, with the completed share of the epoch;
  /// returning false stops the epoch. Its outputs may then be at different samples. The next learn_epoch call continues
  /// from there, and so does a machine from a checkpoint, bit-identically to an uninterrupted one. The callback may
  /// call model() and checkpoint().
  using Progress = std::function<bool(double done)>;

  /// One pass over the rows in a fresh random order. Throws DataError for a wrong number of columns, targets that are
  /// not of the machine's task or out of range, and sparse rows whose features do not ascend or are out of range.
  EpochReport learn_epoch(const Rows& rows, const Targets& targets, const Progress& progress = {});

  struct Callbacks {
    Progress progress = {};                                    // during an epoch
    std::function<bool(const EpochReport&)> after_epoch = {};  // also after one that was stopped; false stops
  };
  /// Completes `epochs` more epochs; a stopped epoch counts as one of them. Returns the report of the last epoch, whose
  /// `complete` is false if it was stopped.
  EpochReport learn(const Rows& rows, const Targets& targets, std::uint64_t epochs, const Callbacks& callbacks);
  EpochReport learn(const Rows& rows, const Targets& targets, std::uint64_t epochs) {
    return learn(rows, targets, epochs, {});
  }

  /// Abandons a stopped epoch: the next learn_epoch begins a new epoch, with any rows. Everything learned is kept.
  void abandon_epoch();

  std::size_t features() const;
  std::size_t outputs() const;  // of the whole machine
  const Part& part() const;

  /// Who adds up the votes of the shards of a part: member number `shard` of `shards`. Must be set before a shard
  /// learns, and stay until it is done. All members learn the same rows and targets with the same options. A progress
  /// callback cannot stop an epoch of theirs.
  void set_collective(Collective* collective);
  const Options& options() const;
  std::uint64_t epoch() const;  // epochs completed
  Engine engine() const;        // the engine in use: kLookahead where kAuto chose it
  std::string kernels() const;  // the kernel set in use
  unsigned threads() const;     // the number of threads in use
  std::uint64_t automata_bytes() const;
  std::uint64_t engine_bytes() const;  // the engine's own data, for example the index; without the automata

  /// Whether it was read from a checkpoint of falsum 0.1, which drew other random numbers. Learning goes on with the
  /// same distribution; only the result is another than that of 0.1 with the same seed.
  bool draws_changed() const;

  /// The digest of the training data, if it was set; checkpoints hold it. It has no influence on learning: a caller
  /// that resumes from a checkpoint compares digests (data_digest.h).
  const std::optional<DataDigest>& data() const;
  void set_data(const DataDigest& data);

  /// Of a regression machine: the numbers that it can answer. They are those of the first targets, unless they are set
  /// before; later targets outside the range count as its ends.
  const std::optional<NumberRange>& range() const;
  void set_range(const NumberRange& range);

  /// The machine's current clauses, without labels, booleanizer and provenance. Of a part: its classes alone.
  Model model() const;

  /// Everything needed to resume bit-identically: automata, pending forgetting, epoch, position and data().
  std::string checkpoint() const;
  /// The same bytes in pieces, in order, each as soon as it is made. `sink` may be called on any thread, but never on
  /// two at once. For a file this takes far less time and memory. An exception from `sink` ends it.
  void checkpoint(const std::function<void(std::string_view)>& sink) const;
  /// Throws FileError for a damaged checkpoint, and for one that holds only a part of a machine.
  static Machine from_checkpoint(std::string_view bytes, const Options& run, const std::string& what = "checkpoint");

  /// The machine of `part`, by default all of it, from checkpoints of parts that together hold it: the one that would
  /// be there had it learned in one place, byte for byte. Throws FileError, naming the checkpoints by their numbers
  /// from 1 on, if a class is in none or in two of them, if they are of different machines, data, epochs or versions of
  /// falsum, and if one of several was stopped in the middle of an epoch.
  static Machine join(std::span<const std::string_view> checkpoints, const Options& run, const Part& part = {});

 private:
  struct State;
  explicit Machine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace falsum
