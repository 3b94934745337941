// Kernels: the loops that touch every automaton or every clause, once per instruction set.
//
//   dense_body.h, select_body.h  the algorithm, written once over a 64-lane vector type
//   scalar.cpp avx2.cpp avx512.cpp  that type for one instruction set, in a few lines
//   dispatch.cpp  which sets exist here; chosen once per machine or predictor, never per clause
//
// All sets draw the same random bits and give the same results (tests run every one). Kernel files hold no
// standard containers and call no shared inline functions: code built with -mavx2 must not leak into the
// baseline through weak symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/random.h"

namespace falsum {

/// How many decrements a byte draw u stands for: `always` plus one for every value above u. Values descend.
/// Bank and Forgetting (bank/forgetting.h) fill these in; see there for the law they follow.
struct Decrements {
  std::uint32_t always = 0;
  std::uint32_t size = 0;
  std::uint8_t value[256] = {};
};

enum class DenseKind : std::uint8_t {
  kSettle,       // catch up on forgetting, nothing else
  kRewardAll,    // Type Ia, boosted: true literals +1, false ones may be forgotten once more
  kRewardSome,   // Type Ia, not boosted: true literals +1 unless a draw says no
  kIncludeMore,  // Type II: false literals +1 (all of them are excluded, the clause being true)
};

/// One pass over all automata of a clause.
struct DensePass {
  DenseKind kind;
  std::uint8_t* states;             // words * 64 bytes, 64-aligned; >= 128 includes
  std::size_t words;                // 64-literal blocks
  const std::uint64_t* truths;      // of the example (not read by kSettle)
  const std::uint64_t* falsehoods;  //
  const std::uint64_t* hot;         // automata that forget at once, so owe nothing here
  std::uint64_t* included;          // in and out
  std::uint64_t* flips;             // out: included before xor after
  DrawKey key;
  std::uint8_t lowest, highest;    // saturation bounds
  const Decrements* owed;          // of an automaton that is not hot
  const Decrements* owed_and_one;  // of one that is not hot and whose literal is false (reward kinds)
  const Decrements* one;           // of a hot one whose literal is false (reward kinds)
};

struct Kernels {
  const char* name;
  /// True when any automaton flipped.
  bool (*dense_pass)(const DensePass& pass);
  /// Bit j of out is on when draw16(key, j) < threshold (0 .. 65536), for j in 0 .. words * 64 - 1.
  void (*select)(DrawKey key, std::uint32_t threshold, std::size_t words, std::uint64_t* out);
  /// Bit j of out is on when flags[j] has its top bit off, for j in 0 .. words * 64 - 1.
  void (*unflagged)(const std::uint8_t* flags, std::size_t words, std::uint64_t* out);
};

/// The kernel sets this CPU can run, slowest first. "scalar" is always there.
std::vector<const Kernels*> supported_kernels();

/// By name, or the fastest for "auto". An unknown or unsupported name is a ConfigError.
const Kernels& find_kernels(const std::string& name);

}  // namespace falsum
