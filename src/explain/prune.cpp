#include "falsum/prune.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "explain/keep_clauses.h"
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

/// The slope and the curvature of the loss by the votes of an output, as whole numbers: sums of them are exact.
struct Slope {
  std::int64_t first = 0, second = 0;
};
constexpr double kOne = 1 << 20;

std::int64_t whole(double value) { return std::llround(value * kOne); }

/// A smooth loss of given votes, of which the least is wanted.
class Loss {
 public:
  Loss(const Model& model, const Targets& truth, std::span<const std::int32_t> votes)
      : model_(model), truth_(truth), votes_(votes), unit_(static_cast<double>(vote_scale(model.options()))) {
    if (model.task() != Task::kRegression) unit_ = std::max(unit_ / 4, 1.0);
    if (model.task() != Task::kClassification) return;
    for (std::size_t r = 0; r < truth.size(); ++r) {
      double most = value(r, 0), sum = 0;
      for (std::size_t o = 1; o < model.outputs(); ++o) most = std::max(most, value(r, o));
      for (std::size_t o = 0; o < model.outputs(); ++o) sum += std::exp(value(r, o) - most);
      norms_.push_back(most + std::log(sum));
    }
  }

  /// Votes that are one unit of the loss.
  double unit() const { return unit_; }

  /// By the votes of an output, for every row.
  std::vector<Slope> slopes(std::size_t output) const {
    std::vector<Slope> slopes(truth_.size());
    for (std::size_t r = 0; r < slopes.size(); ++r) slopes[r] = slope(r, output);
    return slopes;
  }

 private:
  double value(std::size_t r, std::size_t output) const {
    return static_cast<double>(votes_[r * model_.outputs() + output]) / unit_;
  }
  Slope slope(std::size_t r, std::size_t output) const {
    if (model_.task() == Task::kRegression) {
      const NumberRange& range = model_.range();
      const double width = range.most - range.least;
      const double wanted = width > 0 ? (truth_.numbers()[r] - range.least) / width : 0;
      const bool clipped = (value(r, 0) > 1 && wanted >= 1) || (value(r, 0) < 0 && wanted <= 0);
      return clipped ? Slope{} : Slope{whole(2 * (value(r, 0) - wanted)), whole(2)};
    }
    const bool several = model_.task() == Task::kMultilabel;
    const double p = several ? 1 / (1 + std::exp(-value(r, output))) : std::exp(value(r, output) - norms_[r]);
    bool applies = !several && truth_.classes()[r] == output;
    if (several) for_each_feature(truth_.labels(), r, [&](std::size_t label) { applies |= label == output; });
    return {whole(p) - (applies ? whole(1) : 0), whole(p * (1 - p))};
  }

  const Model& model_;
  const Targets& truth_;
  std::span<const std::int32_t> votes_;
  double unit_;
  std::vector<double> norms_;  // of a class's e^value: the logarithm of their sum
};

/// Clauses leave a model, and the votes on the given rows follow: only rows that a clause is true of are looked at.
class Pruner {
 public:
  Pruner(const Model& model, const Rows& rows, const Targets& truth)
      : model_(model),
        truth_(truth),
        voters_(model),
        predictor_(model),
        rows_of_(rows_of_clauses(model, rows)),
        fuzzy_votes_(is_fuzzy(model.options()) ? fuzzy_votes(model, rows) : std::vector<std::uint16_t>{}),
        votes_(predictor_.votes(rows)),
        is_left_(model.clauses(), true),
        left_(model.clauses()),
        is_right_(rows.rows()) {
    std::vector<std::size_t> all(rows.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    judge(all);
  }

  std::size_t left() const { return left_; }
  const std::vector<bool>& is_left() const { return is_left_; }
  /// The first of the task's scores.
  double score() const {
    if (is_number()) return scores(predictor_.answers(votes_).view(), truth_).front().value;
    return static_cast<double>(right_) / static_cast<double>(is_right_.size());
  }

  /// Clauses that are left, those whose loss costs least first.
  std::vector<std::uint32_t> by_cost() const {
    const Loss loss(model_, truth_, votes_);
    std::vector<double> cost(model_.clauses());
    for (std::size_t output = 0; output < model_.outputs(); ++output) {
      const std::vector<Slope> slopes = loss.slopes(output);
      for (const Weight& weight : model_.weights(output)) {
        if (!is_left_[weight.clause]) continue;
        double first = 0, second = 0;
        for_each_row(weight.clause, [&](std::size_t r, double value) {
          first += value * static_cast<double>(slopes[r].first);
          second += value * value * static_cast<double>(slopes[r].second);
        });
        const double w = static_cast<double>(weight.votes) / loss.unit();
        cost[weight.clause] += -w * first + w * w * second / 2;
      }
    }
    std::vector<std::uint32_t> order;
    for (std::size_t c = 0; c < model_.clauses(); ++c) {
      if (is_left_[c]) order.push_back(static_cast<std::uint32_t>(c));
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return cost[c]; });
    return order;
  }

