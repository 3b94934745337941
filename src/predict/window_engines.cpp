// Engines for models of patches (evaluate/windows.h): "sliced" evaluates a clause for 512, 256 or 64 rows at once,
// "bitmap" for one row at all positions at once. Both evaluate each clause once, whatever the number of outputs that it
// votes on.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "evaluate/wide_windows.h"
#include "predict/vote_engine.h"
#include "support/large_block.h"

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
    // Neighbours take the same path through the kernels and read the same part of the image.
    std::ranges::stable_sort(clauses, {}, [](const Clause& clause) {
      return std::tuple(clause.rows(), clause.columns(), clause.box.top, clause.box.left);
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
    tables_ = WideTable::tables(layout_, kernels);
    std::size_t literals = 0;
    for (const VotingWindows::Clause& clause : voting.clauses) literals += clause.literals.size();
    offsets_.resize(literals + 1);
    std::uint32_t* next = offsets_.data();
    std::vector<std::uint64_t> bits(layout_.clause_words());
    for (const VotingWindows::Clause& clause : voting.clauses) {
      set_bits(clause.literals, bits);
      clauses_.push_back(layout_.compile(bits.data(), ids_of(clause.literals), next));
      next += clauses_.back().size;
      add_votes(clause.votes);
      const std::vector<PixelLiteral> joined = joined_pixels(layout_.shape(), clause.literals, tables_);
      for (const PixelLiteral& literal : joined) wide_offsets_.push_back(WideTable::offset(layout_, literal));
      WindowClause wide = clauses_.back();
      wide.size = static_cast<std::uint32_t>(joined.size());
      wide_.push_back(wide);
      const auto positions = static_cast<double>(clause.rows() * clause.columns());
      table_cycles_ +=
          40 + 0.6 * static_cast<double>(clause.rows() * ((clause.columns() + 3) / 4) * clause.literals.size());
      wide_cycles_ += 150 + 0.7 * positions * static_cast<double>(joined.size());
    }
    const std::uint32_t* at = wide_offsets_.data();
    for (WindowClause& clause : wide_) clause.offsets = std::exchange(at, at + clause.size);
  }

  const char* name() const override { return "sliced"; }
  std::uint64_t bytes() const override {
    return (offsets_.size() + wide_offsets_.size()) * 4 + 2 * clauses_.size() * sizeof(WindowClause) + vote_bytes();
  }
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    const std::size_t wide = wide_tables(rows), left = rows - std::min(rows, wide * wide_rows());
    return wide_cycles_ * static_cast<double>(wide) +
           table_cycles_ * std::ceil(static_cast<double>(left) / WindowTable::kExamples);
  }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    count(block, out, counters);
  }

 private:
  static constexpr std::size_t kTallied = 512;  // rows whose votes Kernels::tally adds up

  std::size_t wide_rows() const { return WindowTable::kExamples * kernels_.position_words; }
  /// A last wide table is used if it is more than three eighths full: it takes the time of two or three of 64 rows.
  std::size_t wide_tables(std::size_t rows) const { return (rows + wide_rows() * 5 / 8 - 1) / wide_rows(); }

  template <class Block>
  void count(const Block& block, std::int32_t* out, PredictCounters& counters) const {
    std::fill_n(out, block.rows * outputs(), 0);
    const std::size_t wide = std::min(block.rows, wide_tables(block.rows) * wide_rows());
    if (wide > 0) count_wide(block, wide, out, counters);
    if (wide < block.rows) count_by_64(block, wide, out, counters);
    counters.samples += block.rows;
  }

  /// Adds the votes of clause c where bits are on, in rows from `first` on.
  void add(std::size_t c, std::uint64_t truth, std::size_t first, std::int32_t* out) const {
    for (const VotingWindows::Vote& vote : votes_of(c)) {
      for_each_bit(truth, first, [&](std::size_t r) { out[r * outputs() + vote.output] += vote.votes; });
    }
  }

  /// The rows before `last`. A part of the clauses is evaluated on one table, then on the next, so that each stays in
  /// the caches; their votes are added up for all of these rows at once.
  template <class Block>
  void count_wide(const Block& block, std::size_t last, std::int32_t* out, PredictCounters& counters) const {
    constexpr std::size_t kPart = 64;
    const std::size_t wide = wide_rows(), most = kTallied / wide;
    std::vector<WideTable> tables;
    for (std::size_t t = 0; t < most; ++t) tables.emplace_back(layout_, tables_, kernels_.position_words, kernels_);
    std::vector<std::uint64_t> room(row_words_);
    std::vector<std::uint64_t> truths(kPart * kTallied / 64);
    std::vector<std::int32_t> sums(outputs() * kTallied);
    for (std::size_t first = 0; first < last; first += kTallied) {
      const std::size_t rows = std::min(kTallied, last - first);
      const std::size_t used = (rows + wide - 1) / wide;
      for (std::size_t t = 0; t < used; ++t) {
        const std::size_t start = t * wide;
        tables[t].assign(std::min(wide, rows - start),
                         [&](std::size_t u) { return packed(block, first + start + u, room); });
      }
      std::fill(sums.begin(), sums.end(), 0);
      for (std::size_t c = 0; c < wide_.size(); c += kPart) {
        const std::size_t part = std::min(kPart, wide_.size() - c);
        for (std::size_t t = 0; t < used; ++t) {
          for (std::size_t i = 0; i < part; ++i) {
            tables[t].any(wide_[c + i], truths.data() + (most * i + t) * wide / 64);
            counters.columns_joined += wide_[c + i].size;
          }
        }
        for (std::size_t i = 0; i < part; ++i) {
          for (const VotingWindows::Vote& vote : votes_of(c + i)) {
            kernels_.tally(truths.data() + i * kTallied / 64, 1, vote.votes, sums.data() + vote.output * kTallied);
          }
        }
      }
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t o = 0; o < outputs(); ++o) out[(first + r) * outputs() + o] = sums[o * kTallied + r];
      }
    }
  }

  /// The rows from `first` on.
  template <class Block>
  void count_by_64(const Block& block, std::size_t first, std::int32_t* out, PredictCounters& counters) const {
    WindowTable table(layout_);
    std::vector<std::uint64_t> room(row_words_);
    for (; first < block.rows; first += WindowTable::kExamples) {
      const std::size_t rows = std::min(WindowTable::kExamples, block.rows - first);
      table.assign(
          rows, [&](std::size_t u) { return packed(block, first + u, room); }, kernels_);
      const std::uint64_t want = ~std::uint64_t{0} >> (64 - rows);
      for (std::size_t c = 0; c < clauses_.size(); ++c) {
        add(c, table.any(clauses_[c], want, kernels_), first, out);
        counters.columns_joined += clauses_[c].size;
      }
    }
  }

  WindowLayout layout_;
  std::size_t row_words_;
  std::vector<std::uint32_t> offsets_, wide_offsets_;  // of all clauses
  std::vector<WindowClause> clauses_, wide_;           // for tables of 64 rows, and for wide ones
  std::size_t tables_ = 0;                             // of a wide table
  double table_cycles_ = 0, wide_cycles_ = 0;
};

