#include "falsum/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "falsum/error.h"
#include "falsum/model.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr double kLeastTemperature = 1e-6, kMostTemperature = 1e6;  // of a file
constexpr std::int64_t kMostLead = std::int64_t{1} << 33;
constexpr double kLeastFitted = 0.02, kMostFitted = 10;

// Few rows say little, and a handful of rows that are all right would want temperature 0. The penalty counts as much as
// a few rows, and its centre is typical of small tables.
constexpr double kUsual = 0.625, kPenalty = 3;

using Votes = std::span<const std::int32_t>;

void divide_by_sum(std::span<double> p) {
  double sum = 0;
  for (const double each : p) sum += each;
  for (double& each : p) each = sum > 0 ? each / sum : 1 / static_cast<double>(p.size());
}

/// Of two classes each is pushed when the other is pushed back, so that half the difference of their votes is one
/// estimate from both. As a function of the difference alone it ranks rows as the difference does.
void law(Votes votes, double threshold, std::span<double> p) {
  const auto others = static_cast<double>(votes.size() - 1);
  const double middle = votes.size() == 2 ? (double{1} * votes[0] + votes[1]) / 2 : 0;
  for (std::size_t c = 0; c < votes.size(); ++c) {
    const double v = std::clamp<double>(votes[c] - middle, -threshold, threshold);
    const double up = threshold + v, down = others * (threshold - v);
    p[c] = up / std::max(up + down, 1e-300);  // 0 / 0 for a single output that votes -T
  }
  divide_by_sum(p);
}

void softmax(Votes votes, double scale, std::span<double> p) {
  const double most = *std::max_element(votes.begin(), votes.end());
  for (std::size_t c = 0; c < votes.size(); ++c) p[c] = std::exp((votes[c] - most) / scale);
  divide_by_sum(p);
}

/// For each class its votes less the most of another class. A single output leads by its votes.
class Leads {
 public:
  explicit Leads(Votes votes) : votes_(votes) {
    first_ = static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
    if (votes.size() < 2) return;
    std::int64_t second = std::numeric_limits<std::int64_t>::min();
    for (std::size_t c = 0; c < votes.size(); ++c) {
      if (c != first_) second = std::max<std::int64_t>(second, votes[c]);
    }
    second_ = second;
  }
  std::int64_t operator[](std::size_t output) const {
    if (output == first_) return votes_[output] - second_;
    return std::int64_t{votes_[output]} - votes_[first_];
  }

 private:
  Votes votes_;
  std::size_t first_ = 0;
  std::int64_t second_ = 0;
};

double height(const std::vector<CurvePoint>& curve, std::int64_t lead) {
  const auto above = std::upper_bound(curve.begin(), curve.end(), lead,
                                      [](std::int64_t v, const CurvePoint& point) { return v < point.lead; });
  if (above == curve.begin()) return curve.front().probability;
  if (above == curve.end()) return curve.back().probability;
  const CurvePoint &low = above[-1], &high = *above;
  const double share = static_cast<double>(lead - low.lead) / static_cast<double>(high.lead - low.lead);
  return low.probability + share * (high.probability - low.probability);
}

void isotonic(Votes votes, const std::vector<std::vector<CurvePoint>>& curves, std::span<double> p) {
  const Leads leads(votes);
  for (std::size_t c = 0; c < votes.size(); ++c) p[c] = height(curves[c], leads[c]);
  divide_by_sum(p);
}

/// Makes the winner's probability the largest, and among equal ones the first that is found.
void agree_with_winner(Votes votes, std::span<double> p) {
  const auto winner = static_cast<std::size_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
  std::vector<std::size_t> above;
  for (std::size_t c = 0; c < p.size(); ++c) {
    if (p[c] > p[winner]) above.push_back(c);
  }
  if (!above.empty()) {
    std::sort(above.begin(), above.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    double sum = p[winner];
    std::size_t pooled = 0;
    while (pooled < above.size() && p[above[pooled]] * static_cast<double>(pooled + 1) > sum) sum += p[above[pooled++]];
    const double mean = sum / static_cast<double>(pooled + 1);
    for (std::size_t i = 0; i < above.size(); ++i) p[above[i]] = i < pooled ? mean : std::min(p[above[i]], mean);
    p[winner] = mean;
  }
  for (std::size_t c = 0; c < winner; ++c) {
    if (p[c] >= p[winner]) p[c] = std::nextafter(p[winner], 0.0);
  }
}

void check_sizes(std::size_t votes, std::size_t labels, std::size_t outputs) {
  if (outputs == 0 || labels * outputs != votes) {
    throw DataError(
        fmt::format("{} labels and {} outputs need {} votes, got {}", labels, outputs, labels * outputs, votes));
  }
}

/// The sum over the rows of -ln P of their labels.
double sum_of_log_losses(Votes votes, std::span<const std::uint32_t> labels, std::size_t outputs, double scale) {
  double loss = 0;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const Votes row = votes.subspan(r * outputs, outputs);
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const std::int32_t v : row) sum += std::exp((v - most) / scale);
    loss += std::log(sum) - (row[labels[r]] - most) / scale;
  }
  return loss;
}

