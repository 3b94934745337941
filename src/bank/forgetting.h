// Forgetting: Type I feedback takes each automaton one step down with probability 1/s. How often that
// happens to an automaton over n events is Binomial(n, 1/s); this table turns one random byte into such a
// count.
//
// Why a binomial. A share s/(s+1) of the Type I events meets a false clause and only decrements. For an *excluded*
// automaton a decrement can never change the clause's output, so the clause only counts the events (Bank: `pending`),
// and its next dense pass draws the decrements of all of them. The distribution is that of n single decrements,
// saturation included, since nothing but decrements happens in between. This is the definition of the machine, not a
// shortcut of one engine: all engines and the naive machine of the tests draw exactly these numbers.
// tests/learn/forgetting_statistics_test.cpp compares it with the textbook machine that decrements one by one.
//
// Precision. tail[n][k] = P(at least k decrements in n events) in units of 2^-31, from the exact recurrence
//   tail[n][k] = tail[n-1][k] + 1/s * (tail[n-1][k-1] - tail[n-1][k])
// in integers. A byte is too coarse for such numbers, so each pass rounds all of them up or down with one 23-bit
// dither: the distribution of every single automaton is exact to 2^-31. (Two automata of one clause share the dither;
// at s = 10 that correlates them by less than 0.00005.)
#pragma once

#include <cstdint>
#include <vector>

#include "bank/clause_slots.h"
#include "kernels/kernels.h"
#include "support/ids.h"
#include "support/random.h"

namespace falsum {

class Forgetting {
 public:
  /// The most pending events of a clause; at this many it settles at once. This bounds the table, and costs 1/255 dense
  /// pass per event.
  static constexpr std::uint32_t kMostPending = 255;

  explicit Forgetting(double specificity);

  /// The decrements that a byte draw stands for after `events` events (0 .. kMostPending + 1), in a pass with this
  /// dither (64 bits).
  void decrements(std::uint32_t events, std::uint64_t dither, Decrements& out) const;

  /// Type Ib on a hot automaton: a byte draw below this value decrements. It is 256 / s, rounded up or down by 24 bits
  /// of dither (forget_dither); 256 when s = 1. Two automata of one event share the dither, which correlates them by
  /// less than 0.00005 at s = 10, 0.0001 at s = 27, and 1/256 at any s.
  std::uint32_t once(std::uint32_t dither) const { return static_cast<std::uint32_t>((once_ + dither) >> 24); }

 private:
  std::uint64_t once_;               // in units of 2^-32
  std::vector<std::uint32_t> tail_;  // rows of non-zero tails, k = 1, 2, ...
  std::vector<std::uint32_t> row_;   // start of each row in tail_, one more at the end
};

/// The forgetting of every clause of a bank: one table for all, or several for a range of s (multigranular clauses).
/// Both polarities have the whole range: the clauses of a group of slots take s from `from` upwards or downwards
/// towards `to`, in at most kLevels steps. A group of up to kLevels clauses has an s for each, s + r * (to - s) /
/// clauses; in a larger one neighbours share theirs, so that there are few tables.
class Forgettings {
 public:
  static constexpr std::size_t kLevels = 32;

  Forgettings(double specificity) { tables_.emplace_back(specificity); }
  /// `to` 0: the same s for all.
  Forgettings(double from, double to, const ClauseSlots& slots);

  const Forgetting& of(ClauseId c) const { return tables_[levels_.empty() ? 0 : levels_[at(c)]]; }

 private:
  std::vector<Forgetting> tables_;
  std::vector<std::uint8_t> levels_;  // by clause; empty if there is one table
};

}  // namespace falsum
