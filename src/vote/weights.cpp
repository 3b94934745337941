#include "vote/weights.h"

#include <algorithm>

#include "support/bits.h"
#include "support/bytes.h"

namespace falsum {

Weights::Weights(const ClauseSlots& slots, std::int64_t most)
    : slots_(slots), positive_(slots.words()), most_(static_cast<std::int32_t>(most)) {
  assert(slots.groups() == 2);
  std::fill_n(positive_.begin(), slots.group_words(), ~std::uint64_t{0});
  if (most == 1) return;
  sizes_.resize(slots.slots());
  for (std::size_t c = 0; c < slots.clauses(); ++c) sizes_[slots.slot(static_cast<ClauseId>(c))] = 1;
}

std::int64_t Weights::votes(const std::uint64_t* outputs, std::size_t first, std::size_t last,
                            const Kernels& kernels) const {
  if (!are_fixed()) return grown_votes(outputs, first, last);
  const std::size_t against = std::clamp(slots_.group_words(), first, last);
  return static_cast<std::int64_t>(kernels.count(outputs, against - first)) -
         static_cast<std::int64_t>(kernels.count(outputs + (against - first), last - against));
}

std::int64_t Weights::grown_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last) const {
  std::int64_t votes_for = 0, votes_against = 0;
  for (std::size_t w = first; w < last; ++w) {
    std::int64_t& votes = is_positive(64 * w) ? votes_for : votes_against;
    for_each_bit(outputs[w - first], 64 * w, [&](std::size_t slot) { votes += sizes_[slot]; });
  }
  return votes_for - votes_against;
}

std::int32_t Weights::of(ClauseId c) const {
  const std::size_t slot = slots_.slot(c);
  const std::int32_t size = are_fixed() ? 1 : sizes_[slot];
  return is_positive(slot) ? size : -size;
}

void Weights::write(ByteWriter& writer) const {
  if (are_fixed()) return;
  for (std::size_t c = 0; c < slots_.clauses(); ++c) {
    writer.varint(static_cast<std::uint64_t>(sizes_[slots_.slot(static_cast<ClauseId>(c))]));
  }
}

void Weights::read(ByteReader& reader) {
  if (are_fixed()) return;
  for (std::size_t c = 0; c < slots_.clauses(); ++c) {
    const std::uint64_t size = reader.varint();
    if (size == 0 || size > static_cast<std::uint64_t>(most_)) reader.fail("a clause's weight is impossible");
    sizes_[slots_.slot(static_cast<ClauseId>(c))] = static_cast<std::int32_t>(size);
  }
}

}  // namespace falsum
