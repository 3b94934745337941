// What the fuzz targets share. Each target is a file of its own, gets bytes, and must end in a result or a
// falsum::Error: anything else (a crash, a sanitizer's report, another exception, too much memory or time) is a bug.
//
//   make fuzz FUZZ="--runs 10000000"   long
//   make test-fuzz                     briefly, as CI does
//
// Seeds are made by fuzz/seeds.py; what was found to break something becomes a file in tests/hostile. Executions are
// what finds things, so a target does what is slow for one input in many, chosen by a hash of it: the same input always
// does the same.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "falsum/booleanizer.h"
#include "falsum/error.h"
#include "falsum/source.h"

namespace falsum::fuzz {

inline std::string_view bytes_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// True for one input in `many`; `purpose` makes the choices for two purposes independent.
inline bool one_in(std::uint64_t many, std::string_view bytes, std::uint64_t purpose = 0) {
  return XXH64(bytes.data(), bytes.size(), purpose) % many == 0;
}

/// What a program does next with data: features are fitted and applied.
inline void use(const Source& source) {
  constexpr std::size_t kMostBits = std::size_t{1} << 16;  // so that a run is short, not because more would fail
  const Booleanizer booleanizer = Booleanizer::fit(source);
  if (booleanizer.features() * source.rows() > kMostBits) return;
  const BitMatrix bits = booleanizer.transform(source);
  if (bits.rows() != source.rows() || bits.columns() != booleanizer.features()) __builtin_trap();
  if (!source.labels.empty()) encode_labels(source, distinct_labels(source.labels));
}

/// Loads by `load(bytes, options)`, one half of all inputs as data with labels, the other without.
template <class Load>
int try_load(std::string_view bytes, Load&& load) {
  LoadOptions options;
  options.labelled = one_in(2, bytes);
  try {
    use(load(bytes, options));
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace falsum::fuzz
