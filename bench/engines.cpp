// falsum_bench: every engine and every kernel set on the same machine, side by side. Brings a machine to a trained
// state, then times in interleaved rounds, one thread: a stretch of learning from that very state, prediction of the
// test set, prediction of one sample at a time. Results are compared before speed: engines that disagree end the run.
//
// With --weighted-threshold T: what weights cost. A weighted machine of threshold T beside the plain one, by turns:
// learning per feedback event, and prediction per row by every engine with the weighted machine's clauses, once with
// its weights and once with one vote each. A third machine has weights up to 2 and the plain T: it learns nearly as the
// plain one does, so that the difference is the cost of weights alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "counters_json.h"
#include "data.h"
#include "falsum/falsum.h"
#include "machine_options.h"
#include "rounds.h"

namespace {

using namespace falsum;
using bench::agree;
using bench::LabelledRows;
using bench::quantile;
using bench::seconds_of;
using Json = nlohmann::ordered_json;

struct Setting : bench::MachineOptions {
  std::string output;
  int rounds = 5;
  std::size_t learn = 2000, single = 500;
  std::int64_t weighted_threshold = 0;
};

/// One of those that are compared: an engine, or a kernel set under the engine that "auto" takes.
struct Way {
  std::string name, engine, kernels;
};

/// A way's times over the rounds, per sample, and its ratios to the first way of the same rounds.
struct Series {
  Way way;
  std::vector<double> seconds, ratios;
  Json counters;
};

/// What the evaluation of clauses did, for each sample: "entries_visited 5321".
std::string work_text(const Json& counters, std::size_t samples) {
  std::string text;
  for (const char* name : {"words_compared", "entries_visited", "bitmaps_joined", "columns_joined"}) {
    const std::uint64_t count = counters.value(name, std::uint64_t{0});
    if (count != 0) text += fmt::format("  {} {:.0f}", name, static_cast<double>(count) / static_cast<double>(samples));
  }
  return text;
}

Json report(const std::string& title, const std::vector<Series>& all, std::size_t samples) {
  Json rows = Json::array();
  const std::string& first = all.front().way.name;
  fmt::print("\n{:<34}{:>12}{:>15}{:>18}  work a sample\n", title, "us a sample", first + " / this", "(least to most)");
  for (const Series& s : all) {
    const double middle = quantile(s.seconds, 0.5), ratio = quantile(s.ratios, 0.5);
    fmt::print("  {:<32}{:>12.2f}{:>15.2f}{:>18}{}\n", s.way.name, 1e6 * middle, ratio,
               fmt::format("({:.2f} to {:.2f})", quantile(s.ratios, 0), quantile(s.ratios, 1)),
               work_text(s.counters, samples));
    rows.push_back({{"name", s.way.name},
                    {"engine", s.way.engine},
                    {"kernels", s.way.kernels},
                    {"microseconds_per_sample", 1e6 * middle},
                    {"first_to_this", ratio},
                    {"first_to_this_least", quantile(s.ratios, 0)},
                    {"first_to_this_most", quantile(s.ratios, 1)},
                    {"work", s.counters}});
  }
  return rows;
}

std::vector<Series> interleave(const std::vector<Way>& ways, int rounds, std::size_t samples,
                               const std::function<double(std::size_t way, Json&)>& time) {
  std::vector<Series> all;
  for (const Way& way : ways) all.push_back({way, {}, {}, {}});
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t w = 0; w < ways.size(); ++w) {
      all[w].seconds.push_back(time(w, all[w].counters) / static_cast<double>(samples));
      all[w].ratios.push_back(all.front().seconds.back() / all[w].seconds.back());
    }
  }
  return all;
}

/// Every engine there is that can do this, by the table of options: those that cannot refuse.
std::vector<Way> engines_that(const std::string& kernels, const std::function<void(const std::string&)>& can) {
  const auto engine = std::ranges::find(option_table(), "engine", &OptionInfo::name);
  std::vector<Way> ways;
  std::istringstream names{std::string(engine->choices)};
  for (std::string name; std::getline(names, name, '|');) {
    try {
      if (name == "auto") continue;
      can(name);
      ways.push_back({name, name, kernels});
    } catch (const ConfigError&) {
    }
  }
  return ways;
}

