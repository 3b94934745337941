// Team: the processes that learn one machine together. This command is a team of one; falsum-mpi (../mpi) has others.
// The first process prints, tests and writes files; all others learn their parts.
#pragma once

#include <cstdint>

#include "falsum/data_digest.h"
#include "falsum/machine.h"

namespace falsum::cli {

class Team {
 public:
  virtual ~Team() = default;
  virtual bool is_alone() const { return true; }
  virtual bool is_first() const { return true; }

  /// What this process holds of a machine.
  virtual Part part_of(const Options&, std::size_t /*outputs*/) { return {}; }
  /// Called by all before learning. Throws unless all are about to learn the same machine from the same data.
  virtual void begin(Machine&, const DataDigest&) {}
  /// Called by all after every epoch, with whether this process is asked to stop; returns whether any of them is.
  /// Replaces the counts of the report by those of all, and throws if what they have learned does not fit together.
  virtual bool end_epoch(const Machine&, EpochReport&, bool stop) { return stop; }
  /// Called by all: the whole machine in the first process, their own parts in the others.
  virtual const Machine& whole(const Machine& machine) { return machine; }
};

}  // namespace falsum::cli
