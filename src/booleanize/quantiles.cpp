#include <algorithm>
#include <cmath>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "support/format.h"

namespace falsum {
namespace {

/// The number with the fewest digits in the middle half between low and high: 41 and 42 give 41.5, 0.1 and
/// 0.2 give 0.15 and not 0.15000000000000002. Neighbouring doubles give high, which cuts the same way
/// because the feature is value >= threshold.
double readable_between(double low, double high) {
  const double middle = low / 2 + high / 2;
  const double quarter = high / 4 - low / 4;
  for (int digits = 1; digits <= 17; ++digits) {
    const double rounded = parse_number(fmt::format("{:.{}e}", middle, digits - 1)).value_or(high);
    if (rounded > low && rounded < high && std::abs(rounded - middle) <= quarter) return rounded;
  }
  return high;
}

/// The same for dates (days) and times (seconds): the roundest unit of the calendar above low and up to high.
double readable_time_between(double low, double high, ColumnKind unit) {
  const double middle = low / 2 + high / 2;
  for (const double step : {86400.0, 3600.0, 60.0, 1.0}) {
    const double size = unit == ColumnKind::kDate ? step / 86400 : step;
    const double rounded = std::ceil(middle / size) * size;
    if (rounded > low && rounded <= high) return rounded;
  }
  return high;
}

}  // namespace

std::vector<double> quantile_thresholds(std::vector<double> values, std::size_t count, ColumnKind unit) {
  std::sort(values.begin(), values.end());
  std::vector<std::size_t> cuts;  // positions where a new distinct value begins
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i - 1] < values[i]) cuts.push_back(i);
  }
  std::vector<std::size_t> chosen;
  if (cuts.size() <= count) {
    chosen = cuts;
  } else {
    for (std::size_t q = 1; q <= count; ++q) {
      const std::size_t wanted = values.size() * q / (count + 1);
      auto nearest = std::lower_bound(cuts.begin(), cuts.end(), wanted);
      if (nearest == cuts.end() || (nearest != cuts.begin() && wanted - nearest[-1] < *nearest - wanted)) --nearest;
      if (chosen.empty() || chosen.back() != *nearest) chosen.push_back(*nearest);
    }
  }
  std::vector<double> thresholds;
  for (const std::size_t cut : chosen) {
    const double low = values[cut - 1], high = values[cut];
    thresholds.push_back(unit == ColumnKind::kNumber ? readable_between(low, high)
                                                     : readable_time_between(low, high, unit));
  }
  return thresholds;
}

}  // namespace falsum
