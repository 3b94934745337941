// ClauseSlots: the positions of the clauses' bits in words of outputs, selections and signs.
//
//   two groups   | 0 .. n/2-1 | padding to 64 | n/2 .. n-1 | padding to 64 |   votes are popcounts of whole words
//   one group    | 0 .. n-1 | padding to 64 |                                   for signs that are learned
//
// Clauses are selected for feedback by slot, so the learned machine depends on its groups.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "support/bits.h"
#include "support/ids.h"

namespace falsum {

/// The clauses first .. last-1 of a bank; a number stands for that many from 0 on.
struct ClauseRange {
  ClauseRange(std::size_t count) : last(count) {}
  ClauseRange(std::size_t from, std::size_t to) : first(from), last(to) {}
  std::size_t size() const { return last - first; }
  bool has(ClauseId c) const { return at(c) >= first && at(c) < last; }

  std::size_t first = 0, last;
};

class ClauseSlots {
 public:
  ClauseSlots(std::size_t clauses, std::size_t groups)
      : clauses_(clauses), groups_(groups), group_(clauses / groups), group_words_(words_for(group_)) {
    assert((groups == 1 || groups == 2) && clauses % groups == 0);
  }

  std::size_t clauses() const { return clauses_; }
  std::size_t groups() const { return groups_; }
  std::size_t group_words() const { return group_words_; }
  std::size_t words() const { return groups_ * group_words_; }
  std::size_t slots() const { return 64 * words(); }

  std::size_t slot(ClauseId c) const { return at(c) < group_ ? at(c) : at(c) - group_ + 64 * group_words_; }
  ClauseId clause_at(std::size_t slot) const {
    return static_cast<ClauseId>(slot < 64 * group_words_ ? slot : slot - 64 * group_words_ + group_);
  }
  bool has_clause(std::size_t slot) const {
    return (slot < 64 * group_words_ ? slot : slot - 64 * group_words_) < group_;
  }
  /// The words first .. second-1 that have the slots of a range, which is not empty.
  std::pair<std::size_t, std::size_t> words_of(const ClauseRange& range) const {
    return {slot(static_cast<ClauseId>(range.first)) / 64, slot(static_cast<ClauseId>(range.last - 1)) / 64 + 1};
  }
  /// The slots of a word that have a clause.
  std::uint64_t used(std::size_t word) const {
    const std::size_t left = group_ - 64 * (word < group_words_ ? word : word - group_words_);
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }

 private:
  std::size_t clauses_, groups_, group_, group_words_;
};

}  // namespace falsum