std::vector<Way> kernel_sets() {
  std::vector<Way> ways;
  for (const KernelSetInfo& set : list_kernel_sets()) {
    if (set.supported) ways.push_back({set.name, "auto", set.name});
  }
  return ways;
}

std::vector<Series> time_learning(const Setting& setting, const std::vector<Way>& ways, const std::string& checkpoint,
                                  const LabelledRows& rows) {
  std::string expected;
  return interleave(ways, setting.rounds, rows.labels.size(), [&](std::size_t way, Json& work) {
    Options run = setting.options;
    run.engine = engine_named(ways[way].engine);
    run.kernels = ways[way].kernels;
    run.threads = 1;
    Machine machine = Machine::from_checkpoint(checkpoint, run);  // builds the engine's own data, untimed
    EpochReport report;
    const double seconds = seconds_of([&] { report = machine.learn_epoch(rows.bits, rows.labels); });
    const std::string learned = machine.checkpoint();
    if (expected.empty()) expected = learned;
    agree(learned == expected, "learned machines");
    work = bench::counters_json(report.counters);
    work["engine_bytes"] = machine.engine_bytes();
    return seconds;
  });
}

std::vector<Series> time_prediction(const Setting& setting, const std::vector<Way>& ways, const Model& model,
                                    const LabelledRows& rows, bool one_by_one) {
  std::vector<Predictor> predictors;
  for (const Way& way : ways) predictors.emplace_back(model, engine_named(way.engine), way.kernels);
  const std::vector<std::int32_t> expected = predictors.front().votes(rows.bits);
  return interleave(ways, setting.rounds, rows.labels.size(), [&](std::size_t way, Json& work) {
    const Predictor& predictor = predictors[way];
    std::vector<std::int32_t> votes(expected.size());
    PredictCounters counters;
    const double seconds = seconds_of([&] {
      if (!one_by_one) {
        votes = predictor.votes(rows.bits, 1, &counters);
      } else {
        for (std::size_t r = 0; r < rows.labels.size(); ++r) {
          predictor.votes(rows.bits.row(r), std::span(votes).subspan(r * model.outputs(), model.outputs()));
        }
      }
    });
    agree(votes == expected, "votes");
    work = {{"words_compared", counters.words_compared},
            {"entries_visited", counters.entries_visited},
            {"bitmaps_joined", counters.bitmaps_joined},
            {"columns_joined", counters.columns_joined},
            {"engine_bytes", predictor.bytes()}};
    return seconds;
  });
}

/// Learning, batch and single prediction for a list of ways each.
Json compare(const Setting& setting, const std::string& title, const std::vector<Way>& learning,
             const std::vector<Way>& predicting, const std::string& checkpoint, const Model& model,
             const LabelledRows& stretch, const LabelledRows& testing, const LabelledRows& singles) {
  Json json;
  json["learning"] =
      report("learning, " + title, time_learning(setting, learning, checkpoint, stretch), stretch.labels.size());
  json["batch"] = report("batch prediction, " + title, time_prediction(setting, predicting, model, testing, false),
                         testing.labels.size());
  json["single"] =
      report("one by one, " + title, time_prediction(setting, predicting, model, singles, true), singles.labels.size());
  return json;
}

/// The same clauses with one vote each, for or against.
Model without_weights(const Model& model) {
  ModelParts parts = model.parts();
  parts.options.weighted = false;
  parts.options.max_weight = 1;
  for (Weight& weight : parts.weights) weight.votes = weight.votes < 0 ? -1 : 1;
  return Model(std::move(parts));
}

