// A number that stands for everything a machine has learned, without the compression that a checkpoint adds.
#pragma once

#include <xxhash.h>

#include <cstdint>

#include "learn/trainer.h"
#include "support/bytes.h"

namespace falsum {

inline std::uint64_t state_digest(const Trainer& trainer) {
  ByteWriter writer;
  for (std::size_t c = 0; c < trainer.learners(); ++c) {
    trainer.learner(c).bank().write(writer);
    trainer.learner(c).weights().write(writer);  // nothing where clauses have one vote
    writer.u64(trainer.learner(c).uses());
  }
  return XXH64(writer.bytes().data(), writer.bytes().size(), 0);
}

}  // namespace falsum
