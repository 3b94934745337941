#include "vote/weights.h"

#include <cmath>
#include <cstdlib>

#include "support/bits.h"
#include "support/bytes.h"

namespace falsum {

Weights::Weights(const ClauseSlots& slots, std::int64_t most)
    : slots_(slots),
      outputs_(1),
      stride_(1),
      is_signed_(false),
      most_(static_cast<std::int32_t>(most)),
      positive_(slots.words()) {
  std::fill_n(positive_.begin(), slots.group_words(), ~std::uint64_t{0});
  if (most == 1) return;
  sizes_.resize(slots.slots());
  for (std::size_t c = 0; c < slots.clauses(); ++c) {
    const std::size_t slot = slots.slot(static_cast<ClauseId>(c));
    sizes_[slot] = is_positive(0, slot) ? 1 : -1;
  }
}

Weights::Weights(const ClauseSlots& slots, std::int64_t first, std::int64_t most, double growth)
    : Weights(slots, most) {
  // By repeated products, which every machine rounds alike.
  const auto start = static_cast<double>(first), factor = 1 + growth;
  for (double size = start / factor; size >= 0.5; size /= factor) {
    ladder_.push_back(static_cast<std::int32_t>(std::lround(size)));
  }
  first_rung_ = static_cast<std::int32_t>(ladder_.size());
  std::ranges::reverse(ladder_);
  for (double size = start; size <= static_cast<double>(most); size *= factor) {
    ladder_.push_back(static_cast<std::int32_t>(std::lround(size)));
  }
  rungs_.assign(slots.slots(), first_rung_);
  for (std::int32_t& size : sizes_) size *= static_cast<std::int32_t>(first);
}

Weights::Weights(const ClauseSlots& slots, std::size_t outputs, std::int64_t most, std::uint64_t key)
    : slots_(slots),
      outputs_(outputs),
      stride_(outputs == 1 ? 1 : (outputs + 3) / 4 * 4),  // whole vectors of 16 bytes
      is_signed_(true),
      most_(static_cast<std::int32_t>(most)),
      positive_(outputs * slots.words()),
      sizes_(slots.slots() * stride_) {
  for (std::size_t o = 0; o < outputs; ++o) {
    const DrawKey signs = {child(key, o)};
    for (std::size_t c = 0; c < slots.clauses(); ++c) {
      const std::size_t slot = slots.slot(static_cast<ClauseId>(c));
      const bool up = (draw8(signs, static_cast<std::uint32_t>(c)) & 1) != 0;
      sizes_[slot * stride_ + o] = up ? 1 : -1;
      set_sign(o, slot, up);
    }
  }
}

std::int64_t Weights::votes(const std::uint64_t* outputs, std::size_t output, std::size_t first, std::size_t last,
                            const Kernels& kernels) const {
  if (are_fixed()) {
    const std::size_t against = std::clamp(slots_.group_words(), first, last);
    return static_cast<std::int64_t>(kernels.count(outputs, against - first)) -
           static_cast<std::int64_t>(kernels.count(outputs + (against - first), last - against));
  }
  if (stride_ == 1) return kernels.sum_where(sizes_.data() + 64 * first, outputs, last - first);
  std::int64_t votes = 0;
  const std::int32_t* const sizes = sizes_.data() + output;
  for (std::size_t w = first; w < last; ++w) {
    for_each_bit(outputs[w - first], 64 * w, [&](std::size_t slot) { votes += sizes[slot * stride_]; });
  }
  return votes;
}

/// Adds the votes of the true clauses for kOutputs outputs from `sizes` on. How many there are is known when this is
/// compiled, so that the sums stay in registers.
template <std::size_t kOutputs>
void Weights::add_some_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last,
                             const std::int32_t* sizes, std::int32_t* sums) const {
  std::int32_t local[kOutputs] = {};
  for (std::size_t w = first; w < last; ++w) {
    for_each_bit(outputs[w - first], 64 * w, [&](std::size_t slot) {
      const std::int32_t* const of_slot = sizes + slot * stride_;
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kOutputs; ++i) local[i] += of_slot[i];
    });
  }
  std::copy_n(local, kOutputs, sums);
}

void Weights::add_all_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last,
                            std::int64_t* votes) const {
  constexpr std::size_t kTogether = 16;  // outputs whose sums stay in registers
  for (std::size_t o = 0; o < outputs_; o += kTogether) {
    std::int32_t sums[kTogether];  // votes are 32-bit numbers (validate(Options))
    const std::size_t count = std::min(kTogether, stride_ - o);
    const std::int32_t* const sizes = sizes_.data() + o;
    switch (count / 4) {
      case 1:
        add_some_votes<4>(outputs, first, last, sizes, sums);
        break;
      case 2:
        add_some_votes<8>(outputs, first, last, sizes, sums);
        break;
      case 3:
        add_some_votes<12>(outputs, first, last, sizes, sums);
        break;
      case 4:
        add_some_votes<16>(outputs, first, last, sizes, sums);
        break;
      default:
        add_some_votes<1>(outputs, first, last, sizes, sums);
    }
    for (std::size_t i = 0; i < std::min(count, outputs_ - o); ++i) votes[o + i] += sums[i];
  }
}

std::int32_t Weights::of(ClauseId c, std::size_t output) const {
  const std::size_t slot = slots_.slot(c);
  if (are_fixed()) return is_positive(output, slot) ? 1 : -1;
  return sizes_[slot * stride_ + output];
}

void Weights::write(ByteWriter& writer, const ClauseRange& range) const {
  if (are_fixed()) return;
  for (std::size_t c = range.first; c < range.last; ++c) {
    for (std::size_t o = 0; o < outputs_; ++o) {
      if (!ladder_.empty()) {
        writer.zigzag(rungs_[slots_.slot(static_cast<ClauseId>(c))] - first_rung_);
        continue;
      }
      const std::int32_t weight = of(static_cast<ClauseId>(c), o);
      is_signed_ ? writer.zigzag(weight) : writer.varint(static_cast<std::uint64_t>(std::abs(weight)));
    }
  }
}

void Weights::read(ByteReader& reader, const ClauseRange& range) {
  if (are_fixed()) return;
  for (std::size_t c = range.first; c < range.last; ++c) {
    const std::size_t slot = slots_.slot(static_cast<ClauseId>(c));
    for (std::size_t o = 0; o < outputs_; ++o) {
      if (!ladder_.empty()) {
        const std::int64_t rung = reader.zigzag() + first_rung_;
        if (rung < 0 || rung >= std::ssize(ladder_)) reader.fail("a clause's weight is impossible");
        rungs_[slot] = static_cast<std::int32_t>(rung);
        const std::int32_t size = ladder_[at_rung(rungs_[slot])];
        sizes_[slot] = is_positive(o, slot) ? size : -size;
        continue;
      }
      const std::int64_t weight = is_signed_ ? reader.zigzag() : static_cast<std::int64_t>(reader.varint());
      if (weight > most_ || weight < (is_signed_ ? -most_ : 1)) reader.fail("a clause's weight is impossible");
      std::int32_t& size = sizes_[slot * stride_ + o];
      const auto number = static_cast<std::int32_t>(weight);
      if (!is_signed_) {
        size = is_positive(o, slot) ? number : -number;
        continue;
      }
      size = number;
      set_sign(o, slot, number >= 0);
    }
  }
}

}  // namespace falsum
