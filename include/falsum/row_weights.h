// Row weights: how often each row is used in learning, compared with the others. Targets carry them
// (Targets::with_weights).
//
//   weights           3     1     1     0        mean of those above 0: 5/3
//   rates             1.8   0.6   0.6   0        uses in an epoch, on average
//   uses of an epoch  1..2  0..1  0..1  never
//
// The rate of a row is its weight divided by the mean of all weights above 0. So an epoch has as many uses as there are
// rows with a weight, up to chance; only the ratios of the weights matter; weights that are all the same change
// nothing; and a row of weight 0 is as if it were not there.
//
// A row begins with a random share of a use, saves its rate in every epoch, and spends what it has in whole uses. So it
// is used as often as its rate says on average over seeds, and after E epochs with the same weights rate * E times, to
// the next whole number below or above: 4 epochs with the weights 2, 1, 1 have the uses of 3 epochs in which the first
// row is there twice. The share depends on seed and row alone; which epoch it is, and nothing that was learned, decides
// the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "falsum/targets.h"

namespace falsum {

/// Throws DataError unless there is a weight for each row, all are finite and at least 0, and one is above 0. No
/// weights at all are always allowed.
void check_row_weights(std::span<const double> weights, std::size_t rows);

/// False if all are the same: they act as no weights do.
bool weights_differ(std::span<const double> weights);

/// A weight for each class, with which all classes have the same weight in total: all rows' weight divided by the
/// number of classes and the weight of the rows of the class. A class without weight in the rows gets 1.
std::vector<double> balanced_class_weights(const Targets& targets, std::size_t classes);

/// The weight of each row times that of its class. Throws ConfigError unless the targets are classes and each class has
/// a weight that is finite and at least 0.
std::vector<double> times_class_weights(const Targets& targets, std::span<const double> class_weights);

/// The rates of rows, for weights that have been checked.
class RowRates {
 public:
  explicit RowRates(std::span<const double> weights);
  /// Uses of the row in an epoch, on average, in units of 2^-32. Weights are used to this precision.
  std::uint64_t of(std::size_t row) const;

 private:
  std::span<const double> weights_;
  int exponent_;  // of the largest weight: sums of weights divided by its power of two cannot overflow
  double count_ = 0, sum_ = 0;
};

}  // namespace falsum
