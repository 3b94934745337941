// LearnCounters: the work of learning, in numbers that do not depend on the computer.
#pragma once

#include <cstdint>

namespace falsum {

/// Counts of events in learning. Deterministic: the same for every engine and thread count, except the counters of
/// evaluation work, which depend on the engine.
struct LearnCounters {
  std::uint64_t type_1a = 0;          // Type I on a true clause
  std::uint64_t type_1b = 0;          // Type I on a false clause
  std::uint64_t type_2 = 0;           // Type II on a true clause
  std::uint64_t flips = 0;            // automata that crossed the boundary
  std::uint64_t evaluations = 0;      // class sums computed
  std::uint64_t words_compared = 0;   // scan: 64-literal words looked at
  std::uint64_t entries_visited = 0;  // index: inclusion list entries walked
  std::uint64_t columns_joined = 0;   // lookahead: literals of the clauses it evaluated, 256 uses each
  LearnCounters& operator+=(const LearnCounters& other);
  friend bool operator==(const LearnCounters&, const LearnCounters&) = default;
};

}  // namespace falsum
