// What it costs to learn a machine in several processes: how much of the work each has (divided(), falsum/part.h), and
// what goes over their Collectives. Counts follow from the options, the targets and the number of the epoch alone, and
// are exact: tests compare them with those of machines that learn.
#pragma once

#include <cstdint>
#include <vector>

#include "falsum/options.h"
#include "falsum/part.h"
#include "falsum/targets.h"

namespace falsum {

/// Of one process, in one epoch.
struct MemberCost {
  Part part;
  std::size_t banks = 0;                     // classes, or 1 where outputs share a bank
  double work = 0;                           // its share of the uses x clauses of the machine
  std::uint64_t sums = 0, summed_bytes = 0;  // as in EpochReport
};

/// By process. `epoch`: how many came before.
std::vector<MemberCost> member_costs(const Options& options, const Targets& targets, std::size_t outputs,
                                     std::uint32_t members, std::uint64_t epoch);

/// How the processes are run.
struct ClusterSetting {
  double whole_seconds = 0;  // that one core takes for an epoch of the whole machine
  unsigned cores = 1;        // of each process
  double latency = 30e-6;    // seconds of a message between two processes
};

/// Seconds of an epoch: those of the slowest process. It learns its share on as many cores as it can use, and each sum
/// of n processes takes the latency times log2 n, rounded up.
double epoch_seconds(const std::vector<MemberCost>& members, const Options& options, const ClusterSetting& setting);

}  // namespace falsum
