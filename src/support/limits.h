// What no data, machine or file may exceed, whoever reads or makes it. Data, models and machines have one limit each,
// so that what can be loaded can be learned, and what was learned can be read again.
#pragma once

#include <cstdint>

namespace falsum {

/// Features of data, of a vocabulary, of a machine and of a model. There are two literals for each, and ids of literals
/// and of their automata are computed in 32 and 64 bits with room to spare.
inline constexpr std::uint64_t kMaxFeatures = std::uint64_t{1} << 26;

inline constexpr std::uint64_t kMaxClasses = 1000000;

}  // namespace falsum
