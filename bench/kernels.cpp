// falsum_bench_kernels: every kernel of every set that this CPU runs, alone, at the sizes that learning and prediction
// have on MNIST (1,568 literals) and IMDb (10,000). Results are compared before speed: a set that disagrees
// with the scalar one ends the run. Prints the least of some repetitions: `make bench-kernels` asks for them, and
// passes other options of Google Benchmark on (BENCH="...").
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>

#include "falsum/cpu.h"
#include "kernel_cases.h"

namespace falsum {

namespace {

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
    for (const Kind& kind : {Kind{"type_1a_boosted", DenseKind::kTypeIaBoosted}, Kind{"type_1a", DenseKind::kTypeIa},
                             Kind{"type_2", DenseKind::kTypeII}}) {
      if (kind.kind == DenseKind::kTypeIa && shape.events == 0) continue;
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
