// Prediction in batches: 512 samples at once, one bit each.
//
//   columns   per literal 512 bits: its truth in each sample (64 bytes, so a table of 2 x features x 64 bytes)
//   clause    the AND of its literals' columns: its output for all 512 samples, without a branch
//   votes     counted in bit planes by carry-save adders, for and against each output apart; the difference is made in
//             planes too
//   winners   the largest of these numbers, compared plane by plane: votes as integers are made only if asked for
//
// A clause that has one vote on one output is counted as soon as it is evaluated (Stream). Others have a weight, or
// vote on several outputs: these are evaluated 256 at a time into a buffer (Tile), from which each output adds them up
// (Sum): plane by plane, the clauses whose weight has that binary digit and the carries of the plane before.
//
// Clauses of one literal, which large models have in thousands, are not evaluated: their columns are outputs already,
// of which each is added once, with the votes of all clauses that are this literal.
//
// Clauses are sorted by length, so that the inner loop runs a fixed number of times for long stretches. A clause is
// hardly ever false for all 512 samples, so there is no early exit.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "predict/sliced_blocks.h"
#include "support/large_block.h"
#include "support/scratch.h"

namespace falsum {
namespace {

/// The columns of clauses, one clause after the other: in 16 bits where they fit, since those of a large model come
/// from distant memory for every block.
class ColumnIds {
 public:
  explicit ColumnIds(std::size_t columns) : wide_(columns > std::size_t{1} << 16) {}
  void reserve(std::size_t ids) { wide_ ? long_.reserve(ids) : short_.reserve(ids); }
  /// Adds `filler` until they are `length`.
  void add(std::span<const std::uint32_t> ids, std::size_t length, std::uint32_t filler) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint32_t id = i < ids.size() ? ids[i] : filler;
      wide_ ? long_.push_back(id) : short_.push_back(static_cast<std::uint16_t>(id));
    }
  }
  std::size_t size() const { return long_.size() + short_.size(); }
  std::uint64_t bytes() const { return long_.size() * 4 + short_.size() * 2; }
  IdList from(std::size_t first) const {
    if (wide_) return {long_.data() + first, 0, true};
    return {short_.data() + first, 0, false};
  }

 private:
  bool wide_;
  LargeVector<std::uint32_t> long_;
  LargeVector<std::uint16_t> short_;
};

class SlicedEngine final : public SlicedBlocks<SlicedEngine> {
 public:
  SlicedEngine(const Model& model, const Kernels& kernels)
      : SlicedBlocks(model.outputs()), features_(model.features()), kernels_(kernels), ids_(2 * features_ + 1) {
    find_planes(model);
    const bool literals_apart = literals_pay(model);
    const auto is_apart = [&](std::uint32_t c) { return literals_apart && model.clause(c).size() == 1; };
    std::vector<std::uint32_t> votes_on(model.clauses());  // how many outputs a clause votes on
    for (const Weight& weight : model.parts().weights) ++votes_on[weight.clause];
    std::vector<std::uint32_t> tiled;
    std::size_t ids = 0;
    for (std::uint32_t c = 0; c < model.clauses(); ++c) {
      if (votes_on[c] > 0 && !is_apart(c)) ids += padded(model.clause(c).size());
    }
    ids_.reserve(ids);
    for (std::size_t output = 0; output < outputs(); ++output) {
      std::vector<std::uint32_t> plus, minus;
      for (const Weight& weight : model.weights(output)) {
        if (model.clause(weight.clause).empty() || is_apart(weight.clause)) continue;
        if (votes_on[weight.clause] == 1 && std::abs(weight.votes) == 1) {
          (weight.votes > 0 ? plus : minus).push_back(weight.clause);
        } else if (votes_on[weight.clause] > 0) {
          tiled.push_back(weight.clause);
          votes_on[weight.clause] = 0;  // listed
        }
      }
      for (const bool is_plus : {true, false}) {
        std::vector<std::uint32_t>& clauses = is_plus ? plus : minus;
        if (!clauses.empty()) streams_.push_back({add_clauses(model, clauses), row_of(output, is_plus)});
      }
    }
    std::vector<std::uint32_t> position(model.clauses(), kNowhere);
    for (std::size_t first = 0; first < tiled.size(); first += kTileClauses) {
      const std::size_t last = std::min(first + kTileClauses, tiled.size());
      std::vector<std::uint32_t> clauses(tiled.begin() + static_cast<std::ptrdiff_t>(first),
                                         tiled.begin() + static_cast<std::ptrdiff_t>(last));
      const Clauses added = add_clauses(model, clauses);
      for (std::size_t i = 0; i < clauses.size(); ++i) position[clauses[i]] = static_cast<std::uint32_t>(first + i);
      tiles_.push_back({added, 0, 0, 0});
    }
    add_sums(model, position, literals_apart);
  }

