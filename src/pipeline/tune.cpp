#include "falsum/tune.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "falsum/averaging.h"
#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/folds.h"
#include "falsum/predictor.h"
#include "support/parallel.h"

namespace falsum {
namespace {

constexpr double kShareHeld = 0.25;
constexpr std::size_t kKept[] = {4, 2};   // settings that go on after the first rung, and after the second
constexpr std::int64_t kMostScale = 100;  // snapshots of a model (Options)

TuneScore score_of(std::span<const std::int32_t> votes, std::span<const std::uint32_t> truth, std::size_t outputs,
                   std::int64_t scale) {
  const Calibration fitted = fit_calibration(CalibrationMethod::kTemperature, votes, truth, outputs, scale);
  const std::vector<std::uint32_t> answers = winners(votes, outputs);
  std::size_t right = 0;
  for (std::size_t r = 0; r < truth.size(); ++r) right += answers[r] == truth[r];
  TuneScore score;
  score.accuracy = static_cast<double>(right) / static_cast<double>(truth.size());
  score.log_loss = score_probabilities(probabilities(votes, outputs, scale, fitted), truth, outputs).log_loss;
  score.temperature = fitted.temperature;
  score.rows = truth.size();
  score.score = score.accuracy - 0.25 * score.log_loss;
  return score;
}

/// The machines of one setting, one for each fold. They are made when they are first needed.
class Candidate {
 public:
  Candidate(const TuneSetting& setting, const Rows& rows, const Targets& targets, const std::vector<Fold>& folds,
            std::size_t outputs)
      : setting_(setting), rows_(rows), targets_(targets), folds_(folds), outputs_(outputs) {
    setting_.options.threads = 1;
  }

  /// Returns false if `progress` stopped it.
  bool learn_until(std::uint64_t epoch, const Machine::Progress& progress) {
    if (machines_.empty()) {
      for (std::size_t i = 0; i < folds_.size(); ++i)
        machines_.emplace_back(setting_.options, rows_.columns(), outputs_);
    }
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      const Targets learned = targets_.with_weights(folds_[i].weight);
      while (machines_[i].epoch() < epoch) {
        if (!machines_[i].learn_epoch(rows_, learned, progress).complete) return false;
      }
    }
    return true;
  }

  TuneScore score() {
    votes_.clear();
    truth_.clear();
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      const Model model = machines_[i].model();
      scale_ = vote_scale(model.options());
      append_held_votes(model, setting_.options, rows_, targets_.classes(), folds_[i], votes_, truth_);
    }
    return score_of(votes_, truth_, outputs_, scale_);
  }

  void forget() { machines_.clear(); }
  const std::vector<std::int32_t>& votes() const { return votes_; }  // of the last score()
  const std::vector<std::uint32_t>& truth() const { return truth_; }
  std::int64_t scale() const { return scale_; }

 private:
  TuneSetting setting_;
  Rows rows_;
  Targets targets_;
  const std::vector<Fold>& folds_;
  std::size_t outputs_;
  std::vector<Machine> machines_;
  std::vector<std::int32_t> votes_;
  std::vector<std::uint32_t> truth_;
  std::int64_t scale_ = 1;
};

bool is_better(const TuneTrial& a, const TuneTrial& b) {
  if (a.scores.size() != b.scores.size()) return a.scores.size() > b.scores.size();
  return !a.scores.empty() && a.scores.back().score > b.scores.back().score;
}

void sort_trials(TuneResult& result) {
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](std::size_t a, std::size_t b) { return is_better(result.trials[a], result.trials[b]); });
}

/// One model can hold both if they see the same features and have weights.
bool can_be_added(const TuneSetting& a, const TuneSetting& b) {
  return a.data == b.data && !is_fuzzy(a.options) && !is_fuzzy(b.options) &&
         votes_of_one(a.options) == votes_of_one(b.options);
}

