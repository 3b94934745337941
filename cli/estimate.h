// What `train --dry-run` prints: how the data are understood, and the memory that learning would take.
#pragma once

#include "falsum/memory.h"
#include "training.h"

namespace falsum::cli {

/// `use.held`, the memory of the data, is known by now; the rest is computed.
void print_estimate(const Options& options, const TrainingJob& job, const LearningUse& use, bool json);

}  // namespace falsum::cli
