// A trained machine that a benchmark takes apart: what profile.cpp and index_ablation.cpp share. Where Machine learns
// an epoch, here a class learns a stretch of samples step by step, and whoever measures can stand between the steps.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "data.h"
#include "engine/evaluator.h"
#include "learn/epoch_plan.h"
#include "learn/feedback.h"
#include "learn/trainer.h"

namespace falsum::bench {

/// Adds up the time of many short pieces of work, less what looking at the clock takes.
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
  double seconds() const { return std::max(0.0, total_ - overhead() * static_cast<double>(calls_)); }
  /// What the clock itself adds to everything around this stopwatch.
  double lost() const { return overhead() * static_cast<double>(2 * calls_); }

 private:
  using Clock = std::chrono::steady_clock;
  void stop(Clock::time_point start) {
    total_ += std::chrono::duration<double>(Clock::now() - start).count();
    ++calls_;
  }
  /// Of one look at the clock.
  static double overhead() {
    static const double each = [] {
      constexpr int kLooks = 200000;
      const auto start = Clock::now();
      for (int i = 0; i < kLooks; ++i) static_cast<void>(Clock::now());
      return std::chrono::duration<double>(Clock::now() - start).count() / kLooks;
    }();
    return each;
  }

  double total_ = 0;
  std::uint64_t calls_ = 0;
};

struct Trained {
  DataSet data;
  Options options;
  std::unique_ptr<Trainer> trainer;
  double accuracy = 0;

  Trained(const std::string& name, int levels, std::uint32_t vocabulary, const Options& wanted)
      : data(load_data(name, levels, vocabulary)), options(wanted) {
    data.train = shuffled(data.train);
    trainer = std::make_unique<Trainer>(options, data.train.bits.columns(), data.classes);
    for (std::int64_t e = 0; e < options.epochs; ++e) trainer->learn_epoch(data.train.bits, data.train.labels, {});
    accuracy = share_right(Predictor(trainer->model()).predict(data.test.bits, 0), data.test.labels);
  }

  /// The automata of a class, to learn on with.
  std::unique_ptr<Bank> bank(std::size_t class_id) const {
    const Bank& from = trainer->learner(class_id).bank();
    ByteWriter writer;
    from.write(writer);
    auto copy = std::make_unique<Bank>(from.clauses(), from.features(), static_cast<std::uint32_t>(options.states));
    ByteReader reader(writer.bytes(), "bank");
    copy->read(reader);
    return copy;
  }

  /// `evaluate(i, rows, outputs, counters)` and `feedback(give)` are the two steps of every use of the class.
  template <class Evaluate, class Around>
  LearnCounters learn(std::size_t class_id, const Rows& stretch, Bank& bank, FlipListener& listener,
                      const Bank::Rules& rules, Evaluate&& evaluate, Around&& around) const {
    const EpochPlan plan(options.seed, trainer->epoch(), stretch.labels, data.classes);
    std::vector<Use> uses;
    plan.uses(class_id, 0, stretch.labels.size(), uses);
    UseRows rows(uses, stretch.bits);
    Feedback feedback(bank, options.threshold, 0, bank.slots() / 64, listener);
    std::vector<std::uint64_t> outputs(bank.slots() / 64);
    LearnCounters counters;
    const std::uint64_t key = class_key(options.seed, class_id), before = trainer->learner(class_id).uses();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      evaluate(i, rows, outputs.data(), counters);
      const std::int64_t votes = bank.votes(outputs.data(), 0, outputs.size(), rules.kernels);
      around([&] { feedback.give(votes, i, rows, use_key(key, before + i), outputs.data(), rules, counters); });
    }
    return counters;
  }
};

}  // namespace falsum::bench
