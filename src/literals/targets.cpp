#include "falsum/targets.h"

#include <algorithm>

namespace falsum {
namespace {

template <class Value>
std::vector<Value> some_of(const std::vector<Value>& values, const std::vector<bool>& wanted) {
  std::vector<Value> some;
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (wanted[r]) some.push_back(values[r]);
  }
  return some;
}

BitMatrix some_of(const BitMatrix& rows, const std::vector<bool>& wanted) { return some_rows(rows, wanted); }

}  // namespace

BitMatrix some_rows(const BitMatrix& rows, const std::vector<bool>& wanted) {
  BitMatrix some(static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true)), rows.columns());
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (wanted[r]) std::ranges::copy(rows.row(r), some.row(next++).begin());
  }
  return some;
}

AnyTargets AnyTargets::part(const std::vector<bool>& wanted) const {
  AnyTargets some = std::visit([&](const auto& all) { return AnyTargets(some_of(all, wanted)); }, targets_);
  if (!weights_.empty()) some.set_weights(some_of(weights_, wanted));
  return some;
}

}  // namespace falsum
