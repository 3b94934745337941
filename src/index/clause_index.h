// ClauseIndex: the paper's index over the clauses of one class (its section 3).
//
//   inclusion lists   for every literal the clauses that include it: L_k
//   positions         for every clause its position in the lists of its literals: M_j (position_table.h)
//
//   x1   | C1+  C3-  C2+ |        insert(C, l): append C to l's list, remember its position     O(1)
//   x2   | C1-  C2-      |        erase(C, l):  move the list's last clause into C's place,
//   !x1  | C1-  C2-      |                      correct that clause's position, remove C's     O(1)
//
// An example falsifies exactly the clauses in the lists of its false literals: all others are true.
// Built by flips alone while the bank learns; never rebuilt. Derived data: check(bank) tests whether it is correct.
//
// Memory is proportional to the included literals, not to clauses x literals: with 16-bit ids (up to 65,535 clauses and
// literals) 2 bytes per list entry and 4 per position, plus slack: 10 to 12 bytes per included literal, where the
// paper's two tables take 4 bytes for every automaton. At the paper's densities (58 of 1,568 literals, 116 of 10,000)
// that adds 42% and 14% to the automata, not 200% and more: tests/index/clause_index_test.cpp prints it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "bank/bank.h"
#include "index/position_table.h"
#include "support/ids.h"

namespace falsum {

/// The index with ids of one width; ClauseIndex picks the width.
template <class Id>
class BasicClauseIndex {
 public:
  BasicClauseIndex(std::size_t clauses, std::size_t literals) : lists_(literals), positions_(clauses) {}

  void insert(ClauseId clause, LiteralId literal) {
    List& list = lists_[at(literal)];
    positions_[at(clause)].insert(at(literal), list.size, lists_.size());
    list.push(static_cast<Id>(at(clause)));
  }
  void erase(ClauseId clause, LiteralId literal) {
    List& list = lists_[at(literal)];
    const std::size_t hole = positions_[at(clause)].find(at(literal));
    assert(hole < list.size && list.entries[hole] == at(clause));
    const Id last = list.entries[list.size - 1];
    list.entries[hole] = last;
    list.pop();
    positions_[last].assign(at(literal), hole);  // before the erase: the last may be the clause itself
    positions_[at(clause)].erase(at(literal), lists_.size());
  }

  std::span<const Id> list(LiteralId literal) const {
    return {lists_[at(literal)].entries.get(), lists_[at(literal)].size};
  }
  /// 0-based; PositionTable<Id>::kNone when the clause does not include the literal.
  std::size_t position(ClauseId clause, LiteralId literal) const { return positions_[at(clause)].find(at(literal)); }

  std::uint64_t bytes() const;
  bool check(const Bank& bank) const;

 private:
  struct List {
    std::unique_ptr<Id[]> entries;
    std::uint32_t size = 0, capacity = 0;
    void push(Id id) {
      if (size == capacity) resize(capacity + capacity / 2 + 4);
      entries[size++] = id;
    }
    void pop() {
      if (--size < capacity / 2 && capacity > 16) resize(size + size / 4 + 4);
    }
    void resize(std::uint32_t wanted);
  };
  std::vector<List> lists_;
  std::vector<PositionTable<Id>> positions_;
};

class ClauseIndex {
 public:
  ClauseIndex(std::size_t clauses, std::size_t literals);

  void insert(ClauseId clause, LiteralId literal) {
    std::visit([&](auto& index) { index.insert(clause, literal); }, index_);
  }
  void erase(ClauseId clause, LiteralId literal) {
    std::visit([&](auto& index) { index.erase(clause, literal); }, index_);
  }

  /// Sets flags[clause] to 255 for every clause that the example falsifies, and returns how many list entries it
  /// walked. Stores are unconditional: falsifying twice is cheaper than a test.
  std::uint64_t falsify(const LiteralRow& row, std::uint8_t* flags) const;

  std::vector<ClauseId> list(LiteralId literal) const;  // a copy, for printing and tests
  /// 0-based position of the clause in the literal's list, or -1.
  std::int64_t position(ClauseId clause, LiteralId literal) const;
  std::uint64_t bytes() const;
  /// True if lists and positions hold exactly the includes of the bank.
  bool check(const Bank& bank) const;

 private:
  std::variant<BasicClauseIndex<std::uint16_t>, BasicClauseIndex<std::uint32_t>> index_;
};

}  // namespace falsum