  const char* name() const override { return "sliced"; }
  /// Nearly the same for any number of rows.
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    const double slicing = 40 * static_cast<double>(features_), votes = 800 * static_cast<double>(outputs());
    const double clauses = 2 * static_cast<double>(ids_.size()) + 5 * static_cast<double>(members_.size());
    const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    return static_cast<double>(blocks) * (slicing + votes + clauses);
  }
  std::uint64_t bytes() const override {
    return ids_.bytes() + runs_.size() * sizeof(SlicedRun) + streams_.size() * sizeof(Stream) +
           tiles_.size() * sizeof(Tile) + sums_.size() * sizeof(Sum) + members_.size() + 2 * counts_.size();
  }

 private:
  friend class SlicedBlocks<SlicedEngine>;
  static constexpr std::size_t kTileClauses = 256;  // a member is a byte, and the outputs of a tile take 16 KB
  static constexpr std::size_t kSumCost = 8;        // of adding up columns of a tile for an output, in clauses
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  struct Clauses {
    std::size_t runs, run_count, ids;
  };
  struct Stream {
    Clauses clauses;
    std::size_t row;  // of counters
  };
  struct Tile {
    Clauses clauses;  // none: then the outputs are columns
    std::size_t first_sum, last_sum;
    std::size_t first_column;
  };
  struct Sum {
    std::size_t row;              // of counters
    std::size_t members, counts;  // where they start
    std::uint32_t digits;
  };

  static std::size_t padded(std::size_t length) { return (length + 3) / 4 * 4; }
  static std::size_t row_of(std::size_t output, bool plus) { return 2 * output + (plus ? 0 : 1); }

  /// Enough for all votes for an output, and for all votes against it.
  void find_planes(const Model& model) {
    std::uint64_t most = 1;
    for (std::size_t output = 0; output < outputs(); ++output) {
      std::uint64_t votes[2] = {};
      for (const Weight& weight : model.weights(output)) {
        votes[weight.votes < 0] += static_cast<std::uint64_t>(std::abs(std::int64_t{weight.votes}));
      }
      most = std::max({most, votes[0], votes[1]});
    }
    planes_ = static_cast<std::uint32_t>(std::bit_width(most));
  }

  /// Sorts them by length.
  Clauses add_clauses(const Model& model, std::vector<std::uint32_t>& clauses) {
    std::stable_sort(clauses.begin(), clauses.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return model.clause(a).size() < model.clause(b).size(); });
    Clauses added = {runs_.size(), 0, ids_.size()};
    for (const std::uint32_t c : clauses) {
      const std::span<const std::uint32_t> literals = model.clause(c);
      const auto length = static_cast<std::uint32_t>(padded(literals.size()));
      if (runs_.size() == added.runs || runs_.back().length != length) runs_.push_back({length, 0});
      ++runs_.back().clauses;
      ids_.add(literals, length, static_cast<std::uint32_t>(2 * features_));
    }
    added.run_count = runs_.size() - added.runs;
    return added;
  }

  /// Whether adding the votes of clauses of one literal apart costs less than evaluating them.
  bool literals_pay(const Model& model) const {
    std::size_t clauses = 0;
    std::set<std::pair<std::size_t, std::size_t>> sums;
    for (std::size_t output = 0; output < outputs(); ++output) {
      for (const Weight& weight : model.weights(output)) {
        if (model.clause(weight.clause).size() != 1) continue;
        ++clauses;
        sums.insert({model.clause(weight.clause)[0] / kTileClauses, row_of(output, weight.votes > 0)});
      }
    }
    return clauses > kSumCost * sums.size();
  }
  using SumLists = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::vector<std::uint8_t>>>;
  static void add_digits(std::uint64_t digits, std::size_t member, std::vector<std::vector<std::uint8_t>>& lists) {
    for (std::uint32_t plane = 0; digits != 0; ++plane, digits >>= 1) {
      if (lists.size() <= plane) lists.resize(plane + 1);
      if (digits & 1) lists[plane].push_back(static_cast<std::uint8_t>(member));
    }
  }
  /// Of every tile of columns: the literals that vote alone, with the votes of all clauses that are this literal.
  void add_literals(const Model& model, SumLists& sums) {
    const std::size_t first = tiles_.size();
    for (std::size_t column = 0; column < 2 * features_; column += kTileClauses) {
      tiles_.push_back({{0, 0, 0}, 0, 0, column});
    }
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> votes;  // by row and literal
    for (std::size_t output = 0; output < outputs(); ++output) {
      for (const Weight& weight : model.weights(output)) {
        const std::span<const std::uint32_t> literals = model.clause(weight.clause);
        if (literals.size() != 1) continue;
        votes[{row_of(output, weight.votes > 0), literals[0]}] +=
            static_cast<std::uint64_t>(std::abs(std::int64_t{weight.votes}));
      }
    }
    for (const auto& [key, sum] : votes) {
      const auto [row, literal] = key;
      add_digits(sum, literal % kTileClauses, sums[{first + literal / kTileClauses, row}]);
    }
  }

  /// `position`: of each clause in all tiles.
  void add_sums(const Model& model, const std::vector<std::uint32_t>& position, bool literals_apart) {
    SumLists sums;  // by tile and row
    for (std::size_t output = 0; output < outputs(); ++output) {
      for (const Weight& weight : model.weights(output)) {
        const std::uint32_t at = position[weight.clause];
        if (at == kNowhere) continue;
        add_digits(static_cast<std::uint64_t>(std::abs(std::int64_t{weight.votes})), at % kTileClauses,
                   sums[{at / kTileClauses, row_of(output, weight.votes > 0)}]);
      }
    }
    if (literals_apart) add_literals(model, sums);
    for (const auto& [key, lists] : sums) {
      Tile& tile = tiles_[key.first];
      if (tile.first_sum == tile.last_sum) tile.first_sum = sums_.size();
      sums_.push_back({key.second, members_.size(), counts_.size(), static_cast<std::uint32_t>(lists.size())});
      tile.last_sum = sums_.size();
      for (const std::vector<std::uint8_t>& members : lists) {
        members_.insert(members_.end(), members.begin(), members.end());
        counts_.push_back(static_cast<std::uint16_t>(members.size()));
      }
    }
  }

  /// Memory of one thread. Planes are 8 words each.
  struct Workspace {
    std::uint64_t* columns;
    std::uint64_t* counters;  // planes_ for every row
    std::uint64_t* value;     // planes_ + 1
    std::uint64_t* best;      // planes_ + 1
    std::uint64_t* numbers;   // 32
    std::uint64_t* tile;      // outputs of its clauses
    std::uint64_t* carries;
    std::int32_t* sums;
  };
  Workspace begin() const {
    const std::size_t sizes[] = {
        8 * (2 * features_ + 1), 16 * outputs() * planes_, 8 * (planes_ + 1), 8 * (planes_ + 1), 8 * 32,
        8 * kTileClauses,        8 * kTileClauses,         kBlockRows / 2};
    std::size_t all = 0;
    for (const std::size_t size : sizes) all += size;
    std::uint64_t* at = scratch(all);
    std::uint64_t* parts[std::size(sizes)];
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      parts[i] = at;
      at += sizes[i];
    }
    std::fill_n(parts[0] + 16 * features_, 8, ~std::uint64_t{0});  // padding: always true
    return {parts[0], parts[1], parts[2], parts[3],
            parts[4], parts[5], parts[6], reinterpret_cast<std::int32_t*>(parts[7])};
  }

  void slice(const RowBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    kernels_.slice(block.row(first).data(), block.words_per_row, count, features_, columns);
  }
  /// Setting a bit touches a distant column, so negations are made afterwards, from whole columns.
  void slice(const SparseBlock& block, std::size_t first, std::size_t count, std::uint64_t* columns) const {
    slice_sparse(block, features_, first, count, columns);
    std::transform(columns, columns + 8 * features_, columns + 8 * features_, std::bit_not<>());
  }

  void count_votes(const Workspace& work) const {
    std::fill_n(work.counters, 16 * outputs() * planes_, 0);
    const auto counters = [&](std::size_t row) { return work.counters + 8 * planes_ * row; };
    for (const Stream& stream : streams_) {
      kernels_.sliced_votes(work.columns, runs_.data() + stream.clauses.runs, stream.clauses.run_count,
                            ids_.from(stream.clauses.ids), planes_, counters(stream.row));
    }
    for (const Tile& tile : tiles_) {
      const bool columns = tile.clauses.run_count == 0;
      if (!columns) {
        kernels_.sliced_outputs(work.columns, runs_.data() + tile.clauses.runs, tile.clauses.run_count,
                                ids_.from(tile.clauses.ids), work.tile);
      }
      const std::uint64_t* const truths = columns ? work.columns + 8 * tile.first_column : work.tile;
      for (std::size_t i = tile.first_sum; i < tile.last_sum; ++i) {
        const Sum& sum = sums_[i];
        kernels_.sliced_sum(truths, members_.data() + sum.members, counts_.data() + sum.counts, sum.digits, planes_,
                            counters(sum.row), work.carries);
      }
    }
  }
  /// Votes for minus votes against, plus 2^planes_ - 1.
  void difference(const Workspace& work, std::size_t output, std::uint64_t* to) const {
    const std::uint64_t* const plus = work.counters + 8 * planes_ * row_of(output, true);
    kernels_.sliced_difference(plus, plus + 8 * planes_, planes_, to);
  }

  void write_votes(const Workspace& work, std::size_t count, std::int32_t* votes) const {
    const auto none = static_cast<std::int32_t>(1 - (std::int64_t{1} << planes_));
    for (std::size_t output = 0; output < outputs(); ++output) {
      difference(work, output, work.value);
      std::fill_n(work.sums, kBlockRows, none);
      kernels_.tally(work.value, planes_ + 1, 1, work.sums);
      for (std::size_t s = 0; s < count; ++s) votes[s * outputs() + output] = work.sums[s];
    }
  }

  void write_winners(const Workspace& work, std::size_t count, std::uint32_t* winners) const {
    const auto number_planes = static_cast<std::uint32_t>(std::bit_width(outputs() - 1));
    difference(work, 0, work.best);
    std::fill_n(work.numbers, 8 * 32, 0);
    for (std::size_t output = 1; output < outputs(); ++output) {
      difference(work, output, work.value);
      kernels_.sliced_most(work.value, planes_ + 1, static_cast<std::uint32_t>(output), number_planes, work.best,
                           work.numbers);
    }
    std::fill_n(work.sums, kBlockRows, 0);
    kernels_.tally(work.numbers, number_planes, 1, work.sums);
    std::copy_n(work.sums, count, winners);
  }

  std::size_t features_;
  const Kernels& kernels_;
  std::uint32_t planes_ = 1;
  std::vector<Stream> streams_;
  std::vector<Tile> tiles_;
  std::vector<Sum> sums_;
  std::vector<SlicedRun> runs_;
  std::vector<std::uint8_t> members_;  // of the sums: positions in a tile
  std::vector<std::uint16_t> counts_;  // of the sums: members by binary digit
  ColumnIds ids_;
};

}  // namespace

std::unique_ptr<const CostedEngine> make_sliced_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<SlicedEngine>(model, kernels);
}

}  // namespace falsum