/// Those that go on, of the first `alive` in the order. Two that one model can hold are better than the best alone, so
/// the last two are the best and the best of those that can be added to it.
std::vector<std::size_t> survivors(const TuneResult& result, std::size_t alive, std::size_t count) {
  const auto at = [&](std::size_t i) { return result.order.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<std::size_t> kept(at(0), at(std::min(alive, count)));
  if (kept.size() == 2) {
    const TuneSetting& best = result.trials[kept[0]].setting;
    const auto partner = std::find_if(
        at(1), at(alive), [&](std::size_t trial) { return can_be_added(best, result.trials[trial].setting); });
    if (partner != at(alive)) kept[1] = *partner;
  }
  return kept;
}

void add_sum(TuneResult& result, Candidate& first, Candidate& second, std::size_t outputs) {
  if (!can_be_added(result.trials[result.order[0]].setting, result.trials[result.order[1]].setting)) return;
  const std::int64_t common = std::lcm(first.scale(), second.scale());
  const std::int64_t to_first = common / first.scale(), to_second = common / second.scale();
  const std::int64_t target = vote_target(result.trials[result.order[1]].setting.options);
  if (2 * common % target != 0 || 2 * common / target > kMostScale) return;
  std::vector<std::int32_t> votes(first.votes().size());
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes[i] = static_cast<std::int32_t>(to_first * first.votes()[i] + to_second * second.votes()[i]);
  }
  result.factors = {to_first, to_second};
  result.both = score_of(votes, first.truth(), outputs, 2 * common);
}

}  // namespace

std::vector<TuneSetting> settings_to_try(const Options& given, const DataFacts& facts, std::span<const int> quantiles,
                                         int default_quantiles) {
  std::vector<TuneSetting> settings;
  const auto add = [&](Options options, int bits) {
    std::size_t data = 0;
    if (facts.kind == DataKind::kTables) {
      const auto found = std::ranges::find(quantiles, bits);
      if (found == quantiles.end()) return;
      data = static_cast<std::size_t>(found - quantiles.begin());
    }
    options = chosen_options(options, facts);
    const auto same = [&](const TuneSetting& other) {
      if (other.data != data) return false;
      return std::ranges::all_of(option_table(), [&](const OptionInfo& option) {
        return std::visit([&](auto field) { return options.*field == other.options.*field; }, option.field);
      });
    };
    if (std::ranges::none_of(settings, same)) settings.push_back({options, data});
  };
  // T as a multiple of that of the law, and a range of s; 0 leaves s to the law.
  const auto varied = [&](double times, double s, double s_to) {
    Options options = given;
    if (is_auto(options.clauses)) options.clauses = 400;
    if (is_auto(options.threshold)) {
      options.threshold =
          std::max<std::int64_t>(1, std::llround(times * std::sqrt(static_cast<double>(options.clauses))));
    }
    if (is_auto(options.specificity) && s > 0 && options.specificity_to == 0) {
      options.specificity = s;
      options.specificity_to = s_to;
    }
    if (is_auto(options.snapshots)) options.snapshots = 5;
    return options;
  };
  add(given, default_quantiles);
  add(varied(2, 1.5, 5), default_quantiles);
  add(varied(1, 2, 20), default_quantiles);
  add(varied(1, 1.5, 5), default_quantiles);
  add(varied(3, 1.5, 5), default_quantiles);
  add(varied(0.35, 2, 20), default_quantiles);
  add(varied(1, 5, 50), default_quantiles);
  add(varied(2, 1.5, 5), 5);
  add(varied(2, 1.5, 5), 40);
  add(varied(3, 1.5, 5), 5);
  Options weights = given;
  const bool plain = !given.weighted && !given.shared && given.weight_growth == 0 && !is_fuzzy(given);
  if (plain && given.max_weight == 1 && given.patch.empty()) {
    weights.weighted = true;
    add(weights, default_quantiles);
    weights.weighted = false;
    weights.shared = true;
    if (!given.sharded) add(weights, default_quantiles);
  }
  return settings;
}

std::vector<std::uint64_t> rungs_for(std::span<const TuneSetting> settings, const DataFacts& facts,
                                     std::size_t features, double seconds) {
  double per_epoch = 0;  // of all settings, in seconds of a usual core
  std::int64_t most = 1;
  const double learned = facts.rows < 1000 ? 2.0 * static_cast<double>(facts.rows)
                                           : std::min(0.75 * static_cast<double>(facts.rows), 10000.0);
  for (const TuneSetting& setting : settings) {
    constexpr double kSeconds = 4e-9;  // of a clause and a use, at 800 features
    const double width = std::max(0.25, static_cast<double>(features) / 800);
    per_epoch += kSeconds * learned * 2 * static_cast<double>(setting.options.clauses) * width;
    most = std::max(most, setting.options.epochs);
  }
  // All settings learn until the first rung (2/15 of all epochs), a third until the second, a sixth until the end.
  const double full = 0.133 + 0.267 / 3 + 0.6 / 6;
  const auto last = static_cast<double>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(seconds / std::max(1e-9, per_epoch * full)), 4, most));
  const auto at = [&](double share) { return static_cast<std::uint64_t>(std::max(1.0, std::round(share * last))); };
  std::vector<std::uint64_t> rungs;
  for (const double share : {0.133, 0.4, 1.0}) {
    if (rungs.empty() || rungs.back() != at(share)) rungs.push_back(at(share));
  }
  return rungs;
}

