// "auto": one engine for batches and one for single samples, both compiled, and each call takes the one that suits its
// rows.
#include "engine/vote_engine.h"

namespace falsum {
namespace {

class AutoEngine final : public VoteEngine {
 public:
  AutoEngine(const Model& model, const Kernels& kernels)
      : batch_(make_sliced_engine(model, kernels)),
        single_(model.clauses() >= kIndexPays ? make_index_engine(model, kernels) : make_scan_engine(model)) {}

  const char* name(std::size_t rows) const override { return pick(rows).name(rows); }
  std::uint64_t bytes() const override { return batch_->bytes() + single_->bytes(); }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    pick(block.rows).votes(block, out, counters);
  }

 private:
  /// Clauses per class from which the index is faster than the scan. A scan leaves most clauses after a few words, so
  /// with few clauses the index does not earn its keep: on MNIST the two meet between 20 and 100 clauses (`make
  /// bench`).
  static constexpr std::size_t kIndexPays = 64;
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
