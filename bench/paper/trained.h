// A trained machine that a benchmark takes apart: what profile.cpp and index_ablation.cpp share. Where Machine learns
// an epoch, here a class learns a stretch of samples step by step, and whoever measures can stand between the steps.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "data.h"
#include "evaluate/evaluator.h"
#include "learn/feedback.h"
#include "learn/plan.h"
#include "learn/trainer.h"
#include "machine_options.h"

namespace falsum::bench {

/// Adds up the time of many short pieces of work, less what looking at the clock takes. A piece that was interrupted
/// counts as an average one: no piece takes as long as another process does when it gets its turn.
class Stopwatch {
 public:
  template <class Work>
  auto time(Work&& work) {
    const auto start = Clock::now();
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      stop(start);
    } else {
      const auto result = work();
      stop(start);
      return result;
    }
  }
  double seconds() const {
    const double whole = static_cast<double>(calls_ - interrupted_);
    if (whole == 0) return 0;
    return std::max(0.0, total_ / whole - overhead()) * static_cast<double>(calls_);
  }
  /// What the clock itself adds to everything around this stopwatch.
  double lost() const { return overhead() * static_cast<double>(2 * calls_); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kInterrupted = 1.5e-3;

  void stop(Clock::time_point start) {
    const double piece = std::chrono::duration<double>(Clock::now() - start).count();
    ++calls_;
    if (piece < kInterrupted) {
      total_ += piece;
    } else {
      ++interrupted_;
    }
  }
  /// Of one look at the clock: the least of many tries.
  static double overhead() {
    static const double each = [] {
      constexpr int kLooks = 1000;
      double least = 1;
      for (int attempt = 0; attempt < 200; ++attempt) {
        const auto start = Clock::now();
        for (int i = 0; i < kLooks; ++i) static_cast<void>(Clock::now());
        least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count() / kLooks);
      }
      return least;
    }();
    return each;
  }

  double total_ = 0;
  std::uint64_t calls_ = 0, interrupted_ = 0;
};

struct Trained {
  std::string name;
  DataSet data;
  Options options;
  std::unique_ptr<Trainer> trainer;
  double accuracy = 0;

  explicit Trained(const MachineOptions& wanted)
      : name(wanted.data), data(load_data(wanted.data, wanted.booleanize)), options(wanted.options) {
    data.train = shuffled(data.train);
    trainer = std::make_unique<Trainer>(options, data.train.bits.columns(), data.classes);
    for (std::int64_t e = 0; e < options.epochs; ++e) trainer->learn_epoch(data.train.bits, data.train.labels, {});
    accuracy = share_right(Predictor(trainer->model()).predict(data.test.bits, 0), data.test.labels);
  }

  /// Prints which machine it is; the same as JSON.
  nlohmann::ordered_json describe(std::size_t samples, int rounds) const {
    const std::size_t features = data.train.bits.columns();
    fmt::print("{}, {} features, {} clauses per class, T {}, s {}, after epoch {}: accuracy {:.2f}%\n", name, features,
               options.clauses, options.threshold, options.specificity, options.epochs, 100 * accuracy);
    return {{"data", name},
            {"features", features},
            {"clauses", options.clauses},
            {"threshold", options.threshold},
            {"specificity", options.specificity},
            {"epochs", options.epochs},
            {"accuracy", accuracy},
            {"mean_clause_length", trainer->mean_clause_length()},
            {"samples", samples},
            {"rounds", rounds},
            {"cpu", cpu_name()}};
  }

  /// The clauses of a class, to learn on with.
  std::unique_ptr<Voters> voters(std::size_t class_id) const {
    ByteWriter writer;
    const Bank& bank = trainer->learner(class_id).bank();
    bank.write(writer);
    auto copy = std::make_unique<Voters>(options, trainer->features(), 1, bank.range());
    ByteReader reader(writer.bytes(), "bank");
    copy->bank.read(reader);
    return copy;
  }

  /// `begin(examples)`, then `evaluate(i, outputs, counters)` before the feedback of every use.
  template <class Begin, class Evaluate>
  LearnCounters learn(std::size_t class_id, const LabelledRows& stretch, Voters& voters, FlipListener& listener,
                      const Bank::Law& law, Begin&& begin, Evaluate&& evaluate) const {
    const Plan plan(options, trainer->epoch(), stretch.labels, data.classes);
    std::vector<Uses> all;
    plan.uses(0, stretch.labels.size(), all);
    const Uses& uses = all[class_id];
    Examples examples(uses.rows, stretch.bits);
    begin(examples);
    const std::size_t words = voters.slots.words();
    Feedback feedback(voters, 0, words, listener);
    std::vector<std::uint64_t> outputs(words);
    LearnCounters counters;
    const std::uint64_t key = learner_key(options.seed, class_id), before = trainer->learner(class_id).uses();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      evaluate(i, outputs.data(), counters);
      const std::int64_t votes = voters.weights.votes(outputs.data(), 0, 0, words, law.kernels);
      feedback.choose(voters.objective.push(votes, uses.targets[i]), 0, outputs.data(), use_key(key, before + i), law);
      feedback.give(examples, i, law, counters);
    }
    return counters;
  }
};

/// Runs study() and writes what it returns to `output`, if that is not empty. The exit code.
template <class Study>
int run_study(const char* program, const std::string& output, Study&& study) {
  try {
    const nlohmann::ordered_json json = study();
    if (!output.empty() && !(std::ofstream(output) << json.dump() << "\n")) throw FileError("cannot write " + output);
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 2;
  }
  return 0;
}

}  // namespace falsum::bench
