#include "falsum/folds.h"

#include <algorithm>

#include "falsum/engines.h"
#include "falsum/hold_out.h"
#include "falsum/predictor.h"

namespace falsum {
namespace {

constexpr std::size_t kFewRows = 1000, kMostLearned = 10000, kMostHeld = 2000;

/// The labels of the rows that are not taken yet, and which rows these are.
struct Left {
  std::vector<std::uint32_t> labels;
  std::vector<std::size_t> rows;
};

Left left_of(std::span<const std::uint32_t> labels, const std::vector<bool>& taken) {
  Left left;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (taken[r]) continue;
    left.labels.push_back(labels[r]);
    left.rows.push_back(r);
  }
  return left;
}

/// Draws a share of the rows that are not taken, marks them as taken, and returns them.
std::vector<bool> draw(std::span<const std::uint32_t> labels, std::vector<bool>& taken, double share,
                       std::uint64_t seed) {
  const Left left = left_of(labels, taken);
  const std::vector<bool> drawn = held_out_rows(left.labels, share, seed);
  std::vector<bool> held(labels.size());
  for (std::size_t i = 0; i < left.rows.size(); ++i) {
    if (drawn[i]) held[left.rows[i]] = taken[left.rows[i]] = true;
  }
  return held;
}

Fold fold_of(std::vector<bool> held, const std::vector<bool>& unused, std::span<const double> weights) {
  Fold fold;
  fold.weight.resize(held.size());
  for (std::size_t r = 0; r < held.size(); ++r) {
    if (!held[r] && !unused[r]) fold.weight[r] = weights.empty() ? 1 : weights[r];
  }
  fold.held = std::move(held);
  return fold;
}

}  // namespace

std::vector<Fold> folds_of(std::span<const std::uint32_t> labels, std::span<const double> weights, double share,
                           std::uint64_t seed) {
  const std::size_t rows = labels.size();
  const std::vector<bool> none(rows);
  std::vector<bool> taken(rows);
  if (rows >= kFewRows) {
    const bool many = rows > kMostLearned + kMostLearned / 4;
    const auto part = [&](std::size_t of, std::size_t all) {
      return static_cast<double>(of) / static_cast<double>(all);
    };
    std::vector<bool> held = draw(labels, taken, many ? part(kMostHeld, rows) : share, seed);
    if (!many) return {fold_of(std::move(held), none, weights)};
    std::vector<bool> unused = draw(labels, taken, part(rows - kMostHeld - kMostLearned, rows - kMostHeld), seed + 1);
    return {fold_of(std::move(held), unused, weights)};
  }
  std::vector<Fold> folds;
  folds.push_back(fold_of(draw(labels, taken, 1.0 / 3, seed), none, weights));
  const Left left = left_of(labels, taken);
  std::vector<std::uint32_t> sorted = left.labels;
  std::ranges::sort(sorted);
  const bool pairs = std::ranges::adjacent_find(sorted) != sorted.end();
  if (!pairs) return folds;
  folds.push_back(fold_of(draw(labels, taken, 0.5, seed + 1), none, weights));
  std::vector<bool> rest = taken;
  rest.flip();
  if (std::ranges::find(rest, true) != rest.end()) folds.push_back(fold_of(std::move(rest), none, weights));
  return folds;
}

void append_held_votes(const Model& model, const Options& run, const Rows& rows, std::span<const std::uint32_t> labels,
                       const Fold& fold, std::vector<std::int32_t>& votes, std::vector<std::uint32_t>& truth) {
  const Predictor predictor(model, engine_for(run.engine, EngineTask::kPredict), run.kernels);
  const std::vector<std::int32_t> all = predictor.votes(rows, static_cast<unsigned>(run.threads));
  const std::size_t outputs = model.outputs();
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (!fold.held[r]) continue;
    votes.insert(votes.end(), all.begin() + static_cast<std::ptrdiff_t>(r * outputs),
                 all.begin() + static_cast<std::ptrdiff_t>((r + 1) * outputs));
    truth.push_back(labels[r]);
  }
}

Calibration calibrate_on_folds(const Rows& rows, const Targets& targets, const Options& options, std::size_t outputs,
                               const Machine::Progress& progress) {
  if (targets.size() < 3 * outputs) return {};  // too few to leave some out
  const std::vector<Fold> folds = folds_of(targets.classes(), targets.weights(), 0.2, options.seed);
  const auto epochs = static_cast<std::uint64_t>(options.epochs);
  const double all = static_cast<double>(folds.size() * epochs);
  std::vector<std::int32_t> votes;
  std::vector<std::uint32_t> truth;
  double done = 0;
  for (const Fold& fold : folds) {
    Machine machine(options, rows.columns(), outputs);
    const Targets learned = targets.with_weights(fold.weight);
    for (std::uint64_t epoch = 0; epoch < epochs; ++epoch, ++done) {
      const EpochReport report =
          machine.learn_epoch(rows, learned, [&](double share) { return !progress || progress((done + share) / all); });
      if (!report.complete) return {};
    }
    append_held_votes(machine.model(), options, rows, targets.classes(), fold, votes, truth);
    if (&fold == &folds.back()) {
      return fit_calibration(CalibrationMethod::kTemperature, votes, truth, machine.model());
    }
  }
  return {};
}

}  // namespace falsum
