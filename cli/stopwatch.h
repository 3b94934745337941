// Seconds since construction, by a clock that never goes back.
#pragma once

#include <chrono>

namespace falsum::cli {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
};

}  // namespace falsum::cli
