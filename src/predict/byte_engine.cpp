// Prediction of single samples of up to 1,016 features by a processor that looks up bytes in vectors (AVX-512 VBMI):
// what `bitmap` is there, when it is expected to be faster.
//
// A row is 127 bytes, which fit into two vectors. A clause is a list of tests, each of the literals that share a byte:
// on images neighbouring pixels are often together. Its first four tests, those that fail most often in training, lie
// beside those of 15 other clauses, so that an instruction looks up the bytes for 16 clauses at a time and no branch
// depends on the outcome. Few clauses pass: on MNIST one in eight. The other tests of these are looked up clause by
// clause. A row reads a fraction of what its bitmaps would take, and all tests together are smaller than the bitmaps.
//
// Clauses of one literal are a sum over the true features (literal_votes.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "predict/literal_votes.h"
#include "support/aligned.h"
#include "support/scratch.h"

namespace falsum {
namespace {

class ByteEngine final : public CostedEngine {
 public:
  ByteEngine(const Model& model, const Kernels& kernels)
      : CostedEngine(model.outputs()), features_(model.features()), kernels_(kernels), literal_votes_(model) {
    Made made;
    for (std::uint32_t output = 0; output < outputs(); ++output) {
      std::vector<VotingClause> clauses = non_empty_clauses(model, output);
      std::erase_if(clauses, [&](const VotingClause& clause) { return literal_votes_.takes(clause); });
      const bool unit =
          std::ranges::all_of(clauses, [](const VotingClause& clause) { return std::abs(clause.weight) == 1; });
      if (!unit) {
        add_group(model, made, clauses, output, 0);
        continue;
      }
      const auto minus = std::stable_partition(clauses.begin(), clauses.end(),
                                               [](const VotingClause& clause) { return clause.weight > 0; });
      add_group(model, made, {clauses.begin(), minus}, output, 1);
      add_group(model, made, {minus, clauses.end()}, output, -1);
    }
    starts_.push_back(static_cast<std::uint32_t>(made.tests.size()));
    made.tests.resize(made.tests.size() + 2 * kTailTests);  // read behind the last
    heads_ = aligned(made.heads);
    tests_ = aligned(made.tests);
    if (std::ranges::all_of(groups_, [](const Group& group) { return group.sign != 0; })) weights_ = {};
  }

  const char* name() const override { return "bitmap"; }
  std::uint64_t bytes() const override {
    return heads_.size() * sizeof(ByteHeads) + tests_.size() + starts_.size() * 4 + weights_.size() * 4 +
           groups_.size() * sizeof(Group) + literal_votes_.bytes();
  }
  double cycles(std::size_t rows, bool /*sparse*/) const override {
    return static_cast<double>(rows) *
           (250 + 25 * static_cast<double>(groups_.size()) + 6 * static_cast<double>(heads_.size()) + 8 * tails_ +
            literal_votes_.row_cycles());
  }
  void votes(const RowBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters, [&](std::span<const std::uint64_t> row, std::uint8_t* bytes) {
      for (std::size_t w = 0; w < words_for(features_); ++w, bytes += 8) {
        const std::uint64_t word = w < features_ / 64 ? row[w] : row[w] & ((std::uint64_t{1} << (features_ % 64)) - 1);
        for (std::size_t b = 0; b < 8; ++b) bytes[b] = static_cast<std::uint8_t>(word >> (8 * b));
      }
    });
  }
  void votes(const SparseBlock& block, std::int32_t* out, PredictCounters& counters) const override {
    all_votes(block, out, counters, [](std::span<const std::uint32_t> row, std::uint8_t* bytes) {
      for (const std::uint32_t k : row) bytes[k / 8] = static_cast<std::uint8_t>(bytes[k / 8] | 1u << (k % 8));
    });
  }

 private:
  struct Test {
    std::uint8_t place, mask;
    double passes;  // how often, if literals were independent
  };
  struct Clause {
    std::vector<Test> tests;  // that fails most often first
    std::int32_t weight;
  };
  /// Clauses for an output or against it, or both with their weights.
  struct Group {
    std::uint32_t output;
    std::int32_t sign;                 // 0: the table of weights
    std::uint32_t first, shorts, all;  // heads: of clauses that have no other tests, then of those that have
  };

  struct Made {
    LargeVector<ByteHeads> heads;
    LargeVector<std::uint8_t> tests;
  };
  template <class T>
  static AlignedArray<T> aligned(const LargeVector<T>& made) {
    AlignedArray<T> array(made.size());
    std::copy(made.begin(), made.end(), array.data());
    return array;
  }

  Clause tests_of(const Model& model, const VotingClause& clause) const {
    Clause made = {{}, clause.weight};
    for (const std::uint32_t l : clause.literals) {  // ascending, so those of a byte follow each other
      const bool negated = l >= features_;
      const std::size_t k = l - (negated ? features_ : 0);
      const auto place = static_cast<std::uint8_t>(k / 8 + (negated ? 0 : kRowBytes));
      if (made.tests.empty() || made.tests.back().place != place) made.tests.push_back({place, 0, 1});
      Test& test = made.tests.back();
      test.mask = static_cast<std::uint8_t>(test.mask | 1u << (k % 8));
      test.passes *= 1 - false_share(model, l);
    }
    std::ranges::stable_sort(made.tests, {}, &Test::passes);
    return made;
  }

