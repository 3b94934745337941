// Tuning: which numbers suit the data. Successive halving that continues machines instead of starting them anew: all
// settings learn a few epochs, the better ones go on, and so on. Scores come from rows that a machine does not learn
// from (folds.h). Deterministic from the seed, whatever the number of threads: each setting learns by itself.
//
//   std::vector<TuneSetting> settings = settings_to_try(given, facts, {5, 16, 40});
//   TuneResult found = tune(data, targets, outputs, settings, rungs_for(settings, facts, 60));
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "falsum/calibration.h"
#include "falsum/defaults.h"
#include "falsum/machine.h"
#include "falsum/rows.h"

namespace falsum {

struct TuneSetting {
  Options options;       // without kAutomatic
  std::size_t data = 0;  // which of the booleanized data it learns: tables are booleanized in several ways
};

struct TuneScore {
  double score = 0;  // accuracy less a quarter of the log loss, which decides between near ties
  double accuracy = 0, log_loss = 0, temperature = 1;
  std::uint64_t rows = 0;  // that were held out
  friend bool operator==(const TuneScore&, const TuneScore&) = default;
};

struct TuneTrial {
  TuneSetting setting;
  std::vector<TuneScore> scores;  // one for each rung that it reached
};

struct TuneResult {
  std::vector<TuneTrial> trials;   // as the settings were given
  std::vector<std::size_t> order;  // best first: those that came further, then those with a better last score
  bool complete = true;            // false: stopped by `progress`
  /// Of the sum of the first two of `order`, if one model can hold both (same data, no fuzzy clauses): their factors
  /// (averaging.h) and the sum's score.
  std::vector<std::int64_t> factors;
  std::optional<TuneScore> both;
};

/// The settings that are worth trying, the law of defaults first. `quantiles`: of each of the booleanized data, the
/// default's first; one of any value for data that are not tables. Numbers that are given are not varied.
std::vector<TuneSetting> settings_to_try(const Options& given, const DataFacts& facts, std::span<const int> quantiles,
                                         int default_quantiles);

/// Epochs at which settings are compared, for about so many seconds of one core, estimated from the work: the same on
/// every computer. The last is at most the epochs of the law.
std::vector<std::uint64_t> rungs_for(std::span<const TuneSetting> settings, const DataFacts& facts,
                                     std::size_t features, double seconds);

struct TuneCallbacks {
  std::function<bool(double done)> progress = {};  // false stops; may be called from any thread, one at a time
  /// A score that is known already, from an earlier run with the same data and settings.
  std::function<std::optional<TuneScore>(std::size_t trial, std::size_t rung)> known = {};
  std::function<void(std::size_t trial, std::size_t rung, const TuneScore&)> found = {};  // one at a time
};

/// Classes only. `data`: rows with the features of each way to booleanize.
TuneResult tune(std::span<const Rows> data, const Targets& targets, std::size_t outputs,
                std::span<const TuneSetting> settings, std::span<const std::uint64_t> rungs, unsigned threads,
                const TuneCallbacks& callbacks = {});

/// The best setting, or the sum of the best two where the result has one and it scored at least as well, learned from
/// all rows and with its temperature.
Model refit(const TuneResult& result, std::span<const Rows> data, const Targets& targets, std::size_t outputs,
            const Machine::Progress& progress = {});
/// Whether refit() gives the sum of the best two.
bool takes_both(const TuneResult& result);

}  // namespace falsum
