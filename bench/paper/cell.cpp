// falsum_bench_paper: one cell of the paper's tables, as one line of JSON on stdout. bench/paper/run.py runs them all.
//
//   train        a machine to its trained state, with the engine that looks ahead (the state does not depend on it)
//   learn        three machines go on from that state, in turn, with the same samples: scan, index, lookahead
//   predict      the same test samples by scan and index; then by the engines that "auto" takes, for batches and for
//                single samples
//
// Rounds are interleaved, on one thread; times are processor time. How many samples a round has follows from a first
// short run and --budget, and stands in the record. Results are compared before anything is printed: every vote of scan
// and index, and the three machines byte for byte at the end.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "counters_json.h"
#include "data.h"
#include "falsum/falsum.h"
#include "machine_options.h"
#include "rounds.h"

namespace {

using namespace falsum;
using bench::LabelledRows;
using Json = nlohmann::ordered_json;

struct Setting : bench::MachineOptions {
  std::string lock;
  int rounds = 5;
  double budget = 1, most_seconds = 0;
  std::size_t train_samples = 0;
};

/// Held while something is timed, so that benchmarks on a machine take turns.
class Turn {
 public:
  explicit Turn(const std::string& path) {
    if (path.empty()) return;
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT, 0666);
    if (file_ < 0 || ::flock(file_, LOCK_EX) != 0) throw FileError("cannot lock " + path);
  }
  ~Turn() {
    if (file_ >= 0) ::close(file_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int file_ = -1;
};

/// As many samples as the budget is enough for.
std::size_t affordable(double seconds_per_sample, double budget, std::size_t least, std::size_t most) {
  const double samples = budget / std::max(seconds_per_sample, 1e-9);
  return std::clamp(static_cast<std::size_t>(std::min(samples, 1e9)), std::min(least, most), most);
}

double per_sample(double seconds, std::size_t samples) { return seconds / static_cast<double>(samples); }

/// The figures of one engine: its rounds, and what a pass over all samples would take.
Json figures(const std::vector<double>& seconds, std::size_t samples, std::size_t all) {
  Json rounds = Json::array();
  for (const double s : seconds) rounds.push_back(1e6 * per_sample(s, samples));
  const double median = per_sample(bench::quantile(seconds, 0.5), samples);
  return {{"samples", samples},
          {"microseconds", 1e6 * median},
          {"least", 1e6 * per_sample(bench::quantile(seconds, 0), samples)},
          {"most", 1e6 * per_sample(bench::quantile(seconds, 1), samples)},
          {"rounds", rounds},
          {"seconds_per_pass", median * static_cast<double>(all)}};
}

// ------------------------------------------------------------------------------------------- learning

struct Learner {
  std::string engine;
  Machine machine;
  std::vector<double> seconds;
  LearnCounters counters;

  double learn(const LabelledRows& rows) {
    return bench::seconds_of([&] { counters = machine.learn_epoch(rows.bits, rows.labels).counters; });
  }
};

Json time_learning(const Setting& setting, const std::string& checkpoint, const LabelledRows& train,
                   std::size_t classes) {
  std::vector<Learner> learners;
  for (const char* engine : {"scan", "index", "lookahead"}) {
    Options run = setting.options;
    run.engine = engine_named(engine);
    run.threads = 1;
    learners.push_back({engine, Machine::from_checkpoint(checkpoint, run), {}, {}});
  }
  // 256 uses of every class: what the engine that looks ahead takes at a time.
  const std::size_t all = train.labels.size(), least = std::min<std::size_t>(all, 256 * classes);
  std::size_t samples = all;
  {
    const Turn turn(setting.lock);
    const std::size_t few = least / 8;
    const LabelledRows first = bench::some_rows(train, 0, few);
    for (Learner& learner : learners) {
      samples = std::min(samples, affordable(per_sample(learner.learn(first), few), setting.budget, least, all));
    }
    std::size_t from = few;
    for (int round = 0; round < setting.rounds; ++round, from += samples) {
      if (from + samples > all) from = 0;
      const LabelledRows stretch = bench::some_rows(train, from, samples);
      for (Learner& learner : learners) learner.seconds.push_back(learner.learn(stretch));
    }
  }
  Json json;
  std::string expected;
  for (Learner& learner : learners) {
    json[learner.engine] = figures(learner.seconds, samples, all);
    json[learner.engine]["engine_bytes"] = learner.machine.engine_bytes();
    json[learner.engine]["last_round"] = bench::counters_json(learner.counters);
    const std::string learned = learner.machine.checkpoint();
    if (expected.empty()) expected = learned;
    bench::agree(learned == expected, "machines learned with scan and " + learner.engine);
  }
  json["equal_machines"] = true;
  return json;
}

// ------------------------------------------------------------------------------------------- prediction

struct Contestant {
  std::string name;
  Predictor predictor;
  bool single, sparse;
  std::size_t samples = 0;
  std::vector<double> seconds = {};
  std::vector<std::int32_t> votes = {};
  PredictCounters counters = {};
  double compile_seconds = 0;

  /// Votes for `rows`, which are packed or lists.
  template <class Bits>
  double predict(const Bits& rows, std::size_t count) {
    counters = {};
    votes.assign(count * predictor.outputs(), 0);
    return bench::seconds_of([&] {
      if (!single) {
        votes = predictor.votes(rows, 1, &counters);
      } else {
        for (std::size_t r = 0; r < count; ++r)
          predictor.votes(rows.row(r), std::span(votes).subspan(r * predictor.outputs(), predictor.outputs()));
      }
    });
  }
  double run(const LabelledRows& rows) {
    if (!sparse) return predict(rows.bits, rows.labels.size());
    const SparseBits lists(rows.bits);  // untimed, as is packing
    return predict(lists, rows.labels.size());
  }
};

Json time_prediction(const Setting& setting, const Model& model, const LabelledRows& test) {
  const bool sparse = bench::is_sparse(test.bits);
  std::vector<Contestant> all;
  const auto add = [&](const char* name, const char* engine, bool single, bool lists) {
    const double start = bench::processor_seconds();
    all.push_back({name, Predictor(model, engine_named(engine)), single, lists});
    all.back().compile_seconds = bench::processor_seconds() - start;
  };
  add("scan", "scan", false, false);
  add("index", "index", false, false);
  add("best", "auto", false, sparse);
  add("single", "auto", true, sparse);
  const auto first_rows = [&](std::size_t count) { return bench::some_rows(test, 0, count); };
  const std::size_t there = test.labels.size();
  const Turn turn(setting.lock);
  for (Contestant& c : all) {
    const std::size_t least = std::min<std::size_t>(there, c.name == "best" ? 1024 : 64);
    c.samples = affordable(per_sample(c.run(first_rows(least)), least), setting.budget, least, there);
  }
  all[0].samples = all[1].samples = std::min(all[0].samples, all[1].samples);  // every vote of the two is compared
  std::array<LabelledRows, 4> rows;
  for (std::size_t i = 0; i < all.size(); ++i) rows[i] = first_rows(all[i].samples);
  for (int round = 0; round < setting.rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].seconds.push_back(all[i].run(rows[i]));
      const std::size_t common = std::min(all[0].votes.size(), all[i].votes.size());
      bench::agree(std::equal(all[0].votes.begin(), all[0].votes.begin() + static_cast<std::ptrdiff_t>(common),
                              all[i].votes.begin()),
                   "votes of scan and " + all[i].name);
    }
  }
  Json json;
  for (const Contestant& c : all) {
    Json& mine = json[c.name] = figures(c.seconds, c.samples, there);
    mine["engine"] = c.predictor.choice(c.single ? 1 : c.samples, c.sparse).name;
    mine["engine_bytes"] = c.predictor.bytes();
    mine["compile_seconds"] = c.compile_seconds;
    if (c.single) continue;  // nobody counts single samples
    mine["words_compared"] = c.counters.words_compared;
    mine["entries_visited"] = c.counters.entries_visited;
    mine["columns_joined"] = c.counters.columns_joined;
  }
  json["sparse_rows"] = sparse;
  json["equal_votes"] = all[0].votes.size();
  return json;
}

