// Prediction of single samples: the cost depends on a sample's unusual literals.
//
// A clause is one bit, on when it is falsified; a (class, polarity) fills whole words. Every literal that any clause
// includes is stored in the cheapest of three ways, given how often it is false and how many clauses include it:
//
//   bitmap  a bit for every clause, set where the literal is included; ORed into the falsified ones when it is false
//   list    the paper's inclusion list, walked when the literal is false
//   wanted  the same list, walked when the literal is TRUE: each clause counts the literals that it wants in this way,
//           and is false until all have come. A rare word is false in nearly every text, so its list is hardly ever
//           walked, and the many words that a text lacks cost nothing.
//
// Clauses of one literal are no clauses here (literal_votes.h): a sum over the true features has all their votes.
//
// So only the unusual literals of a sample cost time: on MNIST 150 bitmaps instead of 784 lists, on IMDb 120 instead of
// 5,000. No clause is evaluated by itself, and there is no early exit: an unpredictable branch costs more than the work
// it saves. P(false) comes from the training data (Model::truth_shares); without it every literal is assumed to be
// false half of the time. Only speed depends on it.
//
// Classes are divided among parts of at most 32,768 clauses, each with its own bitmaps and lists: ids take 16 bits,
// flags stay in the first-level cache, and a literal may be stored in different ways for different classes. For 20,000
// clauses in each of 10 classes that is a third faster than one part. The speed of such a model is limited by the bytes
// that come from distant memory, so its bitmaps must save more work to pay (`kFar`).
#include <algorithm>
#include <limits>

#include "predict/bitmap_part.h"

namespace falsum {
namespace {

constexpr BitmapCosts kNear = {2.5}, kFar = {6};  // bitmaps in the second-level cache, and beyond it
constexpr std::size_t kNearBytes = 4 << 20;       // roughly the size up to which they stay there
constexpr std::size_t kPartSlots = 32768;

template <class Id>
class BitmapEngine final : public CostedEngine {
 public:
  BitmapEngine(const Model& model, const Kernels& kernels, std::size_t classes_a_part)
      : CostedEngine(model.outputs()), literal_votes_(model) {
    const auto compile = [&](const BitmapCosts& costs) {
      parts_.clear();
      std::uint64_t bitmaps = 0;
      for (std::size_t c = 0; c < model.outputs(); c += classes_a_part) {
        parts_.emplace_back(model, kernels, literal_votes_, costs, c, std::min(c + classes_a_part, model.outputs()));
        bitmaps += parts_.back().bitmap_bytes();
      }
      return bitmaps;
    };
    if (compile(kNear) > kNearBytes) compile(kFar);
  }

  const char* name() const override { return "bitmap"; }
  std::uint64_t bytes() const override {
    std::uint64_t bytes = literal_votes_.bytes();
    for (const BitmapPart<Id>& part : parts_) bytes += part.bytes();
    return bytes;
  }
  double cycles(std::size_t rows, bool sparse) const override {
    double cycles = literal_votes_.row_cycles();
    for (const BitmapPart<Id>& part : parts_) cycles += part.row_cycles(sparse);
    return static_cast<double>(rows) * cycles;
  }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters);
  }

 private:
  template <class Block>
  void all_votes(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    for (const BitmapPart<Id>& part : parts_) part.votes(block, out, counters);
    for (std::size_t r = 0; r < block.rows; ++r) literal_votes_.add(block.row(r), out + r * outputs());
    counters.samples += block.rows;
  }

  LiteralVotes literal_votes_;
  std::vector<BitmapPart<Id>> parts_;
};

/// A polarity ends in a whole word.
std::size_t slots_of_a_class(const Model& model) {
  std::size_t most = 0;
  for (std::size_t o = 0; o < model.outputs(); ++o) most = std::max(most, model.weights(o).size());
  return most + 128;
}
std::size_t classes_a_part(const Model& model) {
  return std::max<std::size_t>(1, kPartSlots / slots_of_a_class(model));
}

}  // namespace

std::uint64_t most_bitmap_bytes(const Model& model) {
  // A literal has a bitmap only where its list would cost as much, so the model's size bounds it. Every part could have
  // one for each literal.
  const double parts = static_cast<double>(model.outputs()) / static_cast<double>(classes_a_part(model));
  const double lists = static_cast<double>(voting_literals(model)) * kNear.entry +
                       (parts + 1) * static_cast<double>(model.literals()) * (kNear.list - kNear.bitmap);
  return static_cast<std::uint64_t>(64 * lists / kNear.line);
}

namespace {

std::unique_ptr<const CostedEngine> make_engine_of_bitmaps(const Model& model, const Kernels& kernels) {
  // Ids go beyond the slots: a clause that wants many literals has further bytes.
  const std::size_t classes = classes_a_part(model);
  const std::size_t places =
      classes * slots_of_a_class(model) + voting_literals(model) / BitmapPart<std::uint16_t>::kMostWanted + 1024;
  if (places <= std::numeric_limits<std::uint16_t>::max()) {
    return std::make_unique<BitmapEngine<std::uint16_t>>(model, kernels, classes);
  }
  return std::make_unique<BitmapEngine<std::uint32_t>>(model, kernels, classes);
}

}  // namespace

std::unique_ptr<const CostedEngine> make_bitmap_engine(const Model& model, const Kernels& kernels) {
  constexpr std::size_t kMany = 4096;  // bitmaps of fewer clauses stay in near caches, where they are faster
  std::unique_ptr<const CostedEngine> bitmaps = make_engine_of_bitmaps(model, kernels);
  if (!kernels.bytes_are_fast || model.parts().weights.size() < kMany || !can_test_bytes(model)) return bitmaps;
  std::unique_ptr<const CostedEngine> bytes = make_byte_engine(model, kernels);
  return bytes->cycles(1, false) < bitmaps->cycles(1, false) ? std::move(bytes) : std::move(bitmaps);
}

}  // namespace falsum
