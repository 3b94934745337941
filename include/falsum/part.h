// Part: what of a machine a Machine holds. Machine::join puts the checkpoints of parts together; parts may learn in
// other processes, on other computers and at other times.
//
//   some classes   The update of a class reads only that class (docs/architecture.md), so a machine of some classes
//                  learns, alone, the very bits that the whole machine learns for them.
//   a shard        A range of the clauses of each class, or of the bank that outputs share. What shards need of each
//                  other is the sum of their votes, by a Collective (falsum/collective.h): for every use, or with the
//                  option `sharded` once for every block of uses. They learn the bits of the whole machine as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "falsum/options.h"

namespace falsum {

struct Part {
  /// Classes or labels, ascending; empty: all.
  std::vector<std::uint32_t> classes = {};
  /// Which of `shards` ranges of clauses, from 0 on.
  std::uint32_t shard = 0, shards = 1;

  bool is_whole() const { return classes.empty() && shards == 1; }
  friend bool operator==(const Part&, const Part&) = default;
};

/// A shard has at least so many clauses.
inline constexpr std::int64_t kLeastClausesOfAShard = 8;

/// The parts of a machine for so many members, in their order: by class as long as there are classes, then every class
/// in shards. Members with the same classes are neighbours. Throws ConfigError if there are more members than parts.
std::vector<Part> divided(const Options& options, std::size_t outputs, std::uint32_t members);

/// "classes 0, 3 and 5", "class 7", "all classes", "shard 2 of 4 of class 7" (counted from 1 on).
std::string text_of(const Part& part);

}  // namespace falsum