class BitmapWindowEngine final : public WindowEngine {
 public:
  BitmapWindowEngine(const Model& model, const Kernels& kernels)
      : WindowEngine(model, kernels), layout_(*model.patches()), row_words_(words_for(model.features())) {
    const VotingWindows voting(model);
    std::size_t literals = 0;
    for (const VotingWindows::Clause& clause : voting.clauses) literals += clause.literals.size();
    literals_.resize(literals + 1);
    ShiftedRow* next = literals_.data();
    std::vector<std::uint64_t> bits(layout_.clause_words());
    for (const VotingWindows::Clause& clause : voting.clauses) {
      set_bits(clause.literals, bits);
      clauses_.push_back(layout_.compile(bits.data(), ids_of(clause.literals), next));
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

/// The same where the positions fit into lanes (LaneTable::fits). Clauses of one shape and length follow each other.
class LaneWindowEngine final : public WindowEngine {
 public:
  LaneWindowEngine(const Model& model, const Kernels& kernels)
      : WindowEngine(model, kernels), layout_(*model.patches()), row_words_(words_for(model.features())) {
    const VotingWindows voting(model);
    struct Lanes {
      const VotingWindows::Clause* clause;
      std::vector<PixelLiteral> literals;
      std::uint32_t vectors() const { return static_cast<std::uint32_t>((clause->rows() + 7) / 8); }
      std::uint32_t length() const { return static_cast<std::uint32_t>((literals.size() + 3) / 4 * 4); }
    };
    std::vector<Lanes> all;
    for (const VotingWindows::Clause& clause : voting.clauses) {
      all.push_back({&clause, joined_pixels(layout_.shape(), clause.literals, LaneTable::tables(layout_))});
      // Literals that leave the fewest positions come first: few pixels are on, and two leave fewer than one.
      std::ranges::stable_sort(all.back().literals, {}, [](const PixelLiteral& literal) {
        return std::pair(literal.negated(), -static_cast<int>(literal.pixels()));
      });
    }
    std::ranges::stable_sort(all, {}, [](const Lanes& lanes) { return std::pair(lanes.vectors(), lanes.length()); });
    std::vector<std::uint16_t> first, others;  // offsets of a run
    const auto end_run = [&] {
      offsets_.insert(offsets_.end(), first.begin(), first.end());
      offsets_.insert(offsets_.end(), others.begin(), others.end());
      first.clear();
      others.clear();
    };
    for (const Lanes& lanes : all) {
      const Rectangle& box = lanes.clause->box;
      clauses_.push_back({~std::uint32_t{0} << box.left & ~std::uint32_t{0} >> (31 - box.right),
                          static_cast<std::uint16_t>(box.top), static_cast<std::uint16_t>(lanes.clause->rows())});
      if (runs_.empty() || runs_.back().vectors != lanes.vectors() || runs_.back().length != lanes.length()) {
        end_run();
        runs_.push_back({0, lanes.length(), lanes.vectors()});
      }
      ++runs_.back().clauses;
      for (std::uint32_t l = 0; l < lanes.length(); ++l) {
        (l < kFirstOffsets ? first : others)
            .push_back(l < lanes.literals.size() ? LaneTable::offset(layout_, lanes.literals[l])
                                                 : LaneTable::filler(layout_));
      }
      add_votes(lanes.clause->votes);
      row_cycles_ += 20 + 0.6 * lanes.vectors() * std::min(lanes.length(), 16u);
    }
    end_run();
  }

  const char* name() const override { return "bitmap"; }
  std::uint64_t bytes() const override {
    return offsets_.size() * 2 + clauses_.size() * sizeof(LaneClause) + runs_.size() * sizeof(LaneRun) + vote_bytes();
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
    LaneTable table(layout_);
    std::vector<std::uint64_t> room(row_words_);
    std::vector<std::uint32_t> found(clauses_.size() + 1);
    std::fill_n(out, block.rows * outputs(), 0);
    for (std::size_t r = 0; r < block.rows; ++r, out += outputs()) {
      table.assign(packed(block, r, room));
      const std::size_t count = kernels_.lane_windows(table.data(), runs_.data(), runs_.size(), clauses_.data(),
                                                      offsets_.data(), found.data());
      for (std::size_t i = 0; i < count; ++i) {
        for (const auto& [output, votes] : votes_of(found[i])) out[output] += votes;
      }
    }
    counters.samples += block.rows;
    counters.bitmaps_joined += block.rows * offsets_.size();
  }

  WindowLayout layout_;
  std::size_t row_words_;
  std::vector<LaneRun> runs_;
  std::vector<LaneClause> clauses_;
  LargeVector<std::uint16_t> offsets_;
  double row_cycles_ = 0;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_sliced_window_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<SlicedWindowEngine>(model, kernels);
}
std::unique_ptr<const CostedEngine> make_bitmap_window_engine(const Model& model, const Kernels& kernels) {
  if (LaneTable::fits(WindowLayout(*model.patches()))) return std::make_unique<LaneWindowEngine>(model, kernels);
  return std::make_unique<BitmapWindowEngine>(model, kernels);
}

}  // namespace falsum
