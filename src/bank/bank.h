// Bank: the automata of a set of clauses, and nothing else: the bank does not know the votes of a clause
// (vote/weights.h). Only the bank changes includes. It reports every change as a flip; engines learn of changes only
// through flips.
//
//   rows    clause 0: | literal 0 .. 2o-1 | padding to 64 |   one byte an automaton; top bit on = in the hot set
//           clause 1: | ...
//   hot     per clause: ids and states of its hot automata (hot_set.h); their bytes in the row are frozen above 127
//   pending per clause: Type Ib events not yet applied to the other automata (forgetting.h)
//
// Hot are the automata that were included when the clause's last dense pass ended, or later. They forget at once, all
// others in the next dense pass. A hot automaton below 128 is released: it has left the clause since that pass. The row
// alone tells a dense pass which automata have no pending events.
//
// Invariant I3: between two dense passes of a clause all its automata that are not hot have had the same number of
// Type Ib events. So one count for the clause is enough, and forgetting can wait. Code that would give some literals
// fewer events than others must settle the clause first (tests/bank/bank_test.cpp).
//
// Padding automata are false in both halves of every LiteralRow: they are only ever decremented and never included.
//
// A bank may hold a range of the clauses alone (falsum/part.h). Clauses keep their numbers in the whole bank, since
// draws depend on them; only the rows and hot sets are counted from the first.
//
// Cost: Type Ia and II touch every automaton of the clause once (a dense pass); Type Ib only the hot ones.
// Memory: a byte an automaton, 3 bytes a hot automaton (5 beyond 65,536 literals) and 25 a clause.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bank/clause_slots.h"
#include "bank/forgetting.h"
#include "bank/hot_set.h"
#include "kernels/kernels.h"
#include "literals/literal_row.h"
#include "support/aligned.h"
#include "support/ids.h"

namespace falsum {

class ByteReader;
class ByteWriter;

/// Receives every flip: the literals that one event included, or those that it excluded, in one call.
class FlipListener {
 public:
  virtual void flipped(ClauseId clause, const IdList& literals, bool included) = 0;

 protected:
  ~FlipListener() = default;
};

/// Where nothing was prepared that flips could change.
class IgnoresFlips final : public FlipListener {
 public:
  void flipped(ClauseId, const IdList&, bool) override {}
};

class Bank {
 public:
  Bank(ClauseRange clauses, std::size_t features, std::uint32_t states);

  std::size_t clauses() const { return clauses_.size(); }
  const ClauseRange& range() const { return clauses_; }
  std::size_t literals() const { return 2 * features_; }
  std::size_t features() const { return features_; }
  std::size_t words() const { return words_; }  // 64-literal words of a clause

  /// visit(LiteralId) for every literal of the clause, dropped ones too, in no order.
  template <class Visit>
  void for_each_included(ClauseId c, Visit&& visit) const {
    const HotSet& hot = this->hot(c);
    for (std::uint32_t i = 0; i < hot.included(); ++i) visit(static_cast<LiteralId>(hot.id(i)));
    for_each_dropped(c, [&](std::uint32_t l, std::uint8_t state) {
      if (state >= kInclude) visit(static_cast<LiteralId>(l));
    });
  }
  /// The literals that decide the clause's output: those that it includes, without dropped ones.
  IdList included(ClauseId c) const { return hot(c).ids(0, hot(c).included()); }
  /// The literals that the clause includes, dropped ones too.
  std::size_t length(ClauseId c) const {
    return hot(c).included() + (dropped_.empty() ? 0 : dropped_included_[place(c)]);
  }
  std::uint8_t state(ClauseId c, LiteralId l) const;
  bool includes(ClauseId c, LiteralId l) const { return state(c, l) >= kInclude; }
  const HotSet& hot(ClauseId c) const { return hot_[place(c)]; }
  std::uint64_t bytes() const;

  /// How feedback is drawn; one per machine, shared by its banks.
  struct Law {
    const Kernels& kernels;
    const Forgettings& forgetting;
    bool boost;
    std::uint32_t most_pending = Forgetting::kMostPending;  // at this many pending events a clause settles
  };

