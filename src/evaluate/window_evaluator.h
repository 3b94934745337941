// WindowEvaluator: looking ahead where examples have patches. The next 64 uses are evaluated at once (windows.h):
//
//   truths    for every clause a word: bit u is on when it is true of use u
//   unknown   for every clause the uses to come whose truth a flip may have changed
//
// A literal that joins can only make true uses false, one that leaves only false uses true. A flip makes the clause due
// at its first unknown use; at the turn of this use, all unknown ones are evaluated again. (One column cannot simply be
// ANDed into the truths, as lookahead.h does: the clause may hold at another position.) By invariant I1 the outputs are
// exactly those of evaluating each use at its turn.
//
// Blocks of 64 uses keep it cheap to evaluate a clause again. Where few clauses change, four blocks begin together: a
// clause is evaluated for 256 uses at once, which takes half as long per use, and a later block evaluates only those
// again that have changed since. Clauses are evaluated in the order of their shapes: a processor predicts the loops of
// clauses with as many rows, columns and literals as the one before.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluate/evaluator.h"
#include "evaluate/wide_windows.h"

namespace falsum {

class WindowEvaluator final : public Evaluator {
 public:
  WindowEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active, const Kernels& kernels,
                  const PatchShape& shape);

  void begin(Examples& examples) override;
  void outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) override;
  void flipped(ClauseId clause, const IdList& literals, bool included) override;
  std::size_t true_patch(std::size_t i, ClauseId clause, std::uint64_t bits) override;
  std::uint64_t bytes() const override;

 private:
  struct Compiled {
    WindowClause clause = {};
    std::vector<std::uint32_t> offsets;
    bool stale = true;
    std::uint16_t shape = 0;  // below kShapes
  };
  static constexpr std::size_t kBlocks = 4;  // that begin together
  static constexpr std::size_t kWide = kBlocks * WindowTable::kExamples;
  static constexpr std::size_t kShapes = 2048;
  void sort_by_shape();

  void begin_block(std::size_t first, LearnCounters& counters);
  void begin_four_blocks(std::size_t first, LearnCounters& counters);
  const WindowClause& compile(ClauseId clause);
  const std::uint64_t* bits_of(ClauseId clause) const { return included_.data() + at(clause) * bank_.words(); }
  std::uint64_t evaluate(ClauseId clause, std::uint64_t want, LearnCounters& counters);

  ClauseSlots slots_;
  const std::uint64_t* active_;
  const Kernels& kernels_;
  WindowLayout layout_;
  WindowTable table_;
  WideTable wide_table_;
  bool is_wide_ = false;                    // whether four blocks have begun together
  std::vector<std::uint64_t> wide_truths_;  // four words a slot
  std::vector<std::uint8_t> changed_;       // by slot: since four blocks began
  ImageRows image_;
  std::size_t made_image_ = ~std::size_t{0};     // the example of image_
  std::size_t use_ = 0;                          // of the block: the last whose outputs were asked for
  std::vector<Compiled> compiled_;               // by clause
  std::vector<std::uint64_t> included_;          // bank_.words() words a clause
  std::vector<std::uint32_t> order_, place_;     // active slots by shape; scratch
  std::vector<std::uint64_t> truths_, unknown_;  // by slot
  std::vector<std::vector<std::uint32_t>> due_;  // by use: the slots that are due, and some that were
  std::vector<std::uint64_t> positions_;         // scratch
  std::vector<ShiftedRow> shifted_;
};

}  // namespace falsum
