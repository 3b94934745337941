// An estimate of the memory for learning, before anything is allocated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "falsum/options.h"

namespace falsum {

/// Bytes at the peak, which comes early: the first true example of a clause includes half of all literals. At most as
/// many classes as threads are in this state at a time. How fast clauses then forget these literals follows from s and
/// the samples. How long clauses grow by learning depends on the data; they are assumed to grow to the longest length
/// that we have measured (docs/reliability.md).
struct MemoryEstimate {
  std::uint64_t automata = 0;  // a byte each
  std::uint64_t included = 0;  // lists of included literals, while clauses are long
  std::uint64_t engine = 0;    // the engine's own data
  std::uint64_t testing = 0;   // a model of the clauses and its predictor
  std::uint64_t checkpoint = 0;
  std::uint64_t data = 0;
  std::uint64_t loading = 0;  // peak while loading the data; most of it has been freed
  std::uint64_t total() const {
    return std::max(loading, automata + included + engine + std::max(testing, checkpoint) + data);
  }
};
/// Facts about the run, besides the machine's shape.
struct LearningUse {
  std::uint64_t samples = 0;  // 0: many. Few leave clauses long
  bool tested = false;        // a model is made and predicts after every epoch
  bool checkpointed = false;  // checkpoints are written
  std::uint64_t data = 0;     // bytes already allocated
  std::uint64_t loading = 0;  // peak of the bytes allocated so far
};
MemoryEstimate estimate_memory(const Options& options, std::uint64_t features, std::uint64_t classes,
                               const LearningUse& use = {});

/// The bytes that options.max_memory allows. If the option is 0: the memory available to this process, or 0 if unknown.
std::uint64_t memory_limit(const Options& options);

/// Throws ConfigError when a machine of this shape would need more than memory_limit(). The message names the option to
/// lower and a value that fits.
void check_memory(const Options& options, std::uint64_t features, std::uint64_t classes, const LearningUse& use = {});

}  // namespace falsum
