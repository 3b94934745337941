#include "evaluate/window_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

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
      wide_table_(layout_, 2, kBlocks, kernels),
      wide_truths_(kBlocks * slots.slots()),
      changed_(slots.slots(), 1),
      image_(layout_),
      compiled_(bank.clauses()),
      included_(bank.clauses() * bank.words()),
      place_(kShapes + 1),
      truths_(slots.slots()),
      unknown_(slots.slots()),
      due_(WindowTable::kExamples),
      shifted_(bank.literals() + 1) {
  for (std::size_t c = 0; c < bank.clauses(); ++c) {
    const ClauseId clause = static_cast<ClauseId>(c);
    flipped(clause, bank.included(clause), true);
  }
}

std::uint64_t WindowEvaluator::bytes() const {
  std::uint64_t bytes = table_.bytes() + wide_table_.bytes() + changed_.size() + (order_.size() + place_.size()) * 4 +
                        (wide_truths_.size() + truths_.size() + unknown_.size() + included_.size()) * 8 +
                        compiled_.size() * sizeof(Compiled);
  for (const Compiled& compiled : compiled_) bytes += compiled.offsets.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void WindowEvaluator::begin(Examples& examples) {
  Evaluator::begin(examples);
  made_image_ = ~std::size_t{0};
}

const WindowClause& WindowEvaluator::compile(ClauseId c) {
  Compiled& compiled = compiled_[at(c)];
  WindowClause& clause = compiled.clause;
  if (!compiled.stale) return clause;
  const IdList included = bank_.included(c);
  if (compiled.offsets.size() <= included.size) compiled.offsets.resize(included.size + 1);
  clause = layout_.compile(bits_of(c), included, compiled.offsets.data());
  if (clause.top > clause.bottom || clause.left > clause.right) {
    compiled.shape = 0;
  } else {
    const std::uint32_t rows = clause.bottom - clause.top, columns = clause.right - clause.left;
    compiled.shape = static_cast<std::uint16_t>(std::min(rows, 31u) << 6 | std::min(columns / 8, 3u) << 4 |
                                                std::min(clause.size / 3, 15u));
  }
  compiled.stale = false;
  return clause;
}

/// Of the clauses as they were when last compiled.
void WindowEvaluator::sort_by_shape() {
  std::fill(place_.begin(), place_.end(), 0);
  order_.resize(count_bits(active_, slots_.words()));
  for_each_bit(active_, slots_.words(),
               [&](std::size_t slot) { ++place_[compiled_[at(slots_.clause_at(slot))].shape + std::size_t{1}]; });
  for (std::size_t shape = 1; shape < kShapes; ++shape) place_[shape] += place_[shape - 1];
  for_each_bit(active_, slots_.words(), [&](std::size_t slot) {
    order_[place_[compiled_[at(slots_.clause_at(slot))].shape]++] = static_cast<std::uint32_t>(slot);
  });
}

std::uint64_t WindowEvaluator::evaluate(ClauseId clause, std::uint64_t want, LearnCounters& counters) {
  const WindowClause& compiled = compile(clause);
  counters.columns_joined += compiled.size;
  return table_.any(compiled, want, kernels_);
}

/// It pays unless most clauses changed within the last four blocks, since they would be evaluated five times.
void WindowEvaluator::begin_four_blocks(std::size_t first, LearnCounters& counters) {
  const auto changes = static_cast<std::size_t>(std::count(changed_.begin(), changed_.end(), 1));
  const std::size_t count = std::min(kWide, examples_->size() - first);
  is_wide_ = 4 * changes < 3 * slots_.clauses() && 2 * count > kWide;
  std::fill(changed_.begin(), changed_.end(), 0);
  examples_->will_need(first + kWide, kWide);
  for_each_bit(active_, slots_.words(), [&](std::size_t slot) { compile(slots_.clause_at(slot)); });
  sort_by_shape();
  if (!is_wide_) return;
  wide_table_.assign(count, [&](std::size_t u) { return examples_->packed(first + u); });
  for (const std::uint32_t slot : order_) {
    const WindowClause& compiled = compile(slots_.clause_at(slot));
    wide_table_.any(compiled, wide_truths_.data() + kBlocks * slot);
    counters.columns_joined += compiled.size;
  }
}

void WindowEvaluator::begin_block(std::size_t first, LearnCounters& counters) {
  const std::size_t block = first % kWide / WindowTable::kExamples;
  if (block == 0) begin_four_blocks(first, counters);
  const std::size_t count = std::min(WindowTable::kExamples, examples_->size() - first);
  table_.assign(
      count, [&](std::size_t u) { return examples_->packed(first + u); }, kernels_);
  std::fill(truths_.begin(), truths_.end(), 0);
  std::fill(unknown_.begin(), unknown_.end(), 0);
  for (std::vector<std::uint32_t>& slots : due_) slots.clear();
  for (const std::uint32_t slot : order_) {
    truths_[slot] = is_wide_ && changed_[slot] == 0 ? wide_truths_[kBlocks * slot + block]
                                                    : evaluate(slots_.clause_at(slot), ~std::uint64_t{0}, counters);
  }
}

void WindowEvaluator::outputs(std::size_t i, std::uint64_t* out, LearnCounters& counters) {
  use_ = i % WindowTable::kExamples;
  if (use_ == 0) begin_block(i, counters);
  const auto bit = static_cast<unsigned>(use_);
  for (const std::uint32_t slot : due_[use_]) {
    if ((unknown_[slot] >> use_ & 1) == 0) continue;
    const std::uint64_t uses = std::exchange(unknown_[slot], 0);
    truths_[slot] = (truths_[slot] & ~uses) | evaluate(slots_.clause_at(slot), uses, counters);
  }
  kernels_.gather_bits(truths_.data(), bit, slots_.words(), out);
}

void WindowEvaluator::flipped(ClauseId clause, const IdList& literals, bool included) {
  std::uint64_t* const words = included_.data() + at(clause) * bank_.words();
  for (std::uint32_t i = 0; i < literals.size; ++i) words[literals[i] / 64] ^= std::uint64_t{1} << (literals[i] % 64);
  const std::size_t slot = slots_.slot(clause);
  compiled_[at(clause)].stale = true;
  changed_[slot] = 1;
  const std::uint64_t changeable = included ? truths_[slot] : ~truths_[slot];
  const std::uint64_t later = changeable & (~std::uint64_t{0} << use_ << 1);  // the uses after this one
  if (later == 0) return;
  unknown_[slot] |= later;
  due_[static_cast<std::size_t>(std::countr_zero(unknown_[slot]))].push_back(static_cast<std::uint32_t>(slot));
}

std::size_t WindowEvaluator::true_patch(std::size_t i, ClauseId clause, std::uint64_t bits) {
  if (i != made_image_) image_.assign(examples_->packed(i));
  made_image_ = i;
  const RowsClause box = layout_.compile(bits_of(clause), bank_.included(clause), shifted_.data());
  std::uint64_t any = 0;
  const std::size_t across = image_.positions(box, kernels_, positions_, any);
  std::size_t left = bounded(bits, kernels_.count(positions_.data(), positions_.size()));
  for (std::size_t w = 0;; ++w) {
    assert(w < positions_.size());
    std::uint64_t word = positions_[w];
    for (; word != 0 && left > 0; --left) word &= word - 1;  // few positions are true
    if (word == 0) continue;
    const std::size_t row = box.top + w / across;
    const std::size_t column = 64 * (box.left / 64 + w % across) + static_cast<std::size_t>(std::countr_zero(word));
    return row * layout_.shape().across() + column;
  }
}

}  // namespace falsum
