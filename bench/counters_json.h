// Counters of work as JSON, for the benchmarks that write them beside their times.
#pragma once

#include <nlohmann/json.hpp>

#include "falsum/falsum.h"

namespace falsum::bench {

inline nlohmann::ordered_json counters_json(const LearnCounters& c) {
  return {{"type_1a", c.type_1a},
          {"type_1b", c.type_1b},
          {"type_2", c.type_2},
          {"flips", c.flips},
          {"evaluations", c.evaluations},
          {"words_compared", c.words_compared},
          {"entries_visited", c.entries_visited},
          {"columns_joined", c.columns_joined}};
}

}  // namespace falsum::bench