void print_pair(const std::string& what, const std::vector<double>& plain, const std::vector<double>& weighted) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < plain.size(); ++i) ratios.push_back(weighted[i] / plain[i]);
  fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} ({:.2f} to {:.2f}) |\n", what, 1e9 * quantile(plain, 0.5),
             1e9 * quantile(weighted, 0.5), quantile(ratios, 0.5), quantile(ratios, 0), quantile(ratios, 1));
}

/// A machine and what a stretch of learning from its trained state takes.
struct Learning {
  std::string checkpoint;
  LearnCounters counters;
  double accuracy = 0, length = 0;
  std::vector<double> seconds;  // per event, by round

  double events() const { return static_cast<double>(counters.type_1a + counters.type_1b + counters.type_2); }
};

/// All learn the same rows by turns, each from its own trained state.
void time_events(const Setting& setting, const Options& options, const LabelledRows& rows, std::vector<Learning>& all) {
  Options run = options;
  run.threads = 1;
  for (int round = 0; round < setting.rounds; ++round) {
    for (Learning& one : all) {
      Machine machine = Machine::from_checkpoint(one.checkpoint, run);
      const double seconds = seconds_of([&] { one.counters = machine.learn_epoch(rows.bits, rows.labels).counters; });
      one.seconds.push_back(seconds / one.events());
    }
  }
}

/// Seconds a row, by round: with one vote for each clause, and with weights.
std::pair<std::vector<double>, std::vector<double>> time_rows(const Setting& setting, const Predictor& plain,
                                                              const Predictor& weighted, const BitMatrix& rows,
                                                              bool one_by_one) {
  std::vector<double> seconds[2];
  std::vector<std::int32_t> votes(plain.outputs());
  for (int round = 0; round < setting.rounds; ++round) {
    for (const Predictor* predictor : {&plain, &weighted}) {
      const double all = seconds_of([&] {
        if (!one_by_one) {
          (void)predictor->votes(rows);
        } else {
          for (std::size_t r = 0; r < rows.rows(); ++r) predictor->votes(rows.row(r), votes);
        }
      });
      seconds[predictor == &weighted].push_back(all / static_cast<double>(rows.rows()));
    }
  }
  return {seconds[0], seconds[1]};
}

void compare_weights(const Setting& setting) {
  const auto [learning, testing, classes] = bench::load_data(setting.data, setting.booleanize);
  Options plain = setting.options, weighted = plain;
  weighted.weighted = true;
  weighted.threshold = setting.weighted_threshold;
  Options small = plain;
  small.max_weight = 2;
  std::vector<Learning> all;
  std::optional<Model> model;
  for (const Options& options : {plain, small, weighted}) {
    Machine machine(options, learning.bits.columns(), classes);
    const EpochReport last = machine.learn(learning.bits, learning.labels, static_cast<std::uint64_t>(options.epochs));
    model = machine.model();
    all.push_back({machine.checkpoint(), {}, 0, last.mean_clause_length, {}});
    all.back().accuracy = bench::share_right(Predictor(*model).predict(testing.bits, 0), testing.labels);
  }
  const LabelledRows stretch = bench::some_rows(learning, 0, std::min(setting.learn, learning.labels.size()));
  time_events(setting, plain, stretch, all);
  const char* const names[] = {"plain", "weights up to 2", "weighted"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Learning& one = all[i];
    const auto each = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(stretch.labels.size());
    };
    fmt::print("{}: T {}, accuracy {:.2f}%, clause length {:.1f}; a row gives {:.0f} Type Ia, {:.0f} Ib, {:.0f} II\n",
               names[i], i < 2 ? plain.threshold : weighted.threshold, 100 * one.accuracy, one.length,
               each(one.counters.type_1a), each(one.counters.type_1b), each(one.counters.type_2));
  }
  fmt::print("{}, one thread, processor time, {} interleaved rounds; ratios are medians over the rounds\n\n",
             cpu_name(), setting.rounds);
  fmt::print("| | plain, ns | weighted, ns | weighted / plain |\n|---|---|---|---|\n");
  print_pair("learning, per event", all[0].seconds, all[2].seconds);
  print_pair("learning with weights up to 2, per event", all[0].seconds, all[1].seconds);
  const Model unit = without_weights(*model);
  const BitMatrix singles = bench::some_bits(testing.bits, 0, std::min(setting.single, testing.bits.rows()));
  const auto ways =
      engines_that(plain.kernels, [&](const std::string& engine) { Predictor(unit, engine_named(engine)); });
  for (const Way& way : ways) {
    const Predictor ones(unit, engine_named(way.engine)), weights(*model, engine_named(way.engine));
    for (const bool one_by_one : {false, true}) {
      const auto [without, with] = time_rows(setting, ones, weights, one_by_one ? singles : testing.bits, one_by_one);
      print_pair(fmt::format("{}, {}, per row", way.engine, one_by_one ? "one by one" : "batch"), without, with);
    }
  }
}

