// falsum_bench_kernels: every kernel of every set that this CPU runs, alone, at the sizes that learning and prediction
// have on MNIST (1,568 literals) and IMDb (10,000). Results are compared before speed: a set that disagrees
// with the scalar one ends the run. Prints the least of some repetitions: `make bench-kernels` asks for them, and
// passes other options of Google Benchmark on (BENCH="...").
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "bank/forgetting.h"
#include "falsum/cpu.h"
#include "kernels/dispatch.h"
#include "support/aligned.h"

namespace falsum {

namespace {

/// One kernel at one size. Memory is set up anew from a fixed seed by every `Case`, so all sets see the same.
class Case {
 public:
  virtual ~Case() = default;
  virtual bool has(const Kernels&) const { return true; }
  virtual void run(const Kernels& kernels, std::uint64_t round) = 0;
  virtual std::uint64_t digest() const = 0;
  virtual std::size_t items() const = 0;
};

template <class T>
std::uint64_t hash(const T* data, std::size_t size, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(data, size * sizeof(T), seed);
}
std::vector<std::uint64_t> random_words(std::mt19937_64& random, std::size_t size, int ones_of_8) {
  std::vector<std::uint64_t> words(size);
  for (std::uint64_t& word : words) {
    for (unsigned bit = 0; bit < 64; ++bit)
      word |= std::uint64_t{random() % 8 < static_cast<unsigned>(ones_of_8)} << bit;
  }
  return words;
}

/// 64 clauses in turn, as their rows are rarely in the nearest cache.
class DenseCase : public Case {
 public:
  DenseCase(DenseKind kind, std::size_t literals, double specificity, std::uint32_t events)
      : kind_(kind), words_((literals + 63) / 64), states_(kClauses * 64 * words_), risen_(words_ + 1) {
    std::mt19937_64 random(1);
    truths_ = random_words(random, words_, 4);
    for (const std::uint64_t word : truths_) falsehoods_.push_back(~word);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      states_[i] = static_cast<std::uint8_t>(random() % 32 == 0 ? 128 : random() % 128);
    }
    const Forgetting forgetting(specificity);
    forgetting.decrements(events, kDither, owed_);
    forgetting.decrements(events + 1, kDither, owed_and_one_);
    forgetting.decrements(1, kDither, one_);
  }
  bool has(const Kernels& kernels) const override { return kernels.dense_pass; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    benchmark::DoNotOptimize(kernels.dense_pass({kind_,
                                                 states_.data() + round % kClauses * 64 * words_,
                                                 words_,
                                                 truths_.data(),
                                                 falsehoods_.data(),
                                                 risen_.data(),
                                                 {mix64(round)},
                                                 {mix64(~round)},
                                                 0,
                                                 &owed_,
                                                 &owed_and_one_,
                                                 &one_}));
  }
  std::uint64_t digest() const override { return hash(risen_.data(), words_, hash(states_.data(), states_.size())); }
  std::size_t items() const override { return 64 * words_; }

 private:
  static constexpr std::size_t kClauses = 64;
  static constexpr std::uint64_t kDither = std::uint64_t{1} << 63;
  DenseKind kind_;
  std::size_t words_;
  AlignedArray<std::uint8_t> states_;
  std::vector<std::uint64_t> truths_, falsehoods_;
  std::vector<RisenWord> risen_;
  Decrements owed_, owed_and_one_, one_;
};

class ForgetCase : public Case {
 public:
  ForgetCase(std::uint32_t size, double specificity)
      : size_(size),
        once_(Forgetting(specificity).once(1 << 23)),
        states_((size + 63) / 64 * 64),
        released_(size / 64 + 1) {
    std::mt19937_64 random(2);
    for (std::uint8_t& state : states_) state = static_cast<std::uint8_t>(128 + random() % 128);
  }
  bool has(const Kernels& kernels) const override { return kernels.forget; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    const HotStates clause = {states_.data(), size_, {mix64(round)}, once_, released_.data()};
    benchmark::DoNotOptimize(kernels.forget(&clause, 1, 0));
    states_[round % size_] = 255;  // or all would come to rest at the lowest state
  }
  std::uint64_t digest() const override { return hash(states_.data(), size_, released_[0]); }
  std::size_t items() const override { return size_; }

