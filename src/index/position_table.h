// PositionTable: the positions of one clause in the inclusion lists of its literals: the paper's row M^i,j.
//
// The paper keeps a full row, an entry for every literal; but a trained clause includes about 4% (MNIST) or 1%
// (IMDb) of the literals. So there is one container per density:
//   sparse  open addressing, (literal, position) pairs, between 40% and 75% full
//   direct  the paper's full row, for clauses so long that pairs would be larger (a clause's first true example
//           includes half of all literals at once)
// Every operation is O(1), expected (sparse) or worst case (direct); growing and shrinking is amortised.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace falsum {

template <class Id>
class PositionTable {
 public:
  static constexpr Id kNone = std::numeric_limits<Id>::max();

  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return cells_.capacity() * sizeof(Id); }

  /// kNone when the clause does not include the literal.
  Id find(std::size_t literal) const {
    if (direct_) return cells_[literal];
    if (size_ == 0) return kNone;
    const std::size_t i = probe(literal);
    return cells_[2 * i] == kNone ? kNone : cells_[2 * i + 1];
  }

  void insert(std::size_t literal, std::size_t position, std::size_t literals) {
    if (!direct_ && 4 * (size_ + 1) > 3 * capacity()) resize(capacity() + capacity() / 2 + 4, literals);
    ++size_;
    put(literal, position);
  }

  void assign(std::size_t literal, std::size_t position) {
    assert(find(literal) != kNone);
    if (direct_) {
      cells_[literal] = static_cast<Id>(position);
    } else {
      cells_[2 * probe(literal) + 1] = static_cast<Id>(position);
    }
  }

  void erase(std::size_t literal, std::size_t literals) {
    assert(find(literal) != kNone);
    --size_;
    if (direct_) {
      cells_[literal] = kNone;
      if (size_ < literals / 8) resize(size_ + size_ * 2 / 3 + 4, literals);
      return;
    }
    // Close the gap: move back every later pair of the run that may fill it.
    std::size_t hole = probe(literal);
    for (std::size_t i = next(hole); cells_[2 * i] != kNone; i = next(i)) {
      const std::size_t home = home_of(cells_[2 * i]);
      const bool home_in_gap = hole <= i ? (home > hole && home <= i) : (home > hole || home <= i);
      if (home_in_gap) continue;
      cells_[2 * hole] = cells_[2 * i];
      cells_[2 * hole + 1] = cells_[2 * i + 1];
      hole = i;
    }
    cells_[2 * hole] = kNone;
    if (capacity() > 16 && 5 * size_ < 2 * capacity()) resize(size_ + size_ * 2 / 3 + 4, literals);
  }

 private:
  std::size_t capacity() const { return cells_.size() / 2; }  // of a sparse table
  std::size_t home_of(std::size_t literal) const {
    const std::uint32_t hash = static_cast<std::uint32_t>(literal) * 0x9e3779b1u;
    return (static_cast<std::uint64_t>(hash) * capacity()) >> 32;
  }
  std::size_t next(std::size_t i) const { return i + 1 == capacity() ? 0 : i + 1; }
  /// The literal's pair, or the free pair where it would be inserted.
  std::size_t probe(std::size_t literal) const {
    std::size_t i = home_of(literal);
    while (cells_[2 * i] != literal && cells_[2 * i] != kNone) i = next(i);
    return i;
  }
  void put(std::size_t literal, std::size_t position) {
    if (direct_) {
      cells_[literal] = static_cast<Id>(position);
    } else {
      const std::size_t i = probe(literal);
      cells_[2 * i] = static_cast<Id>(literal);
      cells_[2 * i + 1] = static_cast<Id>(position);
    }
  }
  void resize(std::size_t wanted, std::size_t literals) {
    const bool was_direct = direct_;
    std::vector<Id> old = std::move(cells_);
    direct_ = 2 * wanted >= literals;
    cells_ = std::vector<Id>(direct_ ? literals : 2 * wanted, kNone);
    if (was_direct) {
      for (std::size_t l = 0; l < old.size(); ++l) {
        if (old[l] != kNone) put(l, old[l]);
      }
    } else {
      for (std::size_t i = 0; i < old.size(); i += 2) {
        if (old[i] != kNone) put(old[i], old[i + 1]);
      }
    }
  }

  std::vector<Id> cells_;
  std::uint32_t size_ = 0;
  bool direct_ = false;
};

}  // namespace falsum
