// Trainer: a machine's learners and its progress; Machine (falsum/machine.h) is its public interface.
//
//   epoch e:  Plan -> chunks of samples -> for each learner, in parallel: its uses of the chunk -> Learner
//
// There is a learner for each class or label, or one for all outputs (has_one_bank). Learners are independent, so
// chunks do not change the learned machine; they are long enough that a learner has some work before the next takes
// over the caches. Within a chunk, threads synchronise after every slice of a tenth of a second: progress is reported,
// and learning can be stopped, with learners at different positions. The position of a learner is stored as the number
// of uses that it has learned beyond the samples that all learners have learned.
//
// Of a part of a machine (falsum/part.h) the trainer has some of the learners, or a range of the clauses of each. They
// keep their numbers in the whole machine: the plan, keys and so every bit are those of the whole machine.
//
// A fuzzy machine has learners of another kind (learn/fuzzy_learner.h), which stop at the same sample.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bank/forgetting.h"
#include "falsum/machine.h"
#include "falsum/options.h"
#include "falsum/part.h"
#include "kernels/kernels.h"
#include "learn/fuzzy_learner.h"
#include "learn/learner.h"
#include "learn/vote_sums.h"
#include "literals/feature_counts.h"

namespace falsum {

class SavedPart;

/// Samples of a machine's first chunk: enough that every learner has a few blocks of uses to look ahead at.
std::size_t first_chunk_size(std::size_t learners);
/// Samples of later chunks: more in a small machine, since learners take turns in the caches.
std::size_t chunk_size(const Options& options, std::size_t features, std::size_t learners);

/// Into how many parts the clauses of each learner are divided, for so many threads (Learner).
std::size_t parts_of_a_learner(const Options& options, Engine engine, std::size_t learners, unsigned threads);
/// With fewer clauses than these 64-slot words hold, members of a crew would rather wait for each other than learn.
inline constexpr std::size_t kLeastWordsOfAPart = 4;

/// Banks that are packed at a time when a checkpoint is written, each with its plain bytes in memory; and how many
/// packed banks may wait for their turn.
inline constexpr unsigned kMostPackers = 4, kPackedAhead = 2;

class Trainer {
 public:
  Trainer(const Options& options, std::size_t features, std::size_t outputs, Part part = {});

  EpochReport learn_epoch(const Rows& rows, const Targets& targets, const Machine::Progress& progress);
  void abandon_epoch();

  const Options& options() const { return options_; }
  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }  // of the whole machine
  const Part& part() const { return part_; }
  void set_collective(Collective* collective);
  std::size_t learners() const { return learners_.size(); }  // 0 in a fuzzy machine
  std::uint64_t epoch() const { return epoch_; }
  Engine engine() const { return engine_; }
  const Kernels& kernels() const { return kernels_; }
  unsigned threads() const { return threads_; }
  const Learner& learner(std::size_t i) const { return learners_[i]; }
  const FuzzyLearners* fuzzy() const { return fuzzy_.get(); }  // nullptr unless the machine is fuzzy
  std::uint64_t automata_bytes() const;
  std::uint64_t engine_bytes() const;

  bool draws_changed() const { return draws_changed_; }

  const std::optional<DataDigest>& data() const { return data_; }
  void set_data(const DataDigest& data) { data_ = data; }
  const std::optional<NumberRange>& range() const { return range_; }
  void set_range(const NumberRange& range);

  /// For bench/ablation.cpp: with 1 every event forgets at once, in a pass over the clause, as in the textbook. Each
  /// number draws differently and so learns another machine with the same distribution.
  void settle_after(std::uint32_t events) { most_pending_ = events; }

  /// For tests: progress is reported whenever every learner has learned this many uses, instead of by the clock.
  void tell_after_uses(std::size_t uses) { uses_between_ = uses; }

  std::size_t included() const;  // literals in all clauses
  double mean_clause_length() const;
  /// Of the last options().snapshots epochs; the last of them may not be complete.
  Model model() const;

  void checkpoint(const ByteSink& sink) const;
  std::string checkpoint() const;
  /// Of a whole machine.
  static Trainer from_checkpoint(std::string_view bytes, const Options& run, const std::string& what);
  static Trainer join(std::span<const std::string_view> checkpoints, const Options& run, const Part& part);

 private:
  void check_data(const Rows& rows, const Targets& targets) const;
  void check_targets(const Targets& targets) const;
  void check_same_epoch(const Plan& plan, std::uint64_t weights) const;
  void use_engine();
  void check_part_memory() const;
  Bank::Law law() const { return {kernels_, forgetting_, options_.boost, most_pending_}; }

  bool begun() const;   // whether an epoch has begun
  double done() const;  // share of the epoch
  LearningSlice next_slice(const Machine::Progress& progress) const;
  std::size_t begin_chunk(const Plan& plan, std::vector<Uses>& uses) const;
  void find_uses(const Plan& plan, std::size_t first, std::size_t last, std::vector<Uses>& uses) const;
  // Both return false if `progress` did.
  bool learn_chunk(const std::vector<Uses>& uses, const Rows& rows, const Bank::Law& law,
                   const Machine::Progress& progress, std::vector<LearnCounters>& counters);
  bool learn_sharded(const std::vector<Uses>& uses, std::vector<std::size_t> before, const Rows& rows,
                     const Bank::Law& law, const Machine::Progress& progress);
  void sum_votes(std::span<const std::size_t> counts);
  bool learn_fuzzy(const Plan& plan, const Rows& rows, const Machine::Progress& progress,
                   std::vector<LearnCounters>& counters);
  Model last_epoch() const;
  void keep_snapshot();
  void add_clauses(ModelParts& parts) const;
  void add_fuzzy_clauses(ModelParts& parts) const;
  void write_ahead(ByteWriter& writer) const;
  static Trainer from_saved(std::span<SavedPart> saved, const Options& run, const Part& part);
  std::size_t outputs_of_a_bank() const { return has_one_bank(options_) ? outputs_ : 1; }

  Options options_;
  std::size_t features_, outputs_;
  Part part_;
  std::vector<std::size_t> banks_;  // by learner: its number in the whole machine, ascending
  ClauseRange clauses_;             // of every bank
  std::unique_ptr<VoteSums> sums_;  // of a shard: with its collective
  const Kernels& kernels_;
  unsigned threads_;
  Engine engine_;
  Forgettings forgetting_;
  std::uint32_t most_pending_ = Forgetting::kMostPending;
  FeatureCounts feature_counts_;
  std::vector<Learner> learners_;
  std::unique_ptr<FuzzyLearners> fuzzy_;    // instead
  std::vector<std::size_t> busiest_first_;  // the order in which threads take learners, so that they end together
  std::uint64_t epoch_ = 0;                 // completed
  std::uint64_t position_ = 0;              // samples of the current epoch that all learners have learned
  std::vector<std::uint64_t> ahead_;        // by learner: uses beyond these samples that it has learned
  std::uint64_t stopped_rows_ = 0;
  std::uint64_t samples_ = 0;          // of the current epoch: rows, as often as it uses them
  std::uint64_t stopped_weights_ = 0;  // the digest of the rows' weights
  std::size_t uses_between_ = 0;
  std::optional<DataDigest> data_;
  std::optional<NumberRange> range_;  // of a regression machine, from its first epoch on
  std::vector<Model> snapshots_;      // after earlier epochs, oldest first; one less than options_.snapshots at most
  bool draws_changed_ = false;        // read from a checkpoint of falsum 0.1
};

}  // namespace falsum