 private:
  std::uint32_t size_, once_;
  std::vector<std::uint8_t> states_;
  std::vector<std::uint64_t> released_;
};

/// Columns of literals that are all true, as those of a clause that stays true: no early end.
class ConjunctionCase : public Case {
 public:
  ConjunctionCase(std::size_t literals, std::uint32_t length) : uses_(kLookaheadWords) {
    std::mt19937_64 random(3);
    columns_.assign(kLookaheadWords * literals, ~std::uint64_t{0} << 9);
    for (std::size_t i = 0; i < kClauses * length; ++i) ids_.push_back(static_cast<std::uint16_t>(random() % literals));
  }
  bool has(const Kernels& kernels) const override { return kernels.conjunction; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    uses_.assign(kLookaheadWords, ~std::uint64_t{0} >> round % 8);
    const auto length = static_cast<std::uint32_t>(items());
    kernels.conjunction(columns_.data(), {ids_.data() + round % kClauses * length, length, false}, uses_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(uses_.data(), uses_.size()); }
  std::size_t items() const override { return ids_.size() / kClauses; }

 private:
  static constexpr std::size_t kClauses = 64;
  std::vector<std::uint64_t> columns_, uses_;
  std::vector<std::uint16_t> ids_;
};

class SlicedCase : public Case {
 public:
  SlicedCase(std::size_t literals, std::uint32_t clauses, std::uint32_t shortest) : counters_(8 * kPlanes) {
    std::mt19937_64 random(4);
    columns_ = random_words(random, 8 * literals, 7);
    for (std::uint32_t r = 0; r < 10; ++r) {
      runs_.push_back({shortest + 4 * r, clauses / 10});
      for (std::uint32_t i = 0; i < runs_.back().length * runs_.back().clauses; ++i) {
        ids_.push_back(static_cast<std::uint32_t>(random() % literals));
      }
    }
  }
  bool has(const Kernels& kernels) const override { return kernels.sliced_votes; }
  void run(const Kernels& kernels, std::uint64_t) override {
    std::fill(counters_.begin(), counters_.end(), 0);
    kernels.sliced_votes(columns_.data(), runs_.data(), runs_.size(), ids_.data(), kPlanes, counters_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(counters_.data(), counters_.size()); }
  std::size_t items() const override { return ids_.size(); }

 private:
  static constexpr std::uint32_t kPlanes = 12;
  std::vector<std::uint64_t> columns_, counters_;
  std::vector<SlicedRun> runs_;
  std::vector<std::uint32_t> ids_;
};

/// The small ones: a word of output for every 64 clauses or states.
class WordsCase : public Case {
 public:
  using Run = void (*)(const Kernels&, std::uint64_t round, WordsCase&);
  WordsCase(std::size_t words, Run kernel) : kernel_(kernel), out(words), states(64 * words, 200) {
    std::mt19937_64 random(5);
    columns = random_words(random, 64 * words, 4);
  }
  bool has(const Kernels& kernels) const override { return kernels.select; }
  void run(const Kernels& kernels, std::uint64_t round) override {
    kernel_(kernels, round, *this);
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(out.data(), out.size(), hash(states.data(), states.size())); }
  std::size_t items() const override { return states.size(); }

 private:
  Run kernel_;

