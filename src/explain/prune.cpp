#include "falsum/prune.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "explain/votes_by_clause.h"
#include "falsum/clause_outputs.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "falsum/scores.h"
#include "literals/row_features.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMostBits = std::uint64_t{1} << 34;  // 2 GB of outputs

/// The slope and the curvature of the loss by the votes of an output, as whole numbers: their sums do not depend on any
/// order.
struct Slope {
  std::int64_t first = 0, second = 0;
};
constexpr double kOne = 1 << 20;

std::int64_t whole(double value) { return std::llround(value * kOne); }

/// Clauses leave a model, and the votes on the given rows follow.
class Pruner {
 public:
  Pruner(const Model& model, const Rows& rows, const Targets& truth)
      : model_(model),
        truth_(truth),
        voters_(model),
        predictor_(model),
        outputs_(clause_outputs(model, rows)),
        votes_(predictor_.votes(rows)),
        alive_(1, model.clauses()),
        left_(model.clauses()) {
    for (std::size_t c = 0; c < left_; ++c) alive_.set(0, c);
  }

  std::size_t left() const { return left_; }
  bool is_left(std::size_t clause) const { return alive_.get(0, clause); }
  double score() const { return scores(predictor_.answers(votes_).view(), truth_).front().value; }

  /// Clauses that are left, those whose loss costs least first.
  std::vector<std::uint32_t> by_cost() const {
    std::vector<double> cost(model_.clauses());
    std::vector<Slope> slopes(model_.outputs());
    const Words here = words_of(alive_);
    for (std::size_t r = 0; r < outputs_.rows(); ++r) {
      find_slopes(r, slopes);
      for_each_true(r, here, [&](std::size_t c) {
        for (const VotesByClause::Vote& vote : voters_.of(c)) {
          const auto w = static_cast<double>(vote.votes) / scale();
          const Slope& slope = slopes[vote.output];
          cost[c] += -w * static_cast<double>(slope.first) + w * w * static_cast<double>(slope.second) / 2;
        }
      });
    }
    std::vector<std::uint32_t> order;
    for (std::size_t c = 0; c < model_.clauses(); ++c) {
      if (is_left(c)) order.push_back(static_cast<std::uint32_t>(c));
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return cost[c]; });
    return order;
  }

  /// Takes clauses out, or back in.
  void move(std::span<const std::uint32_t> clauses, bool out) {
    BitMatrix moved(1, model_.clauses());
    for (const std::uint32_t c : clauses) moved.set(0, c);
    const Words words = words_of(moved);
    for (std::size_t r = 0; r < outputs_.rows(); ++r) {
      for_each_true(r, words, [&](std::size_t c) {
        for (const VotesByClause::Vote& vote : voters_.of(c)) {
          votes_[r * model_.outputs() + vote.output] += out ? -vote.votes : vote.votes;
        }
      });
    }
    for (const auto& [w, mask] : words) alive_.row(0)[w] ^= mask;
    left_ = out ? left_ - clauses.size() : left_ + clauses.size();
  }

 private:
  /// A bit for each of some clauses: the words that are not 0.
  using Words = std::vector<std::pair<std::size_t, std::uint64_t>>;
  static Words words_of(const BitMatrix& some) {
    Words words;
    for (std::size_t w = 0; w < some.words_per_row(); ++w) {
      if (some.row(0)[w] != 0) words.emplace_back(w, some.row(0)[w]);
    }
    return words;
  }

  /// Some clauses that are true of a row.
  template <class Visit>
  void for_each_true(std::size_t r, const Words& some, const Visit& visit) const {
    const std::uint64_t* const truth = outputs_.row(r).data();
    for (const auto& [w, mask] : some) for_each_bit(truth[w] & mask, 64 * w, visit);
  }

  /// Votes that are one unit of the loss.
  double scale() const {
    const auto most = static_cast<double>(vote_target(model_.options()));
    return model_.task() == Task::kRegression ? most : std::max(most / 4, 1.0);
  }

  void find_slopes(std::size_t r, std::vector<Slope>& slopes) const {
    const std::span<const std::int32_t> votes(votes_.data() + r * model_.outputs(), model_.outputs());
    const auto value = [&](std::size_t o) { return static_cast<double>(votes[o]) / scale(); };
    if (model_.task() == Task::kRegression) {
      const NumberRange& range = model_.range();
      const double width = range.most - range.least;
      const double wanted = width > 0 ? (truth_.numbers()[r] - range.least) / width : 0;
      const bool clipped = (value(0) > 1 && wanted >= 1) || (value(0) < 0 && wanted <= 0);
      slopes[0] = clipped ? Slope{} : Slope{whole(2 * (value(0) - wanted)), whole(2)};
    } else if (model_.task() == Task::kMultilabel) {
      for (std::size_t o = 0; o < slopes.size(); ++o) {
        const double p = 1 / (1 + std::exp(-value(o)));
        slopes[o] = {whole(p), whole(p * (1 - p))};
      }
      for_each_feature(truth_.labels(), r, [&](std::size_t o) { slopes[o].first -= whole(1); });
    } else {
      const double most = static_cast<double>(std::ranges::max(votes)) / scale();
      double sum = 0;
      for (std::size_t o = 0; o < slopes.size(); ++o) sum += std::exp(value(o) - most);
      for (std::size_t o = 0; o < slopes.size(); ++o) {
        const double p = std::exp(value(o) - most) / sum;
        slopes[o] = {whole(p) - (o == truth_.classes()[r] ? whole(1) : 0), whole(p * (1 - p))};
      }
    }
  }

  const Model& model_;
  const Targets& truth_;
  VotesByClause voters_;
  Predictor predictor_;
  BitMatrix outputs_;
  std::vector<std::int32_t> votes_;
  BitMatrix alive_;  // one row: the clauses that are left
  std::size_t left_;
};