void run(const Setting& setting) {
  const auto [learning, testing, classes] = bench::load_data(setting.data, setting.booleanize);

  const Options& o = setting.options;
  Machine machine(o, learning.bits.columns(), classes);
  EpochReport last;
  for (std::int64_t e = 0; e < o.epochs; ++e) last = machine.learn_epoch(learning.bits, learning.labels);
  const Model model = machine.model();
  const double accuracy = bench::share_right(Predictor(model).predict(testing.bits, 0), testing.labels);
  fmt::print(
      "{}, {} features, {} clauses per class, T {}, s {}, seed {}, after epoch {}: accuracy {:.2f}%, mean clause "
      "length {:.1f}\n",
      setting.data, learning.bits.columns(), o.clauses, o.threshold, o.specificity, o.seed, o.epochs, 100 * accuracy,
      last.mean_clause_length);
  fmt::print("{}, kernels {}, one thread, processor time, {} interleaved rounds; ratios are medians over the rounds\n",
             cpu_name(), machine.kernels(), setting.rounds);

  Json json = {{"data", setting.data},
               {"features", learning.bits.columns()},
               {"classes", classes},
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
  const LabelledRows stretch = bench::some_rows(learning, 0, std::min(setting.learn, learning.labels.size()));
  const LabelledRows singles = bench::some_rows(testing, 0, std::min(setting.single, testing.labels.size()));
  const std::string checkpoint = machine.checkpoint();
  json["learning_samples"] = stretch.labels.size();
  const std::vector<Way> learners = engines_that(o.kernels, [&](const std::string& engine) {
    Options run = o;
    run.engine = engine_named(engine);
    Machine::from_checkpoint(checkpoint, run);
  });
  const std::vector<Way> predictors =
      engines_that(o.kernels, [&](const std::string& engine) { Predictor(model, engine_named(engine), o.kernels); });
  json["engines"] = compare(setting, "engines", learners, predictors, checkpoint, model, stretch, testing, singles);
  const std::vector<Way> sets = kernel_sets();
  json["kernel_sets"] = compare(setting, "kernel sets", sets, sets, checkpoint, model, stretch, testing, singles);
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
  CLI::App app("Times the engines and kernel sets of falsum on the same machine, side by side.");
  bench::add_machine_options(app, setting);
  app.add_option("--kernels", setting.options.kernels, "under which the engines are compared")->capture_default_str();
  app.add_option("--learn", setting.learn, "samples learned in a round")->capture_default_str();
  app.add_option("--single", setting.single, "samples predicted one by one in a round")->capture_default_str();
  bench::add_rounds(app, setting.rounds);
  app.add_option("-o", setting.output, "write the results as JSON");
  app.add_option("--weighted-threshold", setting.weighted_threshold,
                 "only what weights cost: a weighted machine of this T beside the plain one");
  CLI11_PARSE(app, argc, argv);
  try {
    setting.weighted_threshold > 0 ? compare_weights(setting) : run(setting);
  } catch (const Error& error) {
    fmt::print(stderr, "falsum_bench: {}\n", error.what());
    return 2;
  }
  return 0;
}