 public:
  std::vector<std::uint64_t> out, columns;
  std::vector<std::uint8_t> states;
};

class SliceCase : public Case {
 public:
  explicit SliceCase(std::size_t features) : features_(features), columns_(2 * 8 * features) {
    std::mt19937_64 random(6);
    rows_ = random_words(random, 512 * row_words(), 1);
  }
  bool has(const Kernels& kernels) const override { return kernels.slice; }
  void run(const Kernels& kernels, std::uint64_t) override {
    kernels.slice(rows_.data(), row_words(), 512, features_, columns_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(columns_.data(), columns_.size()); }
  std::size_t items() const override { return 512 * features_; }

 private:
  std::size_t row_words() const { return (features_ + 63) / 64; }
  std::size_t features_;
  std::vector<std::uint64_t> rows_, columns_;
};

class TallyCase : public Case {
 public:
  TallyCase() : sums_(512) {
    std::mt19937_64 random(7);
    planes_ = random_words(random, 8 * 10, 4);
  }
  bool has(const Kernels& kernels) const override { return kernels.tally; }
  void run(const Kernels& kernels, std::uint64_t) override {
    kernels.tally(planes_.data(), 10, -1, sums_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(sums_.data(), sums_.size()); }
  std::size_t items() const override { return sums_.size(); }

 private:
  std::vector<std::uint64_t> planes_;
  std::vector<std::int32_t> sums_;
};

class BitwiseOrCase : public Case {
 public:
  BitwiseOrCase(std::size_t rows, std::size_t lines) : lines_(lines), words_(8 * lines) {
    std::mt19937_64 random(8);
    bits_ = random_words(random, 8 * lines * rows, 1);
    for (std::size_t r = 0; r < rows; ++r) rows_.push_back(bits_.data() + 8 * lines * (random() % rows));
  }
  bool has(const Kernels& kernels) const override { return kernels.bitwise_or; }
  void run(const Kernels& kernels, std::uint64_t) override {
    words_.assign(words_.size(), 0);
    kernels.bitwise_or(rows_.data(), rows_.size(), lines_, words_.data());
    benchmark::ClobberMemory();
  }
  std::uint64_t digest() const override { return hash(words_.data(), words_.size()); }
  std::size_t items() const override { return rows_.size() * words_.size(); }