  /// The working memory of one thread. Several threads may work on one bank at a time, on different clauses.
  struct Worker {
    static constexpr std::size_t kTogether = 16;  // Type Ib events
    Worker(const Bank& bank, FlipListener& told)
        : listener(told),
          next(static_cast<ClauseId>(bank.range().first)),
          lost(kTogether * bank.words() + 1),
          risen(bank.words() + 1),
          draws(bank.literals()),
          rewards(bank.literals()) {}
    FlipListener& listener;
    ClauseId next;                             // whose dense pass comes next: only a hint
    std::vector<LostWord> lost;                // hot automata that left their clauses in a Type Ib event
    std::vector<RisenWord> risen;              // lanes that a dense pass included
    std::vector<std::uint8_t> draws, rewards;  // of hot automata in a dense pass
  };

  // Feedback on one clause, drawn from the event's key; Type Ib on up to Worker::kTogether clauses of one use. Each
  // returns the number of flips, after reporting them to the worker's listener.
  std::size_t type_1a(ClauseId c, const LiteralRow& row, std::uint64_t event, const Law& law, Worker& worker);
  std::size_t type_1b(std::span<const ClauseId> clauses, std::uint64_t use_key, const Law& law, Worker& worker);
  std::size_t type_2(ClauseId c, const LiteralRow& row, std::uint64_t event, const Law& law, Worker& worker);

  // Dropped literals: no clause sees them, so they count as true, and their automata stay as they are. They leave the
  // bank's rows and hot sets until they are restored, so that no pass has to know of them.

  /// Drops these literals, which ascend; none may be dropped at the time.
  void drop_literals(std::vector<std::uint32_t> literals, FlipListener& listener);
  /// Restores the dropped literals. By invariant I3 every clause settles first, with draws from this key.
  void restore_literals(std::uint64_t key, const Law& law, Worker& worker);

  /// Prefetches the memory that a dense pass will touch first; the pass fetches the rest of the row while it runs.
  void prefetch_row(ClauseId c) const {
    for (std::size_t w = 0; w < std::min<std::size_t>(words_, 16); ++w) __builtin_prefetch(row(c) + 64 * w, 1);
  }

  /// Prefetches what Type Ib reads of these clauses.
  void prefetch_hot(std::span<const ClauseId> clauses) const {
    for (const ClauseId c : clauses) hot(c).prefetch_states();
  }
  /// Prefetches what included() refers to.
  void prefetch_included(ClauseId c) const { hot(c).prefetch_ids(); }

  /// Sets one automaton, as a test or a repaired file would.
  void set_state(ClauseId c, LiteralId l, std::uint8_t state, FlipListener& listener);

  void write(ByteWriter& writer) const;
  /// Reads the output of write() for a bank of this shape; throws FileError for anything else.
  void read(ByteReader& reader);

 private:
  static constexpr std::uint8_t kInclude = 128;  // the lowest state that includes

  /// visit(literal, state) for every dropped literal.
  template <class Visit>
  void for_each_dropped(ClauseId c, const Visit& visit) const {
    for (std::size_t i = 0; i < dropped_.size(); ++i)
      visit(dropped_[i], dropped_states_[place(c) * dropped_.size() + i]);
  }

  /// Among the clauses that are here.
  std::size_t place(ClauseId c) const { return at(c) - clauses_.first; }
  ClauseId clause_at(std::size_t place) const { return static_cast<ClauseId>(clauses_.first + place); }
  HotSet& hot(ClauseId c) { return hot_[place(c)]; }
  std::uint8_t* row(ClauseId c) { return rows_.data() + place(c) * words_ * 64; }
  const std::uint8_t* row(ClauseId c) const { return rows_.data() + place(c) * words_ * 64; }
  std::size_t dense(DenseKind kind, ClauseId c, const LiteralRow* literals, std::uint64_t event, const Law& law,
                    Worker& worker);
  void refresh_hot(const DensePass& pass, ClauseId c, const LiteralRow* literals, const Kernels& kernels,
                   Worker& worker);

  ClauseRange clauses_;
  std::size_t features_, words_;
  std::uint8_t lowest_, highest_;
  AlignedArray<std::uint8_t> rows_;
  std::vector<HotSet> hot_;
  std::vector<std::uint8_t> pending_;
  std::vector<std::uint32_t> dropped_;           // literals that are dropped, ascending
  std::vector<std::uint8_t> dropped_states_;     // clause by clause
  std::vector<std::uint32_t> dropped_included_;  // by clause: how many of them it includes
};

}  // namespace falsum
