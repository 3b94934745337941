// Trainer: a machine's classes and where it stands; Machine (falsum/machine.h) is the public face of it.
//
//   epoch e:  EpochPlan -> chunks of samples -> for each class, in parallel: its uses of the chunk -> ClassLearner
//
// Chunks change nothing (classes are independent); they are where progress is told and learning can be stopped with
// every class having seen the same samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bank/forgetting.h"
#include "falsum/machine.h"
#include "falsum/options.h"
#include "kernels/kernels.h"
#include "learn/class_learner.h"
#include "literals/feature_counts.h"

namespace falsum {

/// Samples between two calls of the progress callback, the first of a machine's life: so many that every class has a
/// few blocks of uses to look ahead at.
std::size_t first_chunk_size(std::size_t classes);
/// Between later ones: more in a small machine, since classes take turns in the caches.
std::size_t chunk_size(const Options& options, std::size_t features, std::size_t classes);

class Trainer {
 public:
  Trainer(const Options& options, std::size_t features, std::size_t classes);

  EpochReport learn_epoch(const SampleRows& rows, std::span<const std::uint32_t> labels,
                          const Machine::Progress& progress);
  void abandon_epoch();

  const Options& options() const { return options_; }
  std::size_t features() const { return features_; }
  std::size_t classes() const { return classes_.size(); }
  std::uint64_t epoch() const { return epoch_; }
  const std::string& engine() const { return engine_; }
  const Kernels& kernels() const { return kernels_; }
  unsigned threads() const { return threads_; }
  const ClassLearner& learner(std::size_t class_id) const { return classes_[class_id]; }

  /// For bench/ablation.cpp: with 1 every event forgets at once, in a pass over the clause, as textbooks have it. Other
  /// numbers draw otherwise and so learn another machine of the same law.
  void settle_after(std::uint32_t events) { most_pending_ = events; }

  std::size_t included() const;  // literals in all clauses
  double mean_clause_length() const;
  Model model() const;

  std::string checkpoint() const;
  static Trainer from_checkpoint(std::string_view bytes, const Options& run, const std::string& what);

 private:
  void check_data(const SampleRows& rows, std::span<const std::uint32_t> labels) const;
  void use_engine();
  LearnCounters learn_sharded(const std::vector<std::vector<Use>>& uses, const SampleRows& rows,
                              const Bank::Rules& rules);

  Options options_;
  std::size_t features_;
  const Kernels& kernels_;
  unsigned threads_;
  std::string engine_;
  Forgetting forgetting_;
  std::uint32_t most_pending_ = Forgetting::kMostPending;
  FeatureCounts truths_;
  std::vector<ClassLearner> classes_;
  std::vector<std::size_t> busiest_first_;  // the order in which threads take classes, so that they end together
  std::uint64_t epoch_ = 0;                 // completed
  std::uint64_t position_ = 0;              // samples of the next epoch that are done already: it was stopped there
  std::uint64_t stopped_rows_ = 0;
};

}  // namespace falsum