double fit_temperature(Votes votes, std::span<const std::uint32_t> labels, std::size_t outputs, double threshold) {
  const auto cost = [&](double log_temperature) {
    const double away = log_temperature - std::log(kUsual);
    return sum_of_log_losses(votes, labels, outputs, threshold * std::exp(log_temperature)) + kPenalty * away * away;
  };
  // Golden section: a step takes one evaluation and keeps 0.618 of the interval.
  const double keep = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(kLeastFitted), high = std::log(kMostFitted);
  double a = high - keep * (high - low), b = low + keep * (high - low);
  double at_a = cost(a), at_b = cost(b);
  for (int step = 0; step < 36; ++step) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - keep * (high - low);
      at_a = cost(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + keep * (high - low);
      at_b = cost(b);
    }
  }
  return std::exp((low + high) / 2);
}

/// Pool adjacent violators on the leads and truth of one class. One row at each end that contradicts the others keeps
/// the curve off 0 and 1.
std::vector<CurvePoint> fit_curve(std::vector<std::pair<std::int64_t, bool>> rows) {
  struct Pool {
    std::int64_t first, last;
    std::uint64_t rows, hits;
  };
  std::sort(rows.begin(), rows.end());
  std::vector<Pool> pools;
  const auto join = [&] {  // while the last but one is not below the last
    while (pools.size() > 1) {
      Pool& before = pools[pools.size() - 2];
      const Pool& last = pools.back();
      if (before.hits * last.rows < last.hits * before.rows) return;
      before = {before.first, last.last, before.rows + last.rows, before.hits + last.hits};
      pools.pop_back();
    }
  };
  for (std::size_t i = 0; i < rows.size();) {
    const std::uint64_t contrary = i == 0 ? 1 : 0;
    Pool pool = {rows[i].first, rows[i].first, contrary, contrary};
    for (; i < rows.size() && rows[i].first == pool.first; ++i) {
      ++pool.rows;
      pool.hits += rows[i].second;
    }
    if (i == rows.size()) ++pool.rows;
    pools.push_back(pool);
    join();
  }
  std::vector<CurvePoint> curve;
  for (const Pool& pool : pools) {
    const double share = static_cast<double>(pool.hits) / static_cast<double>(pool.rows);
    curve.push_back({pool.first, share});
    if (pool.last != pool.first) curve.push_back({pool.last, share});
  }
  return curve;
}

std::vector<std::vector<CurvePoint>> fit_curves(Votes votes, std::span<const std::uint32_t> labels,
                                                std::size_t outputs) {
  std::vector<Leads> leads;
  leads.reserve(labels.size());
  for (std::size_t r = 0; r < labels.size(); ++r) leads.emplace_back(votes.subspan(r * outputs, outputs));
  std::vector<std::vector<CurvePoint>> curves;
  for (std::size_t output = 0; output < outputs; ++output) {
    std::vector<std::pair<std::int64_t, bool>> rows;
    rows.reserve(labels.size());
    for (std::size_t r = 0; r < labels.size(); ++r) rows.emplace_back(leads[r][output], labels[r] == output);
    curves.push_back(fit_curve(std::move(rows)));
  }
  return curves;
}

}  // namespace

std::string_view name_of(CalibrationMethod method) {
  return method == CalibrationMethod::kTemperature ? "temperature"
         : method == CalibrationMethod::kIsotonic  ? "isotonic"
                                                   : "none";
}

CalibrationMethod calibration_named(std::string_view name) {
  for (const CalibrationMethod method : {CalibrationMethod::kTemperature, CalibrationMethod::kIsotonic}) {
    if (name == name_of(method)) return method;
  }
  throw ConfigError(
      fmt::format("calibration must be temperature or isotonic, got {}", name.empty() ? "nothing" : name));
}

