#include "evaluate/window_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "support/random.h"

namespace falsum {

WindowEvaluator::WindowEvaluator(const Bank& bank, const ClauseSlots& slots, const std::uint64_t* active,
                                 const Kernels& kernels, const PatchShape& shape)
    : Evaluator(bank, shape),
      slots_(slots),
      active_(active),
      kernels_(kernels),
      layout_(shape),
      table_(layout_),
      wide_table_(layout_),
      wide_truths_(4 * slots.slots()),
      changed_(slots.slots(), 1),
      image_(layout_),
      compiled_(bank.clauses()),
      included_(bank.clauses() * bank.words()),
      truths_(slots.slots()),
      unknown_(slots.slots()),
      due_(slots.words()),
      shifted_(bank.features() * 2) {
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const ClauseId clause = static_cast<ClauseId>(c);
    flipped(clause, bank.included(clause), true);
  }
}

std::uint64_t WindowEvaluator::bytes() const {
  std::uint64_t bytes = table_.bytes() + wide_table_.bytes() + changed_.size() +
                        (wide_truths_.size() + truths_.size() + unknown_.size() + included_.size()) * 8 +
                        compiled_.size() * sizeof(Compiled);
  for (const Compiled& compiled : compiled_) bytes += compiled.offsets.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void WindowEvaluator::begin(Examples& examples) {
  Evaluator::begin(examples);
  made_image_ = ~std::size_t{0};
}

const WindowClause& WindowEvaluator::compile(ClauseId clause) {
  Compiled& compiled = compiled_[at(clause)];
  if (compiled.stale) {
    const std::size_t size = bank_.included(clause).size;
    if (compiled.offsets.size() < size) compiled.offsets.resize(size);
    compiled.clause = layout_.compile(included_.data() + at(clause) * bank_.words(), compiled.offsets.data());
    compiled.stale = false;
  }
  return compiled.clause;
}

std::uint64_t WindowEvaluator::evaluate(ClauseId clause, std::uint64_t want, LearnCounters& counters) {
  const WindowClause& compiled = compile(clause);
  counters.columns_joined += compiled.size;
  return table_.any(compiled, want, kernels_);
}

/// It pays unless most clauses changed within the last four blocks, since they would be evaluated five times.
void WindowEvaluator::begin_four_blocks(std::size_t first, LearnCounters& counters) {
  const auto changes = static_cast<std::size_t>(std::count(changed_.begin(), changed_.end(), 1));
  const std::size_t count = std::min(WideTable::kExamples, examples_->size() - first);
  is_wide_ = 4 * changes < 3 * slots_.clauses() && 2 * count > WideTable::kExamples;
  std::fill(changed_.begin(), changed_.end(), 0);
  examples_->will_need(first + WideTable::kExamples, WideTable::kExamples);
  if (!is_wide_) return;
  wide_table_.assign(
      count, [&](std::size_t u) { return examples_->packed(first + u); }, kernels_);
  for (std::size_t slot = 0; slot < slots_.slots(); ++slot) {
    if (!is_active(slot)) continue;
    const WindowClause& compiled = compile(slots_.clause_at(slot));
    wide_table_.any(compiled, kernels_, wide_truths_.data() + 4 * slot);
    counters.columns_joined += compiled.size;
  }
}

void WindowEvaluator::begin_block(std::size_t first, LearnCounters& counters) {
  const std::size_t block = first % WideTable::kExamples / WindowTable::kExamples;
  if (block == 0) begin_four_blocks(first, counters);
  const std::size_t count = std::min(WindowTable::kExamples, examples_->size() - first);
  table_.assign(
      count, [&](std::size_t u) { return examples_->packed(first + u); }, kernels_);
  for (std::size_t slot = 0; slot < slots_.slots(); ++slot) {
    unknown_[slot] = 0;
    if (!is_active(slot)) {
      truths_[slot] = 0;
    } else if (is_wide_ && changed_[slot] == 0) {
      truths_[slot] = wide_truths_[4 * slot + block];
    } else {
      truths_[slot] = evaluate(slots_.clause_at(slot), ~std::uint64_t{0}, counters);
    }
  }
}

void WindowEvaluator::outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) {
  use_ = i % WindowTable::kExamples;
  if (use_ == 0) begin_block(i, counters);
  const auto bit = static_cast<unsigned>(use_);
  kernels_.gather_bits(unknown_.data(), bit, slots_.words(), due_.data());
  for_each_bit(due_.data(), due_.size(), [&](std::size_t slot) {
    const std::uint64_t uses = unknown_[slot] & ~std::uint64_t{0} << use_;
    truths_[slot] = (truths_[slot] & ~uses) | evaluate(slots_.clause_at(slot), uses, counters);
    unknown_[slot] = 0;
  });
  kernels_.gather_bits(truths_.data(), bit, slots_.words(), out);
}

void WindowEvaluator::flipped(ClauseId clause, const IdList& literals, bool included) {
  std::uint64_t* const words = included_.data() + at(clause) * bank_.words();
  for (std::uint32_t i = 0; i < literals.size; ++i) words[literals[i] / 64] ^= std::uint64_t{1} << (literals[i] % 64);
  const std::size_t slot = slots_.slot(clause);
  compiled_[at(clause)].stale = true;
  changed_[slot] = 1;
  const std::uint64_t changeable = included ? truths_[slot] : ~truths_[slot];
  unknown_[slot] |= changeable & (~std::uint64_t{0} << use_ << 1);  // the uses after this one
}

std::size_t WindowEvaluator::true_patch(std::size_t i, ClauseId clause, std::uint64_t bits) {
  if (i != made_image_) image_.assign(examples_->packed(i));
  made_image_ = i;
  const RowsClause box = layout_.compile(included_.data() + at(clause) * bank_.words(), shifted_.data());
  std::uint64_t any = 0;
  const std::size_t across = image_.positions(box, kernels_, positions_, any);
  std::size_t left = bounded(bits, kernels_.count(positions_.data(), positions_.size()));
  for (std::size_t w = 0;; ++w) {
    assert(w < positions_.size());
    std::uint64_t word = positions_[w];
    const auto here = static_cast<std::size_t>(std::popcount(word));
    if (left >= here) {
      left -= here;
      continue;
    }
    for (; left > 0; --left) word &= word - 1;
    const std::size_t row = box.top + w / across;
    const std::size_t column = 64 * (box.left / 64 + w % across) + static_cast<std::size_t>(std::countr_zero(word));
    return row * layout_.shape().across() + column;
  }
}

}  // namespace falsum