 private:
  std::size_t lines_;
  std::vector<std::uint64_t> bits_, words_;
  std::vector<const std::uint64_t*> rows_;
};

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Case>()> make;
};

template <class T, class... Arguments>
Entry entry(std::string name, Arguments... arguments) {
  return {std::move(name), [=] { return std::make_unique<T>(arguments...); }};
}

std::vector<Entry> entries() {
  struct Shape {
    std::size_t literals;
    double specificity;
    std::uint32_t events;  // that the clause owes: none, the median and the 80th percentile of what learning has
  };
  struct Kind {
    const char* name;
    DenseKind kind;
  };
  std::vector<Entry> all;
  for (const Shape& shape : {Shape{1568, 10, 0}, Shape{1568, 10, 4}, Shape{1568, 10, 12}, Shape{10000, 27, 0},
                             Shape{10000, 27, 11}, Shape{10000, 27, 30}}) {
    for (const Kind& kind : {Kind{"reward_all", DenseKind::kRewardAll}, Kind{"reward_some", DenseKind::kRewardSome},
                             Kind{"include_more", DenseKind::kIncludeMore}}) {
      if (kind.kind == DenseKind::kRewardSome && shape.events == 0) continue;
      all.push_back(entry<DenseCase>(fmt::format("dense_pass/{}/literals:{}/s:{}/events:{}", kind.name, shape.literals,
                                                 shape.specificity, shape.events),
                                     kind.kind, shape.literals, shape.specificity, shape.events));
    }
  }
  for (const std::uint32_t size : {58, 116}) {
    all.push_back(entry<ForgetCase>(fmt::format("forget/hot:{}/s:10", size), size, 10.0));
    all.push_back(entry<ForgetCase>(fmt::format("forget/hot:{}/s:27", size), size, 27.0));
    all.push_back(entry<ConjunctionCase>(fmt::format("conjunction/literals:1568/length:{}", size), 1568u, size));
    all.push_back(entry<ConjunctionCase>(fmt::format("conjunction/literals:10000/length:{}", size), 10000u, size));
  }
  all.push_back(entry<SlicedCase>("sliced_votes/literals:1568/clauses:1000/length:58", 1568u, 1000u, 40u));
  all.push_back(entry<SlicedCase>("sliced_votes/literals:10000/clauses:1000/length:116", 10000u, 1000u, 100u));
  all.push_back(entry<SliceCase>("slice/features:784/rows:512", 784u));
  all.push_back(entry<TallyCase>("tally/planes:10"));
  all.push_back(entry<BitwiseOrCase>("bitwise_or/rows:200/clauses:1024", 200u, 2u));
  const std::size_t words = 16;
  all.push_back(entry<WordsCase>("select/slots:1024", words, [](const Kernels& k, std::uint64_t round, WordsCase& c) {
    k.select({mix64(round)}, 20000, 0, c.out.size(), c.out.data());
  }));
  all.push_back(
      entry<WordsCase>("gather_bits/slots:1024", words, [](const Kernels& k, std::uint64_t round, WordsCase& c) {
        k.gather_bits(c.columns.data(), round % 64, c.out.size(), c.out.data());
      }));
  all.push_back(entry<WordsCase>("unflagged/slots:1024", words, [](const Kernels& k, std::uint64_t, WordsCase& c) {
    k.unflagged(c.states.data(), c.out.size(), c.out.data());
  }));
  all.push_back(entry<WordsCase>("pack/features:1024", words, [](const Kernels& k, std::uint64_t, WordsCase& c) {
    k.pack({c.states.data(), 1, c.states.size(), 0}, c.out.data());
  }));
  all.push_back(entry<WordsCase>("strengthen/hot:64", 1u, [](const Kernels& k, std::uint64_t, WordsCase& c) {
    k.strengthen(c.states.data(), c.states.size(), 255);
  }));
  all.push_back(entry<WordsCase>("count/bits:1024", words, [](const Kernels& k, std::uint64_t, WordsCase& c) {
    c.out[0] = k.count(c.columns.data(), c.out.size());
  }));
  return all;
}

std::uint64_t first_rounds(const Entry& entry, const Kernels& kernels) {
  const std::unique_ptr<Case> made = entry.make();
  std::uint64_t digest = 0;
  for (std::uint64_t round = 0; round < 10; ++round) {
    made->run(kernels, round);
    digest = child(digest, made->digest());
  }
  return digest;
}

void time(benchmark::State& state, const Entry& entry, const Kernels& kernels) {
  const std::unique_ptr<Case> made = entry.make();
  std::uint64_t round = 0;
  for (auto _ : state) made->run(kernels, round++);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * made->items()));
}

bool register_all(const std::vector<const Kernels*>& sets) {
  for (const Entry& entry : entries()) {
    const std::uint64_t expected = first_rounds(entry, *sets.front());
    for (const Kernels* const set : sets) {
      if (!entry.make()->has(*set)) continue;
      if (first_rounds(entry, *set) != expected) {
        fmt::print(stderr, "falsum_bench_kernels: {} of {} differs from scalar: this is a mistake in falsum\n",
                   entry.name, set->name);
        return false;
      }
      benchmark::RegisterBenchmark(fmt::format("{}/{}", entry.name, set->name).c_str(), [=](benchmark::State& state) {
        time(state, entry, *set);
      })->ComputeStatistics("least", [](const std::vector<double>& all) {
        return *std::min_element(all.begin(), all.end());
      });
    }
  }
  return true;
}

/// The least of the repetitions in nanoseconds (others on the machine only ever add), a line for each kernel and size,
/// a column for each set.
class TableReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.aggregate_name != "least") continue;
      const std::string name = run.run_name.function_name;
      const std::size_t slash = name.rfind('/');
      nanoseconds_[name.substr(0, slash)][name.substr(slash + 1)] = run.GetAdjustedCPUTime();
    }
  }
  void print(const std::vector<const Kernels*>& sets) const {
    fmt::print("{}\n\n| least ns of CPU time |", cpu_name());
    for (const Kernels* const set : sets) fmt::print(" {} |", set->name);
    fmt::print("\n|---|");
    for (std::size_t i = 0; i < sets.size(); ++i) fmt::print("---|");
    fmt::print("\n");
    for (const Entry& entry : entries()) {
      const auto row = nanoseconds_.find(entry.name);
      if (row == nanoseconds_.end()) continue;
      fmt::print("| {} |", entry.name);
      for (const Kernels* const set : sets) {
        const auto cell = row->second.find(set->name);
        fmt::print(" {} |",
                   cell == row->second.end() ? "" : fmt::format("{:.{}f}", cell->second, cell->second < 100 ? 1 : 0));
      }
      fmt::print("\n");
    }
  }

 private:
  std::map<std::string, std::map<std::string, double>> nanoseconds_;
};

}  // namespace
}  // namespace falsum

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const std::vector<const falsum::Kernels*> sets = falsum::supported_kernels();
  if (!falsum::register_all(sets)) return 1;
  falsum::TableReporter table;
  benchmark::RunSpecifiedBenchmarks(&table);
  table.print(sets);
}
