// Weights: how much each clause votes for each output of a learner, and how the outputs of clauses become votes.
//
//   fixed    +1 for the clauses of the first group of slots, -1 for those of the second: votes are popcounts
//   growing  the same signs; sizes from 1 to a maximum
//   slow     the same signs; sizes are rungs of a ladder, each a little larger than the one below
//   signed   any number from -maximum to +maximum, for each output; 0 counts as positive
//
// Feedback uses only the signs: a clause that votes for an output is a positive clause of it. When a true clause gets
// feedback, its weight moves by one vote in the direction of the push. That is both halves of the rule in one: Type Ia
// moves a weight away from 0, Type II towards 0 (FAMILY.md, sections 1 and 5). Slow weights move by a rung instead: the
// real weight of the weighted Tsetlin machine, w (1 + growth)^(Ia - II), where only its votes are rounded. The exponent
// is what a clause remembers, so nothing is lost by rounding, and up and down are exact opposites.
//
// Each clause has its own weights, so clauses may still be divided among threads (invariant I2, learn/feedback.h).
//
// Cost of votes: a popcount per word where weights are fixed, else an addition per true clause and output.
// Memory: 4 bytes for each clause and output, unless fixed; slow weights 8, and 4 for each rung.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "bank/clause_slots.h"
#include "kernels/kernels.h"

namespace falsum {

class ByteReader;
class ByteWriter;

class Weights {
 public:
  /// Of one output: fixed where `most` is 1, else growing.
  explicit Weights(const ClauseSlots& slots, std::int64_t most = 1);
  /// Of one output, slow: `first` votes at first, from 1 to `most`.
  Weights(const ClauseSlots& slots, std::int64_t first, std::int64_t most, double growth);
  /// Signed, for several outputs: +1 or -1 at first, for each output and clause by draws from the children of the key.
  Weights(const ClauseSlots& slots, std::size_t outputs, std::int64_t most, std::uint64_t key);

  std::size_t outputs() const { return outputs_; }
  /// Votes for an output of the true clauses of 64-slot words first .. last-1; `outputs` are those words.
  std::int64_t votes(const std::uint64_t* outputs, std::size_t output, std::size_t first, std::size_t last,
                     const Kernels& kernels) const;
  /// Adds the votes of these clauses for every output. Not where weights are fixed.
  void add_all_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last, std::int64_t* votes) const;
  /// By 64-slot word: on where the clause votes for the output. Slots without a clause may be on or off.
  const std::uint64_t* positive(std::size_t output = 0) const { return positive_.data() + output * slots_.words(); }
  std::int32_t of(ClauseId c, std::size_t output = 0) const;

  bool are_fixed() const { return sizes_.empty(); }
  /// One vote or rung up or down, for a true clause that gets feedback.
  void move(ClauseId c, std::size_t output, bool up) {
    const std::size_t slot = slots_.slot(c);
    std::int32_t& weight = sizes_[slot * stride_ + output];
    if (!ladder_.empty()) return climb(slot, up == (weight > 0));
    const std::int32_t moved = weight + (up ? 1 : -1);
    if (!is_signed_) {
      weight = weight > 0 ? std::clamp(moved, 1, most_) : std::clamp(moved, -most_, -1);
      return;
    }
    weight = std::clamp(moved, -most_, most_);
    set_sign(output, slot, weight >= 0);
  }

  /// The weights of some clauses, clause by clause; nothing if they are fixed.
  void write(ByteWriter& writer, const ClauseRange& range) const;
  void write(ByteWriter& writer) const { write(writer, slots_.clauses()); }
  void read(ByteReader& reader, const ClauseRange& range);

 private:
  bool is_positive(std::size_t output, std::size_t slot) const {
    return ((positive(output)[slot / 64] >> (slot % 64)) & 1) != 0;
  }
  void set_sign(std::size_t output, std::size_t slot, bool positive) {
    const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
    std::uint64_t& signs = positive_[output * slots_.words() + slot / 64];
    signs = positive ? signs | bit : signs & ~bit;
  }

  template <std::size_t kOutputs>
  void add_some_votes(const std::uint64_t* outputs, std::size_t first, std::size_t last, const std::int32_t* sizes,
                      std::int32_t* sums) const;

  void climb(std::size_t slot, bool up) {
    std::int32_t& rung = rungs_[slot];
    rung = std::clamp(rung + (up ? 1 : -1), 0, static_cast<std::int32_t>(ladder_.size()) - 1);
    sizes_[slot] = sizes_[slot] > 0 ? ladder_[at_rung(rung)] : -ladder_[at_rung(rung)];
  }
  static std::size_t at_rung(std::int32_t rung) { return static_cast<std::size_t>(rung); }

  ClauseSlots slots_;
  std::size_t outputs_, stride_;  // stride_: outputs of a slot in sizes_, rounded up
  bool is_signed_;
  std::int32_t most_;
  std::vector<std::uint64_t> positive_;  // output by output
  std::vector<std::int32_t> sizes_;      // slot by slot; empty if fixed. Slots without a clause have 0
  // Slow weights alone:
  std::vector<std::int32_t> ladder_;  // sizes, ascending
  std::vector<std::int32_t> rungs_;   // slot by slot
  std::int32_t first_rung_ = 0;       // where clauses start
};

}  // namespace falsum