/// The model with the clauses that are left.
Model keep(const Model& model, const Pruner& pruner) {
  ModelParts parts = model.parts();
  parts.clause_starts = {0};
  parts.literals.clear();
  std::vector<std::uint32_t> number(model.clauses());
  for (std::size_t c = 0; c < model.clauses(); ++c) {
    if (!pruner.is_left(c)) continue;
    number[c] = static_cast<std::uint32_t>(parts.clause_starts.size() - 1);
    const auto literals = model.clause(c);
    parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
    parts.clause_starts.push_back(parts.literals.size());
  }
  parts.weights.clear();
  parts.weight_starts = {0};
  for (std::size_t o = 0; o < model.outputs(); ++o) {
    for (const Weight& weight : model.weights(o)) {
      if (pruner.is_left(weight.clause)) parts.weights.push_back({number[weight.clause], weight.votes});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  parts.calibration = {};
  parts.provenance.test_accuracy = parts.provenance.test_rmse = -1;
  return Model(std::move(parts));
}

void check_call(const Model& model, const Rows& rows, const Targets& truth, const PruneOptions& options) {
  if (!(options.within >= 0 && options.within <= 100)) {
    throw ConfigError(fmt::format("within must be from 0 to 100, got {}", options.within));
  }
  if (rows.rows() == 0) throw DataError("pruning needs at least one row");
  if (truth.task() != model.task()) throw DataError("the answers are not of the model's task");
  if (truth.size() != rows.rows()) {
    throw DataError(fmt::format("there must be an answer for each of {} rows, got {}", rows.rows(), truth.size()));
  }
  if (model.task() == Task::kClassification) {
    const auto classes = truth.classes();
    const auto bad = std::ranges::find_if(classes, [&](std::uint32_t c) { return c >= model.outputs(); });
    if (bad != classes.end()) throw DataError(fmt::format("classes must be below {}, got {}", model.outputs(), *bad));
  }
  if (rows.rows() > kMostBits / std::max<std::size_t>(model.clauses(), 1)) {
    throw DataError(fmt::format("pruning {} clauses takes at most {} rows, got {}", model.clauses(),
                                kMostBits / model.clauses(), rows.rows()));
  }
}

}  // namespace

Pruned prune(const Model& model, const Rows& rows, const Targets& truth, const std::string& origin,
             const PruneOptions& options) {
  Merged merged = merge_clauses(model);
  check_call(merged.model, rows, truth, options);
  Pruner pruner(merged.model, rows, truth);
  const bool is_number = model.task() == Task::kRegression;
  const double before = pruner.score();
  const double bound = is_number ? before * (1 + options.within / 100) : before - options.within / 100;
  const auto good = [&](double score) { return is_number ? score <= bound : score >= bound - 1e-12; };
  double after = before;
  const auto leaves = [&](std::span<const std::uint32_t> clauses) {
    pruner.move(clauses, true);
    const double score = pruner.score();
    if (!good(score)) {
      pruner.move(clauses, false);
      return false;
    }
    after = score;
    if (options.progress) options.progress(pruner.left());
    return true;
  };
  constexpr double kLeastPortion = 0.01;
  std::vector<std::uint32_t> order = pruner.by_cost();
  for (double portion = 0.25; portion > kLeastPortion;) {
    const auto count = static_cast<std::size_t>(portion * static_cast<double>(order.size()));
    if (count == 0) break;
    if (leaves(std::span(order).first(count))) {
      order = pruner.by_cost();
    } else {
      portion /= 2;
    }
  }
  // What is left goes one by one, until many in a row are needed.
  constexpr std::size_t kMostNeeded = 30;
  std::size_t needed = 0;
  for (std::size_t next = 0; next + 1 < order.size() && needed < kMostNeeded && pruner.left() > 1; ++next) {
    needed = leaves({&order[next], 1}) ? 0 : needed + 1;
  }
  Model small = keep(merged.model, pruner);
  ModelParts parts = small.parts();
  const std::string score_name = is_number ? "RMSE" : "accuracy";
  const auto score_text = [&](double score) {
    return is_number ? fmt::format("{:.5g}", score) : fmt::format("{:.2f}%", 100 * score);
  };
  parts.provenance.data += fmt::format("; pruned from {} to {} clauses on {} ({} {} to {} there)", model.clauses(),
                                       small.clauses(), origin, score_name, score_text(before), score_text(after));
  Pruned pruned{Model(std::move(parts)), std::move(merged)};
  pruned.after = {pruned.model.clauses(), pruned.model.included()};
  pruned.score_before = before;
  pruned.score_after = after;
  return pruned;
}

}  // namespace falsum
