#include "index/clause_index.h"

#include <algorithm>

namespace falsum {

template <class Id>
void BasicClauseIndex<Id>::List::resize(std::uint32_t wanted) {
  std::unique_ptr<Id[]> larger(new Id[wanted]);
  std::copy(entries.get(), entries.get() + size, larger.get());
  entries = std::move(larger);
  capacity = wanted;
}

template <class Id>
std::uint64_t BasicClauseIndex<Id>::bytes() const {
  std::uint64_t bytes = lists_.size() * sizeof(List) + positions_.size() * sizeof(PositionTable<Id>);
  for (const List& list : lists_) bytes += list.capacity * sizeof(Id);
  for (const PositionTable<Id>& table : positions_) bytes += table.bytes();
  return bytes;
}

template <class Id>
bool BasicClauseIndex<Id>::check(const Bank& bank) const {
  if (lists_.size() != bank.literals() || positions_.size() != bank.clauses()) return false;
  std::size_t entries = 0, included = 0;
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    const LiteralId literal = static_cast<LiteralId>(l);
    for (std::size_t i = 0; i < lists_[l].size; ++i) {
      const ClauseId clause = static_cast<ClauseId>(lists_[l].entries[i]);
      if (at(clause) >= bank.clauses() || !bank.includes(clause, literal) || position(clause, literal) != i)
        return false;
    }
    entries += lists_[l].size;
  }
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const std::size_t length = bank.length(static_cast<ClauseId>(c));
    if (positions_[c].size() != length) return false;
    included += length;
  }
  return entries == included;  // every entry is an include at its own position, so equal counts are equal sets
}

namespace {

/// 65,535 marks "none" in a table of 16-bit ids.
bool fits_16_bits(std::size_t clauses, std::size_t literals) { return clauses <= 65535 && literals <= 65535; }

}  // namespace

ClauseIndex::ClauseIndex(std::size_t clauses, std::size_t literals)
    : index_(std::in_place_type<BasicClauseIndex<std::uint16_t>>, 0, 0) {
  if (fits_16_bits(clauses, literals)) {
    index_.emplace<BasicClauseIndex<std::uint16_t>>(clauses, literals);
  } else {
    index_.emplace<BasicClauseIndex<std::uint32_t>>(clauses, literals);
  }
}

std::uint64_t ClauseIndex::falsify(const LiteralRow& row, std::uint8_t* flags) const {
  std::uint64_t visited = 0;
  std::visit(
      [&](const auto& index) {
        row.for_each_false([&](LiteralId literal) {
          const auto list = index.list(literal);
          visited += list.size();
          for (const auto clause : list) flags[clause] = 255;
        });
      },
      index_);
  return visited;
}

std::vector<ClauseId> ClauseIndex::list(LiteralId literal) const {
  std::vector<ClauseId> clauses;
  std::visit(
      [&](const auto& index) {
        for (const auto clause : index.list(literal)) clauses.push_back(static_cast<ClauseId>(clause));
      },
      index_);
  return clauses;
}

std::int64_t ClauseIndex::position(ClauseId clause, LiteralId literal) const {
  return std::visit(
      [&](const auto& index) -> std::int64_t {
        const std::size_t position = index.position(clause, literal);
        using Id = std::remove_cvref_t<decltype(index.list(literal)[0])>;
        return position == PositionTable<Id>::kNone ? -1 : static_cast<std::int64_t>(position);
      },
      index_);
}

std::uint64_t ClauseIndex::bytes() const {
  return std::visit([](const auto& index) { return index.bytes(); }, index_);
}

bool ClauseIndex::check(const Bank& bank) const {
  return std::visit([&](const auto& index) { return index.check(bank); }, index_);
}

template class BasicClauseIndex<std::uint16_t>;
template class BasicClauseIndex<std::uint32_t>;

}  // namespace falsum