// ------------------------------------------------------------------------------------------- the cell

/// How training went: seconds of every epoch, and how many epochs it was, where time ran out a fraction.
struct Training {
  Json epochs = Json::array();
  double learned = 0;
  EpochReport last;
};

/// Where the time is limited, an epoch is learned in ten parts of the rows, which are in random order; what is left
/// when the time is over is left out.
Training train_machine(Machine& machine, const Setting& setting, const LabelledRows& rows) {
  const bool is_limited = setting.most_seconds > 0;
  const std::size_t parts = is_limited ? std::min<std::size_t>(10, rows.labels.size()) : 1, all = rows.labels.size();
  std::vector<LabelledRows> part_rows;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = all * p / parts;
    part_rows.push_back(bench::some_rows(rows, first, all * (p + 1) / parts - first));
  }
  Training training;
  const auto seconds_since = [](auto start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto start = std::chrono::steady_clock::now();
  const auto is_over = [&] { return is_limited && seconds_since(start) >= setting.most_seconds; };
  for (std::int64_t e = 0; e < setting.options.epochs && !is_over(); ++e) {
    const auto epoch_start = std::chrono::steady_clock::now();
    double processor = 0;
    std::size_t done = 0;
    for (; done < parts && (done + static_cast<std::size_t>(e) == 0 || !is_over()); ++done) {
      const LabelledRows& part = part_rows[done];
      processor += bench::seconds_of([&] { training.last = machine.learn_epoch(part.bits, part.labels); });
    }
    training.learned += static_cast<double>(done) / static_cast<double>(parts);
    training.epochs.push_back({{"wall_seconds", seconds_since(epoch_start)}, {"processor_seconds", processor}});
  }
  return training;
}

