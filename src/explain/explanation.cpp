#include "falsum/explanation.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "explain/settings.h"
#include "falsum/error.h"
#include "literals/row_features.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::size_t kMostChanges = 40;
constexpr std::size_t kFewChanges = 300;          // so many single changes, and all pairs of them are tried
constexpr std::size_t kWideBeam = 32, kBeam = 8;  // second column, later ones
constexpr std::size_t kRowsAtOnce = 512;

BitMatrix packed_row(const Model& model, const Rows& row) {
  if (row.rows() != 1) throw DataError(fmt::format("one row can be explained at a time, got {}", row.rows()));
  if (row.columns() != model.features()) {
    throw DataError(
        fmt::format("the data have {} features but the model was made for {}", row.columns(), model.features()));
  }
  row.check();
  BitMatrix packed(1, row.columns());
  for_each_feature(row, 0, [&](std::size_t feature) { packed.set(0, feature); });
  return packed;
}

/// A column and one of its values.
struct Step {
  std::uint32_t column = 0, value = 0;
  auto operator<=>(const Step&) const = default;
};

/// Some steps, and how far the votes are from the wanted answer: 0 or less is there.
struct Path {
  std::vector<Step> steps;  // ascending
  std::int64_t distance = 0;
  std::size_t flips = 0;  // features that differ from the row
  std::vector<std::int32_t> votes = {};
  bool better_than(const Path& other) const {
    return std::tuple(distance, flips, steps) < std::tuple(other.distance, other.flips, other.steps);
  }
  /// Of paths that are there: the least that is changed, then the clearest.
  bool shorter_than(const Path& other) const {
    return std::tuple(flips, distance, steps) < std::tuple(other.flips, other.distance, other.steps);
  }
};

class Search {
 public:
  Search(const Settings& settings, const Predictor& predictor, const BitMatrix& row, std::uint32_t wanted,
         bool any_other)
      : settings_(settings), predictor_(predictor), row_(row), wanted_(wanted), any_other_(any_other) {
    before_ = predictor.votes(row);
    if (predictor.task() == Task::kClassification) answer_ = winners(before_, before_.size()).front();
    for (std::size_t column = 0; column < settings.columns(); ++column) {
      features_.push_back(settings.features(column));
      values_.push_back(settings.values(column));
      for (std::size_t v = 0; v < values_.back().size(); ++v) {
        const Step step{static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(v)};
        if (flips_of(step) > 0) steps_.push_back(step);
      }
    }
  }

  std::optional<Path> find(bool& proven) {
    std::vector<Path> beam = {Path{{}, distance(before_), 0}};
    const bool all_pairs = steps_.size() <= kFewChanges;
    for (std::size_t depth = 1; depth <= std::min(kMostChanges, settings_.columns()) && !beam.empty(); ++depth) {
      std::optional<Path> best;
      beam = expand(beam, best, depth > 1 ? kBeam : all_pairs ? kFewChanges : kWideBeam);
      if (!best) continue;
      shorten(*best);
      // All single changes were tried, and perhaps all pairs.
      proven = best->steps.size() <= (all_pairs ? 3 : 2);
      return best;
    }
    return std::nullopt;
  }

 private:
  /// Votes that are missing to the wanted answer.
  std::int64_t distance(std::span<const std::int32_t> votes) const {
    if (predictor_.task() == Task::kMultilabel) {
      std::int64_t least = INT64_MAX;
      for (std::size_t o = 0; o < votes.size(); ++o) {
        if (!any_other_ && o != wanted_) continue;
        least = std::min(least, before_[o] > 0 ? std::int64_t{votes[o]} : 1 - std::int64_t{votes[o]});
      }
      return least;
    }
    // A class wins by one vote more than those before it, and by as many as those after it.
    const auto lead_over = [&](std::size_t mine, std::size_t other) {
      return std::int64_t{votes[other]} - votes[mine] + (other < mine ? 1 : 0);
    };
    if (any_other_) {
      std::int64_t least = INT64_MAX;
      for (std::size_t o = 0; o < votes.size(); ++o) {
        if (o != answer_) least = std::min(least, lead_over(o, answer_));
      }
      return least;
    }
    std::int64_t most = INT64_MIN;
    for (std::size_t o = 0; o < votes.size(); ++o) {
      if (o != wanted_) most = std::max(most, lead_over(wanted_, o));
    }
    return most;
  }

  std::size_t flips_of(const Step& step) const {
    const auto& features = features_[step.column];
    const auto& value = values_[step.column][step.value];
    std::size_t flips = 0;
    for (std::size_t k = 0; k < features.size(); ++k) flips += row_.get(0, features[k]) != value[k];
    return flips;
  }

  void apply(const Path& path, BitMatrix& rows, std::size_t r) const {
    std::ranges::copy(row_.row(0), rows.row(r).begin());
    for (const Step& step : path.steps) {
      const auto& features = features_[step.column];
      const auto& value = values_[step.column][step.value];
      for (std::size_t k = 0; k < features.size(); ++k) {
        rows.row(r)[features[k] / 64] &= ~(std::uint64_t{1} << (features[k] % 64));
        if (value[k]) rows.set(r, features[k]);
      }
    }
  }

