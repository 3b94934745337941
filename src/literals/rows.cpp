#include "falsum/rows.h"

#include "support/mapped_file.h"

namespace falsum {
namespace {

template <class Item>
std::string_view bytes_of(std::span<const Item> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

SparseBits some_rows(const SparseBits& rows, const std::vector<bool>& wanted) {
  SparseBits some(rows.columns);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (!wanted[r]) continue;
    const std::span<const std::uint32_t> row = rows.row(r);
    some.features.insert(some.features.end(), row.begin(), row.end());
    some.starts.push_back(some.features.size());
  }
  return some;
}

}  // namespace

void Rows::ask_for(std::span<const std::uint32_t> rows) const {
  for (const std::uint32_t r : rows) advise(is_sparse() ? bytes_of(sparse(r)) : bytes_of(packed(r)), Advice::kSoon);
}

AnyRows AnyRows::some(const std::vector<bool>& wanted) const {
  if (const auto* bits = std::get_if<BitMatrix>(&rows_)) return some_rows(*bits, wanted);
  if (const auto* sparse = std::get_if<SparseBits>(&rows_)) return some_rows(*sparse, wanted);
  const Kept& all = std::get<Kept>(rows_);
  auto places = std::make_shared<std::vector<std::uint32_t>>();
  for (std::size_t r = 0; r < wanted.size(); ++r) {
    if (wanted[r]) places->push_back(all.places ? (*all.places)[r] : static_cast<std::uint32_t>(r));
  }
  Kept some = {all.owner, all.rows.some(*places), places};
  AnyRows result;
  result.rows_ = std::move(some);
  return result;
}

}  // namespace falsum
