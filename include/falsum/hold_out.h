// Rows held out of learning, for calibration or early stopping: the same share of every class, and the same rows for
// the same seed and labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace falsum {

/// Whether each row is held out: the rounded share of the rows of each class, but one row of a class stays. If that is
/// no row at all, one of the largest class. Throws ConfigError unless 0 < share < 1, DataError if every class has only
/// one row.
std::vector<bool> held_out_rows(std::span<const std::uint32_t> labels, double share, std::uint64_t seed);

}  // namespace falsum
