// Averaging: several models of the same features and outputs as one, whose votes are the sums of theirs. A machine with
// `snapshots` gives the sum of its clauses after each of its last epochs, which errs less than the last epoch alone.
//
// Equal clauses of an output (the same literals) become one clause, with the sum of their votes as its weight; clauses
// without literals, and those whose votes cancel, are left out. So the model is smaller than its parts together, and
// rules and explanations stay exact sums.
#pragma once

#include <cstdint>
#include <span>

#include "falsum/model.h"

namespace falsum {

/// The sum, with the description and provenance of the last model and no calibration. With `factors`, one for each
/// model, their votes are multiplied first. The options are those of the last model, with `snapshots` such that
/// vote_scale() is the sum of theirs.
/// Throws ConfigError for models of other features, outputs, tasks or ranges of numbers, for fuzzy models, and where
/// the votes of a clause do not fit 32 bits.
Model sum_of(std::span<const Model> models, std::span<const std::int64_t> factors = {});

}  // namespace falsum
