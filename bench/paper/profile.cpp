// falsum_bench_profile: what a sample's learning is spent on, by engine. On IMDb the paper learns more slowly with its
// index than without: this shows why.
//
//   evaluation    outputs of all clauses: what an index can make faster
//   upkeep        telling the engine of flips: what an index costs
//   choosing      which clauses get feedback: a random number for each
//   forgetting    Type Ib: a random number for each automaton (at once) or each that is hot (deferred)
//   dense passes  Type Ia and II, and forgetting that was put off: a random number for each automaton
//   rest          everything else of learning
//
// "at once" is how textbooks and the paper have it: every Type Ib event draws for all automata of the clause, in a
// dense pass. One thread. The total is processor time, each piece wall time less what the clock takes; medians of
// interleaved rounds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "kernels/dispatch.h"
#include "paper/trained.h"
#include "rounds.h"

namespace {

using namespace falsum;
using bench::Stopwatch;
using Json = nlohmann::ordered_json;

/// The kernels that draw random numbers, each with a stopwatch. Kernels are plain functions, so these are globals.
struct Watched {
  const Kernels* inner = nullptr;
  Stopwatch dense, forget, select;
  std::uint64_t draws = 0;
} watched;

Kernels watch(const Kernels& inner) {
  watched = {};
  watched.inner = &inner;
  Kernels kernels = inner;
  kernels.dense_pass = [](const DensePass& pass) {
    watched.draws += pass.words * 64;
    return watched.dense.time([&] { return watched.inner->dense_pass(pass); });
  };
  kernels.forget = [](const HotStates* clauses, std::size_t count, std::uint8_t lowest, LostWord* lost) {
    for (std::size_t c = 0; c < count; ++c) watched.draws += clauses[c].size;
    return watched.forget.time([&] { return watched.inner->forget(clauses, count, lowest, lost); });
  };
  kernels.select = [](DrawKey key, std::uint32_t threshold, std::size_t first, std::size_t words, std::uint64_t* out) {
    watched.draws += words * 64;
    watched.select.time([&] { watched.inner->select(key, threshold, first, words, out); });
  };
  return kernels;
}

class WatchedListener final : public FlipListener {
 public:
  explicit WatchedListener(Evaluator& evaluator) : evaluator_(evaluator) {}
  void flipped(ClauseId clause, const IdList& literals, bool included) override {
    upkeep.time([&] { evaluator_.flipped(clause, literals, included); });
  }
  Stopwatch upkeep;