Json run(const Setting& setting) {
  bench::DataSet data = bench::load_data(setting.data, setting.booleanize);
  const std::size_t features = data.train.bits.columns(), classes = data.classes;
  const LabelledRows train = bench::shuffled(data.train), test = bench::shuffled(data.test);
  data = {};

  const Options& o = setting.options;
  const std::size_t samples =
      setting.train_samples == 0 ? train.labels.size() : std::min(setting.train_samples, train.labels.size());
  Machine machine(o, features, classes);
  const Training training = train_machine(machine, setting, bench::some_rows(train, 0, samples));
  const EpochReport& last = training.last;
  const Model model = machine.model();
  const double literals = 2.0 * static_cast<double>(features), clauses = static_cast<double>(o.clauses);
  Json json = {
      {"data", setting.data},
      {"features", features},
      {"classes", classes},
      {"clauses", o.clauses},
      {"threshold", o.threshold},
      {"specificity", o.specificity},
      {"seed", o.seed},
      {"epochs", o.epochs},
      {"epochs_learned", training.learned},
      {"training_samples", samples},
      {"train_rows", train.labels.size()},
      {"test_rows", test.labels.size()},
      {"training", {{"threads", machine.threads()}, {"engine", machine.engine()}, {"epochs", training.epochs}}},
      {"accuracy", bench::share_right(Predictor(model).predict(test.bits, machine.threads()), test.labels)},
      {"mean_clause_length", last.mean_clause_length},
      {"mean_list_length", last.mean_clause_length * clauses / literals},
      {"automata_bytes", machine.automata_bytes()},
      {"cpu", cpu_name()},
      {"kernels", machine.kernels()},
      {"compiler", fmt::format("{} {}", FALSUM_COMPILER, __VERSION__)},
      {"version", version()},
      {"rounds", setting.rounds},
      {"budget_seconds", setting.budget},
  };
  const std::string checkpoint = machine.checkpoint();
  machine = Machine(Options{}, 1, 2);  // the rounds have three of their own
  json["learning"] = time_learning(setting, checkpoint, train, classes);
  json["prediction"] = time_prediction(setting, model, test);
  json["peak_memory"] = bench::peak_memory();
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.options.epochs = 5;
  setting.options.seed = 1;
  CLI::App app("Measures one cell of the paper's tables and prints it as a line of JSON.");
  bench::add_machine_options(app, setting);
  bench::add_rounds(app, setting.rounds);
  app.add_option("--train-samples", setting.train_samples, "of an epoch of training; 0: all")->capture_default_str();
  app.add_option("--most-seconds", setting.most_seconds,
                 "of training: what is left then is left out, and the record says so; 0: no limit")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--threads", setting.options.threads, "of training; 0: all cores")->capture_default_str();
  app.add_option("--budget", setting.budget, "seconds that the slowest engine may take in a round")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1000.0));
  app.add_option("--lock", setting.lock, "hold this file's lock while timing: benchmarks that take turns");
  CLI11_PARSE(app, argc, argv);
  try {
    fmt::print("{}\n", run(setting).dump());
  } catch (const Error& error) {
    fmt::print(stderr, "falsum_bench_paper: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "falsum_bench_paper: there is not enough memory for this cell\n");
    return 2;
  }
  return 0;
}
