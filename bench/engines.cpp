// falsum_bench: every engine on the same machine, side by side. Brings a machine to a trained state, then times in
// interleaved rounds, one thread: a stretch of learning from that very state, prediction of the test set, prediction of
// one sample at a time. Results are compared before speed: engines that disagree end the run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "falsum/falsum.h"

namespace {

using namespace falsum;
using Json = nlohmann::ordered_json;

struct Setting {
  std::string data = "mnist", output;
  std::uint32_t vocabulary = 5000;
  int levels = 1, rounds = 5;
  std::size_t learn = 2000, single = 500;
  Options options;
};

struct Rows {
  BitMatrix bits;
  std::vector<std::uint32_t> labels;
};

Rows first_rows(const Rows& all, std::size_t count) {
  count = std::min(count, all.labels.size());
  Rows some{BitMatrix(count, all.bits.columns()),
            {all.labels.begin(), all.labels.begin() + static_cast<std::ptrdiff_t>(count)}};
  for (std::size_t r = 0; r < count; ++r)
    std::copy(all.bits.row(r).begin(), all.bits.row(r).end(), some.bits.row(r).begin());
  return some;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// One engine's times over the rounds, per sample, and its ratios to the first engine of the same rounds.
struct Series {
  std::string engine;
  std::vector<double> seconds, ratios;
  Json counters;
};

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

Json report(const std::string& title, const std::vector<Series>& all) {
  Json rows = Json::array();
  fmt::print("\n{:<22}{:>14}{:>12}{:>20}\n", title, "us a sample", "scan / this", "(least to most)");
  for (const Series& s : all) {
    const double middle = quantile(s.seconds, 0.5), ratio = quantile(s.ratios, 0.5);
    fmt::print("  {:<20}{:>14.2f}{:>12.2f}{:>20}\n", s.engine, 1e6 * middle, ratio,
               fmt::format("({:.2f} to {:.2f})", quantile(s.ratios, 0), quantile(s.ratios, 1)));
    rows.push_back({{"engine", s.engine},
                    {"microseconds_per_sample", 1e6 * middle},
                    {"scan_to_this", ratio},
                    {"scan_to_this_least", quantile(s.ratios, 0)},
                    {"scan_to_this_most", quantile(s.ratios, 1)},
                    {"work", s.counters}});
  }
  return rows;
}

std::vector<Series> interleave(const std::vector<std::string>& engines, int rounds, std::size_t samples,
                               const std::function<double(const std::string&, Json&)>& time) {
  std::vector<Series> all;
  for (const std::string& engine : engines) all.push_back({engine, {}, {}, {}});
  for (int round = 0; round < rounds; ++round) {
    for (Series& s : all) {
      s.seconds.push_back(time(s.engine, s.counters) / static_cast<double>(samples));
      s.ratios.push_back(all.front().seconds.back() / s.seconds.back());
    }
  }
  return all;
}

void agree(bool same, const std::string& what) {
  if (!same) throw std::logic_error(what + " differ between engines: this is a mistake in falsum");
}

std::vector<Series> time_learning(const Setting& setting, const std::string& checkpoint, const Rows& rows) {
  std::string expected;
  return interleave(
      {"scan", "index", "lookahead"}, setting.rounds, rows.labels.size(), [&](const std::string& engine, Json& work) {
        Options run = setting.options;
        run.engine = engine;
        run.threads = 1;
        Machine machine = Machine::from_checkpoint(checkpoint, run);  // builds the engine's own data, untimed
        EpochReport report;
        const double seconds = seconds_of([&] { report = machine.learn_epoch(rows.bits, rows.labels); });
        const std::string learned = machine.checkpoint();
        if (expected.empty()) expected = learned;
        agree(learned == expected, "learned machines");
        const LearnCounters& c = report.counters;
        work = {{"type_1a", c.type_1a},
                {"type_1b", c.type_1b},
                {"type_2", c.type_2},
                {"flips", c.flips},
                {"evaluations", c.evaluations},
                {"words_compared", c.words_compared},
                {"entries_visited", c.entries_visited},
                {"columns_joined", c.columns_joined},
                {"engine_bytes", machine.engine_bytes()}};
        return seconds;
      });
}

std::vector<Series> time_prediction(const Setting& setting, const Model& model, const Rows& rows, bool one_by_one) {
  const std::vector<std::string> engines = one_by_one ? std::vector<std::string>{"scan", "index", "bitmap"}
                                                      : std::vector<std::string>{"scan", "index", "bitmap", "sliced"};
  std::vector<Predictor> predictors;
  for (const std::string& engine : engines) predictors.emplace_back(model, engine, setting.options.kernels);
  const std::vector<std::int32_t> expected = predictors.front().votes(rows.bits);
  return interleave(engines, setting.rounds, rows.labels.size(), [&](const std::string& engine, Json& work) {
    const auto which = std::find(engines.begin(), engines.end(), engine) - engines.begin();
    const Predictor& predictor = predictors[static_cast<std::size_t>(which)];
    std::vector<std::int32_t> votes(expected.size());
    PredictCounters counters;
    const double seconds = seconds_of([&] {
      if (!one_by_one) {
        votes = predictor.votes(rows.bits, 1, &counters);
      } else {
        for (std::size_t r = 0; r < rows.labels.size(); ++r) {
          predictor.votes(rows.bits.row(r), std::span(votes).subspan(r * model.classes(), model.classes()));
        }
      }
    });
    agree(votes == expected, "votes");
    work = {{"words_compared", counters.words_compared},
            {"entries_visited", counters.entries_visited},
            {"columns_joined", counters.columns_joined},
            {"engine_bytes", predictor.bytes()}};
    return seconds;
  });
}

void run(const Setting& setting) {
  LoadOptions load;
  load.levels = setting.levels;
  BooleanizeOptions booleanize;
  booleanize.levels = setting.levels;
  booleanize.vocabulary = setting.vocabulary;
  const Source train = load_source(setting.data + ":train", load), test = load_source(setting.data + ":test", load);
  const std::vector<std::string> names = distinct_labels(train.labels);
  const Booleanizer booleanizer = Booleanizer::fit(train, booleanize);
  const Rows learning{booleanizer.transform(train), encode_labels(train, names)};
  const Rows testing{booleanizer.transform(test), encode_labels(test, names)};

  const Options& o = setting.options;
  Machine machine(o, learning.bits.columns(), names.size());
  EpochReport last;
  for (std::int64_t e = 0; e < o.epochs; ++e) last = machine.learn_epoch(learning.bits, learning.labels);
  const Model model = machine.model();
  const std::vector<std::uint32_t> predicted = Predictor(model).predict(testing.bits, 0);
  double right = 0;
  for (std::size_t r = 0; r < predicted.size(); ++r) right += predicted[r] == testing.labels[r];
  const double accuracy = right / static_cast<double>(predicted.size());
  fmt::print(
      "{}, {} features, {} clauses per class, T {}, s {}, seed {}, after epoch {}: accuracy {:.2f}%, mean clause "
      "length {:.1f}\n",
      setting.data, learning.bits.columns(), o.clauses, o.threshold, o.specificity, o.seed, o.epochs, 100 * accuracy,
      last.mean_clause_length);
  fmt::print("{}, kernels {}, one thread, {} interleaved rounds; ratios are medians over the rounds\n", cpu_name(),
             machine.kernels(), setting.rounds);

  Json json = {{"data", setting.data},
               {"features", learning.bits.columns()},
               {"classes", names.size()},
               {"clauses", o.clauses},
               {"threshold", o.threshold},
               {"specificity", o.specificity},
               {"seed", o.seed},
               {"epochs", o.epochs},
               {"accuracy", accuracy},
               {"mean_clause_length", last.mean_clause_length},
               {"automata_bytes", machine.automata_bytes()},
               {"cpu", cpu_name()},
               {"kernels", machine.kernels()},
               {"version", version()},
               {"rounds", setting.rounds}};
  const Rows stretch = first_rows(learning, setting.learn), singles = first_rows(testing, setting.single);
  json["learning_samples"] = stretch.labels.size();
  json["learning"] = report("learning", time_learning(setting, machine.checkpoint(), stretch));
  json["batch"] = report("prediction, batch", time_prediction(setting, model, testing, false));
  json["single"] = report("prediction, one by one", time_prediction(setting, model, singles, true));
  if (!setting.output.empty()) {
    std::ofstream file(setting.output);
    file << json.dump(2) << "\n";
    if (!file.flush()) throw FileError("cannot write " + setting.output);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  setting.options.epochs = 5;
  CLI::App app("Times the engines of falsum on the same machine, side by side.");
  app.add_option("--data", setting.data, "a built-in data set")->capture_default_str();
  app.add_option("--levels", setting.levels, "grey levels of images")->capture_default_str();
  app.add_option("--vocabulary", setting.vocabulary, "words of imdb")->capture_default_str();
  app.add_option("--clauses", setting.options.clauses)->capture_default_str();
  app.add_option("-T,--threshold", setting.options.threshold)->capture_default_str();
  app.add_option("-s,--specificity", setting.options.specificity)->capture_default_str();
  app.add_option("--seed", setting.options.seed)->capture_default_str();
  app.add_option("--epochs", setting.options.epochs, "to bring the machine to its trained state")
      ->capture_default_str();
  app.add_option("--kernels", setting.options.kernels)->capture_default_str();
  app.add_option("--learn", setting.learn, "samples learned in a round")->capture_default_str();
  app.add_option("--single", setting.single, "samples predicted one by one in a round")->capture_default_str();
  app.add_option("--rounds", setting.rounds)->capture_default_str()->check(CLI::Range(1, 1000));
  app.add_option("-o", setting.output, "write the results as JSON");
  CLI11_PARSE(app, argc, argv);
  try {
    run(setting);
  } catch (const Error& error) {
    fmt::print(stderr, "falsum_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
