// Seconds since construction: by a monotonic clock, and in processor time of all threads together, which is more
// meaningful on a shared computer.
#pragma once

#include <chrono>
#include <ctime>

namespace falsum::cli {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  double cpu_seconds() const { return static_cast<double>(std::clock() - cpu_began_) / CLOCKS_PER_SEC; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
  std::clock_t cpu_began_ = std::clock();
};

}  // namespace falsum::cli