  void add_group(const Model& model, Made& made, const std::vector<VotingClause>& clauses, std::uint32_t output,
                 std::int32_t sign) {
    if (clauses.empty()) return;
    std::vector<Clause> all;
    all.reserve(clauses.size());
    for (const VotingClause& clause : clauses) all.push_back(tests_of(model, clause));
    std::ranges::stable_sort(all, {}, [](const Clause& clause) { return clause.tests.size(); });
    const auto longer =
        std::ranges::find_if(all, [](const Clause& clause) { return clause.tests.size() > kHeadTests; });
    Group group = {output, sign, static_cast<std::uint32_t>(made.heads.size()), 0, 0};
    add_clauses(made, {all.begin(), longer});
    group.shorts = static_cast<std::uint32_t>(made.heads.size()) - group.first;
    add_clauses(made, {longer, all.end()});
    group.all = static_cast<std::uint32_t>(made.heads.size()) - group.first;
    most_heads_ = std::max<std::size_t>(most_heads_, group.all);
    groups_.push_back(group);
  }

  void add_clauses(Made& made, std::span<const Clause> clauses) {
    for (std::size_t first = 0; first < clauses.size(); first += kHeadClauses) {
      ByteHeads heads{};
      for (std::size_t i = 0; i < kHeadClauses; ++i) {
        starts_.push_back(static_cast<std::uint32_t>(made.tests.size()));
        weights_.push_back(first + i < clauses.size() ? clauses[first + i].weight : 0);
        if (first + i < clauses.size()) {
          add_clause(made, clauses[first + i].tests, heads, kHeadTests * i);
        } else {  // no clause: the last byte of a row is 0, and this test wants it on
          heads.place[kHeadTests * i] = 2 * kRowBytes - 1;
          heads.mask[kHeadTests * i] = 1;
        }
      }
      made.heads.push_back(heads);
    }
  }
  void add_clause(Made& made, std::span<const Test> tests, ByteHeads& heads, std::size_t at) {
    double passes = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(tests.size(), kHeadTests); ++i) {
      heads.place[at + i] = tests[i].place;
      heads.mask[at + i] = tests[i].mask;
      passes *= tests[i].passes;
    }
    if (tests.size() <= kHeadTests) return;
    tails_ += std::pow(passes, 0.8);  // literals of a clause are true together more often than by chance
    for (std::size_t first = kHeadTests; first < tests.size(); first += kTailTests) {
      const std::span<const Test> some = tests.subspan(first, std::min<std::size_t>(kTailTests, tests.size() - first));
      for (const Test& test : some) made.tests.push_back(test.place);
      for (const Test& test : some) made.tests.push_back(test.mask);
    }
  }

  template <class Block, class Fill>
  void all_votes(const Block& block, std::int32_t* out, PredictCounters& counters, const Fill& fill) const {
    std::uint64_t* const working = scratch(kRowBytes / 8 + (kHeadClauses * most_heads_ + kHeadClauses) / 2 + 1);
    auto* const row = reinterpret_cast<std::uint8_t*>(working);
    auto* const clauses = reinterpret_cast<std::uint32_t*>(working + kRowBytes / 8);
    for (std::size_t r = 0; r < block.rows; ++r, out += outputs()) {
      std::fill_n(row, kRowBytes, std::uint8_t{0});
      fill(block.row(r), row);
      std::fill_n(out, outputs(), 0);
      for (const Group& group : groups_) {
        const std::size_t slot = kHeadClauses * std::size_t{group.first},
                          tail = kHeadClauses * std::size_t{group.shorts};
        const ByteHeads* const heads = heads_.data() + group.first;
        std::int64_t votes = 0;
        if (group.shorts != 0) {
          votes = sum(group.sign, slot, clauses, kernels_.byte_heads(row, heads, group.shorts, clauses));
        }
        std::size_t count = kernels_.byte_heads(row, heads + group.shorts, group.all - group.shorts, clauses);
        count = kernels_.byte_tails(row, tests_.data(), starts_.data() + slot + tail, clauses, count);
        votes += sum(group.sign, slot + tail, clauses, count);
        out[group.output] += static_cast<std::int32_t>(votes);
      }
      literal_votes_.add(block.row(r), out);
    }
    counters.words_compared += block.rows * heads_.size() * sizeof(ByteHeads::place) / 8;
    counters.samples += block.rows;
  }
  std::int64_t sum(std::int32_t sign, std::size_t first, const std::uint32_t* clauses, std::size_t count) const {
    if (sign != 0) return sign * static_cast<std::int64_t>(count);
    std::int64_t votes = 0;
    for (std::size_t i = 0; i < count; ++i) votes += weights_[first + clauses[i]];
    return votes;
  }
  std::size_t features_, most_heads_ = 0;
  const Kernels& kernels_;
  LiteralVotes literal_votes_;
  std::vector<Group> groups_;
  AlignedArray<ByteHeads> heads_;
  AlignedArray<std::uint8_t> tests_;   // the others, by clause
  LargeVector<std::uint32_t> starts_;  // one more than clauses: where their tests begin
  LargeVector<std::int32_t> weights_;  // of each clause; empty when all are 1 or -1
  double tails_ = 0;                   // clauses that are expected to pass their first tests
};

}  // namespace

bool can_test_bytes(const Model& model) {
  return model.features() <= 8 * (kRowBytes - 1) && voting_literals(model) < (std::uint64_t{1} << 31);
}

std::unique_ptr<const CostedEngine> make_byte_engine(const Model& model, const Kernels& kernels) {
  return std::make_unique<ByteEngine>(model, kernels);
}

}  // namespace falsum
