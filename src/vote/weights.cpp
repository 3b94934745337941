#include "vote/weights.h"

#include <algorithm>

namespace falsum {

Weights::Weights(const ClauseSlots& slots) : slots_(slots), positive_(slots.words()) {
  assert(slots.groups() == 2);
  std::fill_n(positive_.begin(), slots.group_words(), ~std::uint64_t{0});
}

std::int64_t Weights::votes(const std::uint64_t* outputs, std::size_t first, std::size_t last,
                            const Kernels& kernels) const {
  const std::size_t against = std::clamp(slots_.group_words(), first, last);
  return static_cast<std::int64_t>(kernels.count(outputs, against - first)) -
         static_cast<std::int64_t>(kernels.count(outputs + (against - first), last - against));
}

std::int32_t Weights::of(ClauseId c) const { return slots_.slot(c) < 64 * slots_.group_words() ? 1 : -1; }

}  // namespace falsum
