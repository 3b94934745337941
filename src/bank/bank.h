// Bank: the automata of one class. The only writer of includes; every change of an include is reported as a
// flip, and only then do engines learn of it.
//
//   states    clause 0: | literal 0 .. 2o-1 | padding to 64 |   one byte an automaton; top bit on = included
//             clause 1: | ...
//   included  the top bits again, 64 to a word: what evaluation reads
//   pending   per clause: Type Ib events that excluded automata still owe (see bank/forgetting.h)
//   released  per clause: literals that left the clause since its last dense pass. They took part in each of those
//             events one by one while included, so they go on forgetting one by one until the next dense pass
//
// The *hot* automata of a clause are the included and the released ones: they forget at once, all others later.
//
// Clauses 0 .. n/2-1 vote for the class, the rest against. In bit words of clause outputs the negative half starts
// at a fresh word (`slot`), so that votes are popcounts. Padding automata are false in both halves of every
// LiteralRow: they are only ever decremented and never included.
//
// Cost: Type Ia and II touch every automaton of the clause once (a dense pass); Type Ib only the hot ones.
// Memory: 9/8 byte an automaton, and 40 bytes a clause.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bank/forgetting.h"
#include "kernels/kernels.h"
#include "literals/literal_row.h"
#include "support/aligned.h"
#include "support/ids.h"

namespace falsum {

class ByteReader;
class ByteWriter;

/// Told of every include that comes or goes.
class FlipListener {
 public:
  virtual void flipped(ClauseId clause, LiteralId literal, bool included) = 0;

 protected:
  ~FlipListener() = default;
};

class Bank {
 public:
  Bank(std::size_t clauses, std::size_t features, std::uint32_t states);

  std::size_t clauses() const { return clauses_; }
  std::size_t positives() const { return clauses_ / 2; }
  std::size_t literals() const { return 2 * features_; }
  std::size_t features() const { return features_; }
  std::size_t words() const { return words_; }  // 64-literal words of a clause
  std::size_t slots() const { return 128 * words_for(positives()); }
  /// The clause's bit in words of outputs.
  std::size_t slot(ClauseId c) const { return at(c) < positives() ? at(c) : at(c) - positives() + slots() / 2; }
  ClauseId clause_at(std::size_t slot) const {
    return static_cast<ClauseId>(slot < slots() / 2 ? slot : slot - slots() / 2 + positives());
  }

  const std::uint64_t* included(ClauseId c) const { return included_.data() + at(c) * words_; }
  bool includes(ClauseId c, LiteralId l) const { return (included(c)[at(l) / 64] >> (at(l) % 64)) & 1; }
  std::uint8_t state(ClauseId c, LiteralId l) const { return states_[at(c) * words_ * 64 + at(l)]; }
  std::uint64_t bytes() const;

  /// How feedback is drawn; one per machine, shared by its classes.
  struct Rules {
    const Kernels& kernels;
    const Forgetting& forgetting;
    bool boost;
  };

  // Feedback on one clause, drawn from `key`. Each returns the number of flips, reported to `listener` in turn.
  std::size_t type_1a(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener);
  std::size_t type_1b(ClauseId c, DrawKey key, const Rules& rules, FlipListener& listener);
  std::size_t type_2(ClauseId c, const LiteralRow& row, DrawKey key, const Rules& rules, FlipListener& listener);

  /// Sets one automaton, as a test or a repaired file would.
  void set_state(ClauseId c, LiteralId l, std::uint8_t state, FlipListener& listener);

  void write(ByteWriter& writer) const;
  /// Reads what write() wrote for a bank of this shape; anything else is a FileError.
  void read(ByteReader& reader);

 private:
  std::uint8_t* row(ClauseId c) { return states_.data() + at(c) * words_ * 64; }
  std::size_t dense(DenseKind kind, ClauseId c, const LiteralRow* row, DrawKey key, const Rules& rules,
                    FlipListener& listener);

  std::size_t clauses_, features_, words_;
  std::uint8_t lowest_, highest_;
  AlignedArray<std::uint8_t> states_;
  AlignedArray<std::uint64_t> included_;
  std::vector<std::uint8_t> pending_;
  std::vector<std::vector<std::uint32_t>> released_;
  std::vector<std::uint64_t> hot_, flips_;  // scratch of one dense pass
};

}  // namespace falsum
