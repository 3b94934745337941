// falsum_bench_ablation: what each idea brings to learning. Brings a machine to a trained state and lets it go on from
// there in several ways, in interleaved rounds on one thread, from the textbook's way to falsum's.
//
// "at once" passes over the whole clause for every Type Ib event; it draws other numbers than deferred forgetting, of
// the same law. All deferred ways must learn the same machine bit for bit, or the run ends.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "data.h"
#include "falsum/falsum.h"
#include "learn/trainer.h"
#include "machine_options.h"
#include "rounds.h"

namespace {

using namespace falsum;

struct Way {
  const char* name;
  const char* engine;
  std::string kernels;
  bool deferred;
  std::vector<double> seconds = {};
  LearnCounters counters = {};
};

double median(const std::vector<double>& values) { return bench::quantile(values, 0.5); }

void run(const bench::MachineOptions& machine, std::size_t learn, int rounds) {
  const bench::DataSet data = bench::load_data(machine.data, machine.booleanize);
  Options options = machine.options;
  options.threads = 0;
  Trainer trained(options, data.train.bits.columns(), data.classes);
  for (std::int64_t e = 0; e < options.epochs; ++e) trained.learn_epoch(data.train.bits, data.train.labels, {});
  const std::string checkpoint = trained.checkpoint();
  const bench::LabelledRows stretch = bench::some_rows(data.train, 0, std::min(learn, data.train.labels.size()));
  const double accuracy = bench::share_right(Predictor(trained.model()).predict(data.test.bits, 0), data.test.labels);

  const std::string best = trained.kernels().name;
  std::vector<Way> ways = {{"textbook: scan, forgetting at once, plain C++", "scan", "scalar", false},
                           {"+ vector kernels", "scan", best, false},
                           {"+ forgetting deferred, hot sets", "scan", best, true},
                           {"  the paper's index instead of the scan", "index", best, true},
                           {"+ looking ahead (falsum)", "lookahead", best, true},
                           {"  falsum with forgetting at once", "lookahead", best, false},
                           {"  falsum in plain C++", "lookahead", "scalar", true}};
  std::string expected;
  for (int round = 0; round < rounds; ++round) {
    for (Way& way : ways) {
      Options run = options;
      run.threads = 1;
      run.engine = engine_named(way.engine);
      run.kernels = way.kernels;
      Trainer trainer = Trainer::from_checkpoint(checkpoint, run, "checkpoint");
      if (!way.deferred) trainer.settle_after(1);
      const double start = bench::processor_seconds();
      way.counters = trainer.learn_epoch(stretch.bits, stretch.labels, {}).counters;
      way.seconds.push_back((bench::processor_seconds() - start) / static_cast<double>(stretch.labels.size()));
      if (!way.deferred) continue;
      if (expected.empty()) expected = trainer.checkpoint();
      if (trainer.checkpoint() != expected) throw DataError(fmt::format("{} learned another machine", way.name));
    }
  }
  fmt::print("{}, {} features, {} clauses per class, T {}, s {}, seed {}, after epoch {}: accuracy {:.2f}%\n",
             machine.data, data.train.bits.columns(), options.clauses, options.threshold, options.specificity,
             options.seed, options.epochs, 100 * accuracy);
  const LearnCounters& c = ways.back().counters;
  const double n = static_cast<double>(stretch.labels.size());
  fmt::print("a sample: {:.1f} Type Ia, {:.1f} Type Ib, {:.1f} Type II, {:.1f} flips; {} samples, {} rounds\n\n",
             static_cast<double>(c.type_1a) / n, static_cast<double>(c.type_1b) / n, static_cast<double>(c.type_2) / n,
             static_cast<double>(c.flips) / n, stretch.labels.size(), rounds);
  fmt::print("| {:<46} | us a sample | against the textbook |\n|---|---|---|\n", "learning, trained state, one thread");
  for (const Way& way : ways) {
    std::vector<double> ratios;
    for (std::size_t r = 0; r < way.seconds.size(); ++r) ratios.push_back(ways[0].seconds[r] / way.seconds[r]);
    fmt::print("| {:<46} | {:.1f} | {:.1f}x ({:.1f} to {:.1f}) |\n", way.name, 1e6 * median(way.seconds),
               median(ratios), *std::min_element(ratios.begin(), ratios.end()),
               *std::max_element(ratios.begin(), ratios.end()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t learn = 1000;
  int rounds = 5;
  bench::MachineOptions machine;
  machine.options.epochs = 5;
  machine.options.seed = 1;
  CLI::App app("Times what each idea brings to learning.");
  bench::add_machine_options(app, machine);
  app.add_option("--learn", learn, "samples learned in a round")->capture_default_str()->check(CLI::Range(1, 1000000));
  bench::add_rounds(app, rounds);
  CLI11_PARSE(app, argc, argv);
  try {
    run(machine, learn, rounds);
  } catch (const Error& error) {
    fmt::print(stderr, "falsum_bench_ablation: {}\n", error.what());
    return 2;
  }
  return 0;
}
