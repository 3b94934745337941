// MSVC's names for builtins of GCC. Included before every source with MSVC, and only there. Not tested by CI.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__)

#include <immintrin.h>
#include <intrin.h>

#if defined(_M_X64)
#define __x86_64__ 1
#endif

template <class... More>
inline void __builtin_prefetch(const void* address, More...) {
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
}

/// Only the features that dispatch.cpp tests: bits of CPUID leaves 1 and 7, if the system saves the registers.
inline bool __builtin_cpu_supports(const char* name) {
  int leaf[4] = {};
  __cpuid(leaf, 1);
  if ((leaf[2] & (1 << 27)) == 0) return false;  // OSXSAVE
  const unsigned long long kept = _xgetbv(0);
  const int first = leaf[2];
  __cpuidex(leaf, 7, 0);
  const auto bit = [&](int number) { return (leaf[1] >> number & 1) != 0; };
  const char* const kind = name;
  const auto is = [&](const char* other) {
    const char* at = kind;
    while (*at != 0 && *at == *other) ++at, ++other;
    return *at == *other;
  };
  const bool wide = (kept & 6) == 6, widest = (kept & 0xe6) == 0xe6;
  if (is("avx2")) return wide && bit(5);
  if (is("aes")) return (first >> 25 & 1) != 0;
  if (is("vaes")) return wide && (leaf[2] >> 9 & 1) != 0;
  if (is("bmi2")) return bit(8);
  if (is("avx512f")) return widest && bit(16);
  if (is("avx512dq")) return widest && bit(17);
  if (is("avx512bw")) return widest && bit(30);
  if (is("avx512vl")) return widest && bit(31);
  return false;
}

#endif
