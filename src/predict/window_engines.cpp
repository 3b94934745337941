// Engines for models of patches (evaluate/windows.h): "sliced" evaluates a clause for 64 rows at once, "bitmap" for one
// row at all positions at once. Both evaluate each clause once, whatever the number of outputs that it votes on.
#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluate/windows.h"
#include "predict/vote_engine.h"

namespace falsum {
namespace {

/// A row as packed words.
std::span<const std::uint64_t> packed(const RowBlock& block, std::size_t r, std::vector<std::uint64_t>&) {
  return block.row(r);
}
std::span<const std::uint64_t> packed(const SparseBlock& block, std::size_t r, std::vector<std::uint64_t>& room) {
  std::fill(room.begin(), room.end(), 0);
  for (const std::uint32_t k : block.row(r)) room[k / 64] |= std::uint64_t{1} << (k % 64);
  return room;
}

/// The clauses that have literals and a position, and their votes.
struct VotingWindows {
  explicit VotingWindows(const Model& model) : layout(*model.patches()), row_words(words_for(model.features())) {
    std::vector<std::vector<Vote>> by_clause(model.clauses());
    for (std::size_t o = 0; o < model.outputs(); ++o) {
      for (const Weight& weight : model.weights(o)) {
        by_clause[weight.clause].push_back({static_cast<std::uint32_t>(o), weight.votes});
      }
    }
    std::vector<std::uint64_t> bits(layout.clause_words());
    for (std::size_t c = 0; c < model.clauses(); ++c) {
      const std::span<const std::uint32_t> literals = model.clause(c);
      if (literals.empty() || by_clause[c].empty()) continue;
      set_bits(literals, bits);
      const Rectangle box = layout.positions_left(bits.data());
      if (!box.empty()) clauses.push_back({literals, box, by_clause[c]});
    }
    // Neighbours take the same path through the kernels.
    std::stable_sort(clauses.begin(), clauses.end(), [](const Clause& a, const Clause& b) {
      return std::pair(a.rows(), a.columns()) < std::pair(b.rows(), b.columns());
    });
  }

  struct Vote {
    std::uint32_t output;
    std::int32_t votes;
  };
  struct Clause {
    std::span<const std::uint32_t> literals;  // of the model
    Rectangle box;
    std::vector<Vote> votes;
    std::size_t rows() const { return box.bottom - box.top + 1; }
    std::size_t columns() const { return box.right - box.left + 1; }
  };

  WindowLayout layout;
  std::size_t row_words;
  std::vector<Clause> clauses;
};

class WindowEngine : public CostedEngine {
 public:
  WindowEngine(const Model& model, const Kernels& kernels) : CostedEngine(model.outputs()), kernels_(kernels) {}

 protected:
  /// Adds the votes of the next clause.
  void add_votes(const std::vector<VotingWindows::Vote>& votes) {
    votes_.insert(votes_.end(), votes.begin(), votes.end());
    vote_ends_.push_back(static_cast<std::uint32_t>(votes_.size()));
  }
  std::span<const VotingWindows::Vote> votes_of(std::size_t c) const {
    const std::uint32_t first = c == 0 ? 0 : vote_ends_[c - 1];
    return {votes_.data() + first, votes_.data() + vote_ends_[c]};
  }
  std::uint64_t vote_bytes() const { return votes_.size() * sizeof(VotingWindows::Vote) + vote_ends_.size() * 4; }

  const Kernels& kernels_;

 private:
  std::vector<VotingWindows::Vote> votes_;
  std::vector<std::uint32_t> vote_ends_;  // by clause
};

class SlicedWindowEngine final : public WindowEngine {
 public:
  SlicedWindowEngine(const Model& model, const Kernels& kernels)
      : WindowEngine(model, kernels), layout_(*model.patches()), row_words_(words_for(model.features())) {
    const VotingWindows voting(model);
    std::size_t literals = 0;
    for (const VotingWindows::Clause& clause : voting.clauses) literals += clause.literals.size();
    offsets_.resize(literals);
    std::uint32_t* next = offsets_.data();
    std::vector<std::uint64_t> bits(layout_.clause_words());
    for (const VotingWindows::Clause& clause : voting.clauses) {
      set_bits(clause.literals, bits);
      clauses_.push_back(layout_.compile(bits.data(), next));
      next += clauses_.back().size;
      add_votes(clause.votes);
      block_cycles_ +=
          40 + 0.6 * static_cast<double>(clause.rows() * ((clause.columns() + 3) / 4) * clause.literals.size());
    }
  }

