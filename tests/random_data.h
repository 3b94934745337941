// Small random data for tests: rows whose label can be learned, in the shapes that the library and the naive machine
// take.
#pragma once

#include <cstdint>
#include <vector>

#include "falsum/bit_matrix.h"
#include "naive_machine.h"

namespace falsum {

/// Uniform in 0 .. n-1, from a counter: tests stay reproducible on every standard library.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : key_(mix64(seed)) {}
  std::uint64_t operator()() { return child(key_, next_++); }
  std::uint64_t below(std::uint64_t n) { return bounded((*this)(), n); }
  bool chance(double p) { return static_cast<double>((*this)() >> 11) * 0x1.0p-53 < p; }

 private:
  std::uint64_t key_, next_ = 0;
};

struct RandomData {
  BitMatrix rows;
  NaiveMachine::Rows naive_rows;
  std::vector<std::uint32_t> labels;

  /// The label depends on the first few features, with some noise.
  RandomData(std::uint64_t seed, std::size_t count, std::size_t features, std::size_t classes) : rows(count, features) {
    TestRandom random(seed);
    for (std::size_t r = 0; r < count; ++r) {
      naive_rows.emplace_back(features);
      std::uint64_t code = 0;
      for (std::size_t k = 0; k < features; ++k) {
        const bool on = random.chance(k % 3 == 0 ? 0.5 : 0.2);
        naive_rows[r][k] = on;
        if (on) rows.set(r, k);
        if (k < 4) code = code * 2 + on;
      }
      labels.push_back(static_cast<std::uint32_t>(random.chance(0.1) ? random.below(classes) : code % classes));
    }
  }
};

}  // namespace falsum
