// Random numbers that are the same on every system: splitmix64 (Steele, Lea and Flood, 2014).
#pragma once

#include <cstdint>

namespace falsum::hex {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }
  /// Below n, which is less than 2^32; so slightly uneven that no game will tell.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((*this)() >> 32) * n >> 32); }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

/// A seed of its own for each game of each round.
inline std::uint64_t seed_of(std::uint64_t seed, std::uint64_t a, std::uint64_t b = 0) {
  return Random(Random(Random(seed)() ^ a)() ^ b)();
}

}  // namespace falsum::hex
