// "auto": one engine for batches and one for single samples, both compiled. Each block of rows goes to the engine with
// the lower estimate. The estimates (CostedEngine::cycles) follow from the model: how many clauses of which length, how
// often their literals are false, how many features. The reason printed has the same numbers.
//
// Bitmaps take more memory than anything else here. If they could take more than `memory`, the packed index predicts
// single samples instead.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "predict/vote_engine.h"

namespace falsum {
namespace {

class AutoEngine final : public VoteEngine {
 public:
  /// `note` ends the reason.
  AutoEngine(std::size_t outputs, std::unique_ptr<const CostedEngine> batch, std::unique_ptr<const CostedEngine> single,
             std::string note)
      : VoteEngine(outputs), batch_(std::move(batch)), single_(std::move(single)), note_(std::move(note)) {
    for (const bool sparse : {false, true}) {
      std::size_t& rows = slicing_pays_[sparse];
      while (rows <= kBlockRows && batch_->cycles(rows, sparse) >= single_->cycles(rows, sparse)) ++rows;
    }
  }

  const char* name() const override { return "auto"; }
  std::uint64_t bytes() const override { return batch_->bytes() + single_->bytes(); }

  EngineChoice choice(std::size_t rows, bool sparse) const override {
    const auto number = [](double x) {
      const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(x, 1.0))) - 1));  // two digits
      return fmt::format("{:.0f}", std::round(x / unit) * unit);
    };
    std::string reason = fmt::format(
        "a {}row by itself is expected to take {} cycles with {} and up to {} rows at once {} cycles with {}",
        sparse ? "sparse " : "", number(single_->cycles(1, sparse)), single_->name(), kBlockRows,
        number(batch_->cycles(kBlockRows, sparse)), batch_->name());
    const std::size_t pays = slicing_pays_[sparse];
    if (pays <= kBlockRows) {
      reason += fmt::format(", so {} pays from {} {} on; there {} {}", batch_->name(), pays, pays == 1 ? "row" : "rows",
                            rows == 1 ? "is" : "are",
                            rows >= kBlockRows ? fmt::format("{} or more", kBlockRows) : fmt::to_string(rows));
    } else {
      reason += fmt::format(", so {} never pays", batch_->name());
    }
    return {pick(rows, sparse).name(), reason + note_};
  }

  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    pick(block.rows, false).votes(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    pick(block.rows, true).votes(block, out, counters);
  }
  void winners(const RowBlock& block, std::uint32_t* out, PredictCounters& counters) const override {
    pick(block.rows, false).winners(block, out, counters);
  }
  void winners(const SparseBlock& block, std::uint32_t* out, PredictCounters& counters) const override {
    pick(block.rows, true).winners(block, out, counters);
  }

 private:
  const VoteEngine& pick(std::size_t rows, bool sparse) const {
    return rows >= slicing_pays_[sparse] ? *batch_ : *single_;
  }

  std::unique_ptr<const CostedEngine> batch_, single_;
  std::string note_;
  std::size_t slicing_pays_[2] = {1, 1};  // from this many rows on: packed, sparse
};

}  // namespace

std::unique_ptr<const VoteEngine> make_auto_engine(const Model& model, const Kernels& kernels, std::uint64_t memory) {
  if (model.patches()) {
    return std::make_unique<AutoEngine>(model.outputs(), make_sliced_window_engine(model, kernels),
                                        make_bitmap_window_engine(model, kernels), "");
  }
  std::unique_ptr<const CostedEngine> batch = make_sliced_engine(model, kernels);
  const std::uint64_t bitmap_bytes = most_bitmap_bytes(model);
  if (bitmap_bytes <= memory) {
    return std::make_unique<AutoEngine>(model.outputs(), std::move(batch), make_bitmap_engine(model, kernels), "");
  }
  return std::make_unique<AutoEngine>(
      model.outputs(), std::move(batch), make_index_engine(model, kernels),
      fmt::format("; bitmap could take {} MB and {} MB are allowed, so index took its place", bitmap_bytes >> 20,
                  memory >> 20));
}

std::unique_ptr<const VoteEngine> make_fuzzy_auto_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<AutoEngine>(model.outputs(), make_fuzzy_sliced_engine(model, kernels),
                                      make_fuzzy_tables_engine(model, kernels), "");
}

}  // namespace falsum
