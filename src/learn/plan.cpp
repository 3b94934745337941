#include "learn/plan.h"

#include <numeric>
#include <utility>

#include "support/random.h"

namespace falsum {

Plan::Plan(std::uint64_t seed, std::uint64_t epoch, std::span<const std::uint32_t> labels, std::size_t classes)
    : classes_(classes), labels_(labels), order_(labels.size()), negative_(labels.size()) {
  const std::uint64_t order_key = child(purpose_key(seed, Purpose::kOrder), epoch);
  const std::uint64_t negative_key = child(purpose_key(seed, Purpose::kNegatives), epoch);
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[bounded(child(order_key, i), i)]);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t other = static_cast<std::uint32_t>(bounded(child(negative_key, i), classes - 1));
    negative_[i] = other + (other >= labels[order_[i]]);
  }
}

void Plan::uses(std::size_t first, std::size_t last, std::vector<Uses>& out) const {
  out.resize(classes_);
  for (Uses& uses : out) uses.clear();
  for (std::size_t i = first; i < last; ++i) {
    out[labels_[order_[i]]].add(order_[i], 1);
    out[negative_[i]].add(order_[i], 0);
  }
}

}  // namespace falsum
