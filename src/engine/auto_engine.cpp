// "auto": one engine for batches and one for single samples, both compiled, and each call takes the one that suits its
// rows.
#include <fmt/format.h>

#include "engine/vote_engine.h"

namespace falsum {
namespace {

class AutoEngine final : public VoteEngine {
 public:
  AutoEngine(const Model& model, const Kernels& kernels)
      : batch_(make_sliced_engine(model, kernels)), single_(make_bitmap_engine(model, kernels)) {}

  const char* name() const override { return "auto"; }
  std::uint64_t bytes() const override { return batch_->bytes() + single_->bytes(); }
  EngineChoice choice(std::size_t rows) const override { return {pick(rows).name(), ""}; }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    pick(block.rows).votes(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    pick(block.rows).votes(block, out, counters);
  }

 private:
  /// Rows from which slicing pays: it does the work of 512 samples for any number of them.
  static constexpr std::size_t kSlicingPays = 16;

  const VoteEngine& pick(std::size_t rows) const { return rows >= kSlicingPays ? *batch_ : *single_; }

  std::unique_ptr<const VoteEngine> batch_, single_;
};

}  // namespace

std::unique_ptr<const VoteEngine> make_auto_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<AutoEngine>(model, kernels);
}

}  // namespace falsum
