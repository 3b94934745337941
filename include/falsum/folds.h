// Folds: rows that a machine does not learn from, so that its answers to them are honest. Few rows are divided into
// three folds, each held out once; of many one part is held out, and of very many only some are learned from, since a
// number or a ranking needs no more. Depends on labels and seed only.
//
//   Calibration fitted = calibrate_on_folds(rows, targets, options, outputs);   // machine.model().calibrated(fitted)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "falsum/calibration.h"
#include "falsum/machine.h"

namespace falsum {

struct Fold {
  std::vector<bool> held;      // by row: the machine of this fold answers it
  std::vector<double> weight;  // by row: 0 for those that it does not learn from
};

/// Three folds for fewer than 1,000 rows, one with `share` of the rows held out for more. Of more than 12,500 rows,
/// 2,000 are held out and 10,000 learned from. `weights`: of the rows, or none. Throws DataError if every class has
/// only one row.
std::vector<Fold> folds_of(std::span<const std::uint32_t> labels, std::span<const double> weights, double share,
                           std::uint64_t seed);

/// The votes of one model for rows that are held out, appended to `votes`, and their labels to `truth`.
void append_held_votes(const Model& model, const Options& run, const Rows& rows, std::span<const std::uint32_t> labels,
                       const Fold& fold, std::vector<std::int32_t>& votes, std::vector<std::uint32_t>& truth);

/// A temperature for the machine that learns these rows with these options: a machine of the same options is learned
/// for each fold, for options.epochs epochs, and the temperature is fitted to the votes for rows held out. `progress`
/// as in Machine, for all folds together; no calibration if it returns false, or if there are fewer than three rows for
/// each class. Classes only.
Calibration calibrate_on_folds(const Rows& rows, const Targets& targets, const Options& options, std::size_t outputs,
                               const Machine::Progress& progress = {});

}  // namespace falsum