TuneResult tune(std::span<const Rows> data, const Targets& targets, std::size_t outputs,
                std::span<const TuneSetting> settings, std::span<const std::uint64_t> rungs, unsigned threads,
                const TuneCallbacks& callbacks) {
  if (targets.task() != Task::kClassification) throw ConfigError("tune is for classes");
  if (settings.empty() || rungs.empty()) throw ConfigError("tune needs at least one setting and one rung");
  const std::vector<Fold> folds = folds_of(targets.classes(), targets.weights(), kShareHeld, settings[0].options.seed);
  TuneResult result;
  std::vector<Candidate> candidates;
  candidates.reserve(settings.size());
  for (const TuneSetting& setting : settings) {
    result.order.push_back(result.trials.size());
    result.trials.push_back({setting, {}});
    candidates.emplace_back(setting, data[setting.data], targets, folds, outputs);
  }
  std::mutex mutex;
  double done = 0;
  std::vector<std::size_t> alive = result.order;
  for (std::size_t rung = 0; rung < rungs.size() && result.complete; ++rung) {
    const bool last = rung + 1 == rungs.size();
    const double share = 1.0 / static_cast<double>(rungs.size() * alive.size());
    std::vector<std::optional<TuneScore>> scores(alive.size());
    for_each_parallel(alive.size(), threads == 0 ? cpu_cores() : threads, [&](std::size_t i) {
      const std::size_t trial = alive[i];
      const auto go_on = [&](double) {
        const std::lock_guard lock(mutex);
        return !callbacks.progress || callbacks.progress(done);
      };
      // The votes of the finalists are needed, so their machines learn in any case.
      if (callbacks.known && !last) scores[i] = callbacks.known(trial, rung);
      if (!scores[i]) {
        if (!candidates[trial].learn_until(rungs[rung], go_on)) return;
        scores[i] = candidates[trial].score();
      }
      const std::lock_guard lock(mutex);
      done += share;
      if (callbacks.found) callbacks.found(trial, rung, *scores[i]);
    });
    for (std::size_t i = 0; i < alive.size(); ++i) {
      if (!scores[i]) {
        result.complete = false;
      } else {
        result.trials[alive[i]].scores.push_back(*scores[i]);
      }
    }
    if (!result.complete) break;
    sort_trials(result);
    if (last) break;
    const std::vector<std::size_t> before = std::move(alive);
    alive = survivors(result, before.size(), kKept[std::min<std::size_t>(rung, 1)]);
    for (const std::size_t trial : before) {
      if (std::ranges::find(alive, trial) == alive.end()) candidates[trial].forget();
    }
  }
  if (result.complete && alive.size() > 1) {
    add_sum(result, candidates[result.order[0]], candidates[result.order[1]], outputs);
  }
  return result;
}

bool takes_both(const TuneResult& result) {
  return result.both && result.both->score >= result.trials[result.order[0]].scores.back().score;
}

Model refit(const TuneResult& result, std::span<const Rows> data, const Targets& targets, std::size_t outputs,
            const Machine::Progress& progress) {
  const std::size_t count = takes_both(result) ? 2 : 1;
  std::vector<Model> models;
  for (std::size_t i = 0; i < count; ++i) {
    const TuneSetting& setting = result.trials[result.order[i]].setting;
    Machine machine(setting.options, data[setting.data].columns(), outputs);
    const auto share = [&](double done) {
      return (static_cast<double>(i) +
              (static_cast<double>(machine.epoch()) + done) / static_cast<double>(setting.options.epochs)) /
             static_cast<double>(count);
    };
    machine.learn(data[setting.data], targets, static_cast<std::uint64_t>(setting.options.epochs),
                  {.progress = [&](double done) { return !progress || progress(share(done)); }});
    models.push_back(machine.model());
  }
  const TuneScore& score = count == 2 ? *result.both : result.trials[result.order[0]].scores.back();
  Calibration calibration;
  calibration.method = CalibrationMethod::kTemperature;
  calibration.temperature = score.temperature;
  calibration.rows = score.rows;
  return (count == 2 ? sum_of(models, result.factors) : models[0]).calibrated(calibration);
}

}  // namespace falsum