  void count_votes(std::span<Path> paths) const {
    BitMatrix rows(paths.size(), row_.columns());
    for (std::size_t p = 0; p < paths.size(); ++p) apply(paths[p], rows, p);
    const std::vector<std::int32_t> votes = predictor_.votes(rows);
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const std::span<const std::int32_t> own(votes.data() + p * before_.size(), before_.size());
      paths[p].distance = distance(own);
      if (paths[p].distance <= 0) paths[p].votes.assign(own.begin(), own.end());
    }
  }

  /// All paths of the beam with one step more: the best `width` of them, and in `best` the one that is there.
  std::vector<Path> expand(const std::vector<Path>& beam, std::optional<Path>& best, std::size_t width) const {
    std::vector<Path> kept, block;
    std::set<std::vector<Step>> seen;
    const auto finish_block = [&] {
      count_votes(block);
      for (Path& path : block) {
        if (path.distance <= 0 && (!best || path.shorter_than(*best))) best = path;
        kept.push_back(std::move(path));
      }
      block.clear();
      const auto better = [](const Path& a, const Path& b) { return a.better_than(b); };
      if (kept.size() > width) {
        std::ranges::partial_sort(kept, kept.begin() + static_cast<std::ptrdiff_t>(width), better);
        kept.resize(width);
      }
    };
    for (const Path& path : beam) {
      for (const Step& step : steps_) {
        if (std::ranges::any_of(path.steps, [&](const Step& s) { return s.column == step.column; })) continue;
        Path longer{path.steps, 0, path.flips + flips_of(step)};
        longer.steps.insert(std::ranges::upper_bound(longer.steps, step), step);
        if (beam.size() > 1 && !seen.insert(longer.steps).second) continue;
        block.push_back(std::move(longer));
        if (block.size() == kRowsAtOnce) finish_block();
      }
    }
    finish_block();
    return kept;
  }

  /// Leaves out steps that are not needed.
  void shorten(Path& path) const {
    for (std::size_t s = 0; path.steps.size() > 1 && s < path.steps.size();) {
      Path fewer = path;
      fewer.steps.erase(fewer.steps.begin() + static_cast<std::ptrdiff_t>(s));
      count_votes({&fewer, 1});
      if (fewer.distance > 0) {
        ++s;
      } else {
        path = fewer;
      }
    }
  }

  const Settings& settings_;
  const Predictor& predictor_;
  const BitMatrix& row_;
  std::uint32_t wanted_;
  bool any_other_;
  std::uint32_t answer_ = 0;
  std::vector<std::int32_t> before_;
  std::vector<std::vector<std::uint32_t>> features_;
  std::vector<std::vector<std::vector<bool>>> values_;
  std::vector<Step> steps_;
};

}  // namespace

struct Explainer::Parts {
  Parts(const Model& of, std::vector<std::string> column_names)
      : model(of), conditions(of, std::move(column_names)), settings(conditions), predictor(of) {}
  const Model& model;
  Conditions conditions;
  Settings settings;
  Predictor predictor;
};

Explainer::Explainer(const Model& model, std::vector<std::string> column_names)
    : parts_(std::make_unique<const Parts>(model, std::move(column_names))) {}
Explainer::~Explainer() = default;

const Predictor& Explainer::predictor() const { return parts_->predictor; }

Explanation Explainer::explain(const Rows& row) const {
  const BitMatrix packed = packed_row(parts_->model, row);
  RuleRecords records = record_rules(parts_->conditions, packed);
  std::erase_if(records.rules, [](const RuleRecord& record) { return record.rows == 0; });
  for (RuleRecord& record : records.rules) record.special_case_of.reset();  // positions among rules that are gone
  return {parts_->predictor.votes(packed), std::move(records.rules)};
}

std::optional<SmallestChange> Explainer::smallest_change(const Rows& row, std::optional<std::uint32_t> wanted) const {
  const Model& model = parts_->model;
  if (model.task() == Task::kRegression) {
    throw ConfigError("the smallest change is for classes and labels, and the model answers with numbers");
  }
  if (wanted && *wanted >= model.outputs()) {
    throw ConfigError(fmt::format("wanted must be below {}, got {}", model.outputs(), *wanted));
  }
  const BitMatrix packed = packed_row(model, row);
  if (wanted && model.task() == Task::kClassification) {
    const std::vector<std::int32_t> votes = parts_->predictor.votes(packed);
    if (winners(votes, votes.size()).front() == *wanted) {
      throw ConfigError(fmt::format("{} is the answer already", output_labels(model)[*wanted]));
    }
  }
  bool proven = false;
  Search search(parts_->settings, parts_->predictor, packed, wanted.value_or(0), !wanted);
  const std::optional<Path> path = search.find(proven);
  if (!path) return std::nullopt;
  SmallestChange change{{}, path->votes, proven};
  for (const Step& step : path->steps) {
    const std::vector<std::uint32_t> features = parts_->settings.features(step.column);
    std::vector<bool> now;
    for (const std::uint32_t feature : features) now.push_back(packed.get(0, feature));
    change.changes.push_back({step.column, parts_->settings.text(step.column, now),
                              parts_->settings.text(step.column, parts_->settings.values(step.column)[step.value])});
  }
  return change;
}

}  // namespace falsum