void check_calibration(const Calibration& calibration, std::size_t outputs) {
  const auto require = [](bool holds, const char* otherwise) {
    if (!holds) throw ConfigError(otherwise);
  };
  if (calibration.method == CalibrationMethod::kTemperature) {
    require(calibration.temperature >= kLeastTemperature && calibration.temperature <= kMostTemperature,
            "the temperature of its calibration is impossible");
  }
  if (calibration.method != CalibrationMethod::kIsotonic) return;
  require(calibration.curves.size() == outputs, "its calibration has another number of curves than classes");
  for (const std::vector<CurvePoint>& curve : calibration.curves) {
    require(!curve.empty(), "a curve of its calibration has no points");
    for (std::size_t i = 0; i < curve.size(); ++i) {
      require(curve[i].probability >= 0 && curve[i].probability <= 1, "a probability of its calibration is impossible");
      require(curve[i].lead <= kMostLead && curve[i].lead >= -kMostLead, "the votes of its calibration are impossible");
      require(i == 0 || (curve[i].lead > curve[i - 1].lead && curve[i].probability >= curve[i - 1].probability),
              "a curve of its calibration does not rise");
    }
  }
}

std::vector<double> probabilities(Votes votes, std::size_t outputs, std::int64_t threshold,
                                  const Calibration& calibration) {
  if (outputs == 0 || votes.size() % outputs != 0) {
    throw DataError(fmt::format("{} votes are not rows of {} outputs", votes.size(), outputs));
  }
  const auto t = static_cast<double>(threshold);
  std::vector<double> all(votes.size());
  for (std::size_t at = 0; at < votes.size(); at += outputs) {
    const Votes row = votes.subspan(at, outputs);
    const std::span<double> p(all.data() + at, outputs);
    switch (calibration.method) {
      case CalibrationMethod::kNone:
        law(row, t, p);
        break;
      case CalibrationMethod::kTemperature:
        softmax(row, t * calibration.temperature, p);
        break;
      case CalibrationMethod::kIsotonic:
        isotonic(row, calibration.curves, p);
        break;
    }
    agree_with_winner(row, p);
  }
  return all;
}

Calibration fit_calibration(CalibrationMethod method, Votes votes, std::span<const std::uint32_t> labels,
                            std::size_t outputs, std::int64_t threshold) {
  check_sizes(votes.size(), labels.size(), outputs);
  if (labels.empty()) throw DataError("calibration needs at least one row");
  for (const std::uint32_t label : labels) {
    if (label >= outputs) throw DataError(fmt::format("label {} is not one of {} classes", label, outputs));
  }
  Calibration calibration;
  calibration.method = method;
  calibration.rows = labels.size();
  if (method == CalibrationMethod::kTemperature) {
    calibration.temperature = fit_temperature(votes, labels, outputs, static_cast<double>(threshold));
  } else if (method == CalibrationMethod::kIsotonic) {
    calibration.curves = fit_curves(votes, labels, outputs);
  }
  return calibration;
}

Calibration fit_calibration(CalibrationMethod method, Votes votes, std::span<const std::uint32_t> labels,
                            const Model& model) {
  return fit_calibration(method, votes, labels, model.outputs(), vote_scale(model.options()));
}

ProbabilityScore score_probabilities(std::span<const double> p, std::span<const std::uint32_t> labels,
                                     std::size_t outputs) {
  check_sizes(p.size(), labels.size(), outputs);
  ProbabilityScore score;
  if (labels.empty()) return score;
  std::array<double, kCalibrationBins> gaps{};  // by bin: rows that are right, less their probabilities
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const std::span<const double> row = p.subspan(r * outputs, outputs);
    const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    const auto bin = static_cast<std::size_t>(row[best] * static_cast<double>(kCalibrationBins));
    gaps[std::min(bin, kCalibrationBins - 1)] += (best == labels[r] ? 1 : 0) - row[best];
    score.log_loss -= std::log(std::max(row[labels[r]], 1e-15));
  }
  for (const double gap : gaps) score.calibration_error += std::abs(gap);
  score.log_loss /= static_cast<double>(labels.size());
  score.calibration_error /= static_cast<double>(labels.size());
  return score;
}

}  // namespace falsum
