// What learning takes, known before anything is allocated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "falsum/options.h"

namespace falsum {

/// Bytes at the worst moment, which comes early: the first true example of a clause includes half of all literals.
/// Classes come to it one by one, as many at a time as there are threads; what clauses forget of it after that follows
/// from s and the samples, how long they grow by learning depends on the data, and is taken for as long as was ever
/// measured (docs/reliability.md).
struct MemoryEstimate {
  std::uint64_t automata = 0;  // a byte each
  std::uint64_t included = 0;  // what clauses hold of their literals while they are long
  std::uint64_t engine = 0;    // what evaluates the clauses
  std::uint64_t testing = 0;   // a model of them, made ready to predict
  std::uint64_t checkpoint = 0;
  std::uint64_t data = 0;
  std::uint64_t loading = 0;  // what loading the data took, most of which has been given back
  std::uint64_t total() const {
    return std::max(loading, automata + included + engine + std::max(testing, checkpoint) + data);
  }
};
/// What is known besides the machine's shape.
struct LearningUse {
  std::uint64_t samples = 0;  // 0: many. Few leave clauses long
  bool tested = false;        // a model is made and predicts after every epoch
  bool checkpointed = false;  // checkpoints are written
  std::uint64_t data = 0;     // bytes that are held already
  std::uint64_t loading = 0;  // bytes that were held at most until now
};
MemoryEstimate estimate_memory(const Options& options, std::uint64_t features, std::uint64_t classes,
                               const LearningUse& use = {});

/// The bytes that options.max_memory allows: what this process may have when it is 0; 0 if that is not known.
std::uint64_t memory_limit(const Options& options);

/// Throws ConfigError, which says what to lower and to how much, when a machine of this shape would need more than
/// memory_limit().
void check_memory(const Options& options, std::uint64_t features, std::uint64_t classes, const LearningUse& use = {});

}  // namespace falsum
