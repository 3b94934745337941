// A model in service: many threads on one predictor, a model replaced while others predict, learning that goes on and
// on.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "learn/trainer.h"
#include "plain_model.h"
#include "random_data.h"

namespace falsum::serving_test {
namespace {

constexpr std::size_t kFeatures = 40, kClasses = 3, kThreads = 8;

Options small_options(std::uint64_t seed) {
  Options options;
  options.clauses = 30;
  options.threshold = 10;
  options.specificity = 4;
  options.seed = seed;
  options.threads = 1;
  return options;
}

Model learned(const RandomData& data, std::uint64_t seed) {
  Machine machine(small_options(seed), kFeatures, kClasses);
  machine.learn_epoch(data.rows, data.labels);
  return machine.model();
}

template <class Work>
void on_threads(Work&& work) {
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) threads.emplace_back([&work, t] { work(t); });
}

TEST(ServingThreads, TenThousandPredictionsInParallelAreAllRight) {
  const RandomData data(1, 500, kFeatures, kClasses);
  const Model model = learned(data, 1);
  for (const std::string engine : {"auto", "scan", "index", "bitmap", "sliced"}) {
    const Predictor predictor(model, engine_named(engine));
    const std::vector<std::int32_t> expected = predictor.votes(data.rows);
    std::atomic<std::size_t> calls{0}, wrong{0};
    on_threads([&](std::size_t t) {
      TestRandom random(t);
      std::vector<std::int32_t> votes(kClasses);
      for (std::size_t i = 0; i < 10000 / kThreads; ++i, ++calls) {
        const std::size_t r = random.below(data.rows.rows());
        predictor.votes(data.rows.row(r), votes);
        wrong += !std::equal(votes.begin(), votes.end(), expected.begin() + static_cast<std::ptrdiff_t>(r * kClasses));
      }
      wrong += predictor.votes(data.rows, 2) != expected;
    });
    EXPECT_EQ(calls, 10000u) << engine;
    EXPECT_EQ(wrong, 0u) << engine;
  }
}

/// How a server holds its model: readers take their share of the one in use; the old one goes with its last reader.
class Service {
 public:
  struct Loaded {
    Predictor predictor;
    std::vector<std::int32_t> expected;  // of all rows, computed before anyone else saw it
  };
  std::shared_ptr<const Loaded> now() const {
    const std::lock_guard lock(mutex_);
    return loaded_;
  }
  void replace(std::shared_ptr<const Loaded> next) {
    const std::lock_guard lock(mutex_);
    loaded_.swap(next);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Loaded> loaded_;
};

TEST(ServingThreads, AModelIsReplacedWhileOthersPredict) {
  const RandomData data(2, 200, kFeatures, kClasses);
  const std::string files[] = {learned(data, 1).to_bytes(), learned(data, 2).to_bytes(), learned(data, 3).to_bytes()};
  const auto load = [&](std::size_t which) {
    Predictor predictor(Model::from_bytes(files[which]));
    std::vector<std::int32_t> expected = predictor.votes(data.rows);
    return std::shared_ptr<const Service::Loaded>(new Service::Loaded{std::move(predictor), std::move(expected)});
  };
  Service service;
  service.replace(load(0));
  std::atomic<std::size_t> wrong{0}, finished{0}, swaps{0};
  on_threads([&](std::size_t t) {
    if (t == 0) {  // until everyone else is done
      while (finished < kThreads - 1) service.replace(load(++swaps % 3));
      return;
    }
    TestRandom random(t);
    std::vector<std::int32_t> votes(kClasses);
    for (int i = 0; i < 1500; ++i) {
      const auto loaded = service.now();
      const std::size_t r = random.below(data.rows.rows());
      loaded->predictor.votes(data.rows.row(r), votes);
      wrong +=
          !std::equal(votes.begin(), votes.end(), loaded->expected.begin() + static_cast<std::ptrdiff_t>(r * kClasses));
    }
    ++finished;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(swaps, 0u);
}

TEST(ServingThreads, MachinesLearnSideBySideAsIfAlone) {
  const RandomData data(3, 400, kFeatures, kClasses);
  std::vector<std::string> alone;
  for (std::size_t t = 0; t < kThreads; ++t) alone.push_back(learned(data, t).to_bytes());
  std::atomic<std::size_t> wrong{0};
  on_threads([&](std::size_t t) { wrong += learned(data, t).to_bytes() != alone[t]; });
  EXPECT_EQ(wrong, 0u);
}

/// Every automaton is driven to its bounds and held there: states neither wrap nor leave their range.
TEST(Saturation, AutomataStayWithinTheirStatesHoweverLongTheyArePushed) {
  for (const std::int64_t states : {2, 4, 256}) {
    BitMatrix rows(2, 6);
    for (std::size_t k = 0; k < 3; ++k) rows.set(0, k);
    for (std::size_t k = 3; k < 6; ++k) rows.set(1, k);
    const std::vector<std::uint32_t> labels = {0, 1};
    Options options = small_options(5);
    options.clauses = 4;
    options.threshold = 1000000000;  // never reached: every use gives feedback
    options.states = states;
    Trainer trainer(options, 6, 2);
    for (int epoch = 0; epoch < 3000; ++epoch) trainer.learn_epoch(rows, labels, {});
    std::size_t lowest = 0, highest = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      const Bank& bank = trainer.learner(c).bank();
      for (std::size_t clause = 0; clause < 4; ++clause) {
        for (std::uint32_t l = 0; l < 12; ++l) {
          const std::uint8_t state = bank.state(static_cast<ClauseId>(clause), static_cast<LiteralId>(l));
          ASSERT_GE(state, 128 - states / 2);
          ASSERT_LE(state, 127 + states / 2);
          lowest += state == 128 - states / 2;
          highest += state == 127 + states / 2;
        }
      }
    }
    EXPECT_GT(lowest, 0u) << states << " states";
    EXPECT_GT(highest, 0u) << states << " states";
  }
}

TEST(Saturation, VotesOfTheLargestWeightsAreExactInEveryEngine) {
  Options options;
  options.clauses = 4;
  const std::int32_t half = 0x3fffffff;
  const Model model(plain_parts(options, 2, 1, {0, 1, 2, 3, 4}, {0, 0, 1, 1}, {half, half, -half, -half}));
  BitMatrix rows(4, 2);
  rows.set(1, 0);
  rows.set(2, 1);
  rows.set(3, 0);
  rows.set(3, 1);
  const std::vector<std::int32_t> expected = {0, 2 * half, -2 * half, 0};
  for (const std::string engine : {"auto", "scan", "index", "bitmap", "sliced"}) {
    EXPECT_EQ(Predictor(model, engine_named(engine)).votes(rows), expected) << engine;
  }
}

}  // namespace
}  // namespace falsum::serving_test
