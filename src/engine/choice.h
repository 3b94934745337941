// What "auto" stands for.
#pragma once

#include <cstddef>
#include <string>

namespace falsum {

/// Clauses per class from which the index is faster than the scan. A scan leaves most clauses after a few words, so
/// with few clauses the index does not earn its upkeep: on MNIST the two meet between 200 and 400 clauses.
constexpr std::size_t kIndexPays = 256;

inline std::string choose_engine(const std::string& asked, std::size_t clauses) {
  return asked != "auto" ? asked : clauses >= kIndexPays ? "index" : "scan";
}

}  // namespace falsum
