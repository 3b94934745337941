// Advice: what probably keeps a machine from learning well, and what to do about it, a sentence for each. It is given
// after learning and changes nothing. A machine with the numbers of the law of defaults (defaults.h) rarely gets any.
//
//   for (const std::string& sentence : advice(machine, facts, targets, report)) std::puts(sentence.c_str());
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "falsum/defaults.h"
#include "falsum/machine.h"
#include "falsum/targets.h"

namespace falsum {

/// For a machine that classifies; none for other tasks. `last`: the report of its last epoch. `labels`: the names of
/// the classes, or none.
std::vector<std::string> advice(const Machine& machine, const DataFacts& facts, const Targets& targets,
                                const EpochReport& last, std::span<const std::string> labels = {});

}  // namespace falsum