 private:
  Evaluator& evaluator_;
};

struct Way {
  std::string name, engine, kernels;
  bool deferred;
};

constexpr const char* kPieces[] = {"evaluation", "upkeep", "choosing", "forgetting", "dense", "rest", "total"};

/// Microseconds a sample for every piece.
Json measure(const bench::Trained& trained, const Way& way, const bench::LabelledRows& stretch,
             LearnCounters& counters) {
  const Kernels& plain = find_kernels(way.kernels);
  const Kernels kernels = watch(plain);
  const Forgettings forgetting(trained.options.specificity);
  const Bank::Law law = {kernels, forgetting, trained.options.boost,
                         way.deferred ? Forgetting::kMostPending : std::uint32_t{1}};
  Stopwatch evaluation;
  double upkeep = 0, lost = 0, total = 0;
  counters = {};
  for (std::size_t c = 0; c < trained.data.classes; ++c) {
    const std::unique_ptr<Voters> voters = trained.voters(c);
    const std::unique_ptr<Evaluator> evaluator =
        make_evaluator(engine_named(way.engine), voters->bank, voters->slots, voters->active.data(), plain);
    WatchedListener listener(*evaluator);
    total += bench::seconds_of([&] {
      counters += trained.learn(
          c, stretch, *voters, listener, law, [&](Examples& examples) { evaluator->begin(examples); },
          [&](std::size_t i, std::uint64_t* out, LearnCounters& count) {
            evaluation.time([&] { evaluator->outputs(i, out, count); });
          });
    });
    upkeep += listener.upkeep.seconds();
    lost += listener.upkeep.lost();
  }
  for (const Stopwatch* one : {&watched.dense, &watched.forget, &watched.select, &evaluation}) lost += one->lost();
  const double choosing = watched.select.seconds(), forget = watched.forget.seconds(), dense = watched.dense.seconds();
  const double pieces = evaluation.seconds() + upkeep + choosing + forget + dense;
  total = std::max(total - lost, pieces);
  const double scale = 1e6 / static_cast<double>(stretch.labels.size());
  return {{"evaluation", scale * evaluation.seconds()},
          {"upkeep", scale * upkeep},
          {"choosing", scale * choosing},
          {"forgetting", scale * forget},
          {"dense", scale * dense},
          {"rest", scale * (total - pieces)},
          {"total", scale * total},
          {"draws", static_cast<double>(watched.draws) / static_cast<double>(stretch.labels.size())}};
}

Json run(const bench::MachineOptions& machine, std::size_t learn, int rounds) {
  const bench::Trained trained(machine);
  const bench::LabelledRows stretch =
      bench::some_rows(trained.data.train, 0, std::min(learn, trained.data.train.labels.size()));
  const std::string best = trained.trainer->kernels().name;
  std::vector<Way> ways;
  for (const char* engine : {"scan", "index", "lookahead"}) {
    ways.push_back({fmt::format("{}, at once, plain C++", engine), engine, "scalar", false});
  }
  for (const char* engine : {"scan", "index", "lookahead"}) {
    ways.push_back({fmt::format("{}, deferred, {}", engine, best), engine, best, true});
  }
  std::vector<std::vector<Json>> all(ways.size());
  std::vector<LearnCounters> counters(ways.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t w = 0; w < ways.size(); ++w) {
      all[w].push_back(measure(trained, ways[w], stretch, counters[w]));
      bench::agree(counters[w].flips == counters[w / 3 * 3].flips, "flips of " + ways[w].name + " and the scan");
    }
  }
  Json json = trained.describe(stretch.labels.size(), rounds);
  fmt::print(
      "\n| learning, us a sample | evaluation | upkeep | choosing | forgetting | dense passes | rest | total | draws | "
      "flips |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t w = 0; w < ways.size(); ++w) {
    Json row = {{"name", ways[w].name}, {"engine", ways[w].engine}, {"deferred", ways[w].deferred}};
    for (const char* piece : kPieces) {
      std::vector<double> values;
      for (const Json& round : all[w]) values.push_back(round[piece]);
      row[piece] = bench::quantile(values, 0.5);
    }
    row["draws"] = all[w][0]["draws"];
    row["flips"] = static_cast<double>(counters[w].flips) / static_cast<double>(stretch.labels.size());
    row["words_compared"] = counters[w].words_compared;
    row["entries_visited"] = counters[w].entries_visited;
    row["evaluations"] = counters[w].evaluations;
    fmt::print("| {} |", ways[w].name);
    for (const char* piece : kPieces) fmt::print(" {:.1f} |", row[piece].get<double>());
    fmt::print(" {:.0f} | {:.1f} |\n", row["draws"].get<double>(), row["flips"].get<double>());
    json["ways"].push_back(row);
  }
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  std::string output;
  std::size_t learn = 512;
  int rounds = 3;
  bench::MachineOptions machine;
  machine.data = "imdb";
  machine.options.clauses = 1000;
  machine.options.threshold = 25;
  machine.options.specificity = 27;
  machine.options.epochs = 3;
  machine.options.seed = 1;
  CLI::App app("Shows what learning a sample is spent on, by engine.");
  bench::add_machine_options(app, machine);
  bench::add_rounds(app, rounds);
  app.add_option("--learn", learn, "samples learned in a round")->capture_default_str()->check(CLI::Range(1, 1000000));
  app.add_option("-o", output, "write the results as a line of JSON");
  CLI11_PARSE(app, argc, argv);
  return bench::run_study("falsum_bench_profile", output, [&] { return run(machine, learn, rounds); });
}