  const char* name() const override { return "sliced"; }
  std::uint64_t bytes() const override {
    return offsets_.size() * 4 + clauses_.size() * sizeof(WindowClause) + vote_bytes();
  }
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    return block_cycles_ * std::ceil(static_cast<double>(rows) / WindowTable::kExamples);
  }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }

 private:
  template <class Block>
  void count(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    // As many tables at a time as the nearest cache holds: clauses are read from memory once for all of them.
    constexpr std::size_t kCache = 24 << 10, kMost = 4;
    const std::size_t together = std::clamp<std::size_t>(kCache / (8 * layout_.table_words()), 1, kMost);
    std::vector<WindowTable> tables;
    tables.reserve(together);
    std::vector<std::uint64_t> room(row_words_);
    std::fill_n(out, block.rows * outputs(), 0);
    for (std::size_t first = 0; first < block.rows; first += together * WindowTable::kExamples) {
      std::size_t used = 0;
      for (std::size_t from = first; used < together && from < block.rows; ++used, from += WindowTable::kExamples) {
        if (used == tables.size()) tables.emplace_back(layout_);
        tables[used].assign(
            std::min(WindowTable::kExamples, block.rows - from),
            [&](std::size_t u) { return packed(block, from + u, room); }, kernels_);
      }
      for (std::size_t c = 0; c < clauses_.size(); ++c) {
        for (std::size_t t = 0; t < used; ++t) {
          const std::size_t from = first + t * WindowTable::kExamples, left = block.rows - from;
          const std::uint64_t want = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
          const std::uint64_t truth = tables[t].any(clauses_[c], want, kernels_);
          for (const VotingWindows::Vote& vote : votes_of(c)) {
            for_each_bit(truth, from, [&](std::size_t r) { out[r * outputs() + vote.output] += vote.votes; });
          }
        }
        counters.columns_joined += used * clauses_[c].size;
      }
    }
    counters.samples += block.rows;
  }

  WindowLayout layout_;
  std::size_t row_words_;
  std::vector<std::uint32_t> offsets_;  // of all clauses
  std::vector<WindowClause> clauses_;
  double block_cycles_ = 0;
};

class BitmapWindowEngine final : public WindowEngine {
 public:
  BitmapWindowEngine(const Model& model, const Kernels& kernels)
      : WindowEngine(model, kernels), layout_(*model.patches()), row_words_(words_for(model.features())) {
    const VotingWindows voting(model);
    std::size_t literals = 0;
    for (const VotingWindows::Clause& clause : voting.clauses) literals += clause.literals.size();
    literals_.resize(literals);
    ShiftedRow* next = literals_.data();
    std::vector<std::uint64_t> bits(layout_.clause_words());
    for (const VotingWindows::Clause& clause : voting.clauses) {
      set_bits(clause.literals, bits);
      clauses_.push_back(layout_.compile(bits.data(), next));
      next += clauses_.back().size;
      add_votes(clause.votes);
      row_cycles_ += 40 + static_cast<double>(((clause.rows() + 7) / 8) * clause.literals.size());
    }
  }

  const char* name() const override { return "bitmap"; }
  std::uint64_t bytes() const override {
    return literals_.size() * sizeof(ShiftedRow) + clauses_.size() * sizeof(RowsClause) + vote_bytes();
  }
  double cycles(std::size_t rows, bool /*sparse*/) const override { return row_cycles_ * static_cast<double>(rows); }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }

 private:
  template <class Block>
  void count(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    ImageRows image(layout_);
    std::vector<std::uint64_t> room(row_words_), positions;
    std::fill_n(out, block.rows * outputs(), 0);
    for (std::size_t r = 0; r < block.rows; ++r, out += outputs()) {
      image.assign(packed(block, r, room));
      for (std::size_t c = 0; c < clauses_.size(); ++c) {
        std::uint64_t any = 0;
        image.positions(clauses_[c], kernels_, positions, any);
        if (any == 0) continue;
        for (const auto& [output, votes] : votes_of(c)) out[output] += votes;
      }
    }
    counters.samples += block.rows;
    counters.bitmaps_joined += block.rows * literals_.size();
  }

  WindowLayout layout_;
  std::size_t row_words_;
  std::vector<ShiftedRow> literals_;  // of all clauses
  std::vector<RowsClause> clauses_;
  double row_cycles_ = 0;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_sliced_window_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<SlicedWindowEngine>(model, kernels);
}
std::unique_ptr<const CostedEngine> make_bitmap_window_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<BitmapWindowEngine>(model, kernels);
}

}  // namespace falsum
