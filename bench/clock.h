// What a single-threaded benchmark goes by: processor time. Others on the machine move it less than wall time.
#pragma once

#include <ctime>

namespace falsum::bench {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace falsum::bench
