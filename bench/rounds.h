// What the benchmarks of falsum's own engines share: time around a piece of work, figures of several rounds, and the
// rule that results are compared before speed.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "clock.h"

namespace falsum::bench {

/// Processor time of work().
template <class Work>
double seconds_of(Work&& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

inline void agree(bool same, const std::string& what) {
  if (!same) throw std::logic_error(what + " differ: this is a mistake in falsum");
}

}  // namespace falsum::bench
