// Limits of data, machines and files, for all readers and writers. Data, models and machines share each limit, so that
// all data that can be loaded can be learned, and every learned model can be read again.
#pragma once

#include <cstdint>

namespace falsum {

/// Features of data, of a vocabulary, of a machine and of a model. Each feature has two literals; ids of literals and
/// of their automata then fit well into 32 and 64 bits.
inline constexpr std::uint64_t kMaxFeatures = std::uint64_t{1} << 26;

inline constexpr std::uint64_t kMaxClasses = 1000000;

/// Rows of an epoch and of a file of packed rows: their numbers have 32 bits.
inline constexpr std::uint64_t kMostRows = 0xffffffff;

}  // namespace falsum