  /// Takes clauses out, or back in.
  void move(std::span<const std::uint32_t> clauses, bool out) {
    std::vector<std::uint64_t> touched(rows_of_.words_per_row());
    for (const std::uint32_t c : clauses) {
      is_left_[c] = !out;
      for (std::size_t w = 0; w < touched.size(); ++w) touched[w] |= rows_of_.row(c)[w];
      for (const VotesByClause::Vote& vote : voters_.of(c)) {
        const std::int32_t change = out ? -vote.votes : vote.votes;
        for_each_row(c, [&](std::size_t r, std::int32_t value) {
          votes_[r * model_.outputs() + vote.output] += change * value;
        });
      }
    }
    left_ = out ? left_ - clauses.size() : left_ + clauses.size();
    std::vector<std::size_t> rows;
    for_each_bit(touched.data(), touched.size(), [&](std::size_t r) { rows.push_back(r); });
    judge(rows);
  }

 private:
  bool is_number() const { return model_.task() == Task::kRegression; }

  /// Rows that a clause is true of, and its votes there if its weight is 1.
  template <class Visit>
  void for_each_row(std::size_t clause, const Visit& visit) const {
    const std::uint64_t* const words = rows_of_.row(clause).data();
    if (fuzzy_votes_.empty()) {
      for_each_bit(words, rows_of_.words_per_row(), [&](std::size_t r) { visit(r, 1); });
    } else {
      const std::uint16_t* const values = fuzzy_votes_.data() + clause * rows_of_.columns();
      for_each_bit(words, rows_of_.words_per_row(), [&](std::size_t r) { visit(r, std::int32_t{values[r]}); });
    }
  }

  /// Which of these rows are answered right now. Of numbers there is none.
  void judge(std::span<const std::size_t> rows) {
    if (is_number()) return;
    std::vector<std::int32_t> votes;
    for (const std::size_t r : rows) {
      const auto own = votes_.begin() + static_cast<std::ptrdiff_t>(r * model_.outputs());
      votes.insert(votes.end(), own, own + static_cast<std::ptrdiff_t>(model_.outputs()));
    }
    const AnyTargets answers = predictor_.answers(votes);
    const Targets given = answers.view();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool right = same_answer(given, i, truth_, rows[i]);
      right_ += right;
      right_ -= is_right_[rows[i]];
      is_right_[rows[i]] = right;
    }
  }

  const Model& model_;
  const Targets& truth_;
  VotesByClause voters_;
  Predictor predictor_;
  BitMatrix rows_of_;  // of each clause: a bit for each row that it is true of
  std::vector<std::uint16_t> fuzzy_votes_;
  std::vector<std::int32_t> votes_;
  std::vector<bool> is_left_;  // by clause
  std::size_t left_;
  std::vector<bool> is_right_;  // by row
  std::size_t right_ = 0;
};

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
  const std::size_t bits = is_fuzzy(model.options()) ? 17 : 1;
  const std::size_t most_rows = kMostBits / bits / std::max<std::size_t>(model.clauses(), 1);
  if (rows.rows() > most_rows) {
    throw DataError(
        fmt::format("pruning {} clauses takes at most {} rows, got {}", model.clauses(), most_rows, rows.rows()));
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
  ModelParts parts = keep_clauses(merged.model, pruner.is_left());
  parts.calibration = {};
  parts.provenance.test_accuracy = parts.provenance.test_rmse = -1;
  const std::string score_name = is_number ? "RMSE" : "accuracy";
  const auto score_text = [&](double score) {
    return is_number ? fmt::format("{:.5g}", score) : fmt::format("{:.2f}%", 100 * score);
  };
  parts.provenance.data += fmt::format("; pruned from {} to {} clauses on {} ({} {} to {} there)", model.clauses(),
                                       pruner.left(), origin, score_name, score_text(before), score_text(after));
  Pruned pruned{Model(std::move(parts)), std::move(merged)};
  pruned.after = {pruned.model.clauses(), pruned.model.included()};
  pruned.score_before = before;
  pruned.score_after = after;
  return pruned;
}

}  // namespace falsum
