// Every two options of the family together: the naive machine's bits, or refused, as docs/family.md says. And neutral
// values: the plain machine's bits.
#include <gtest/gtest.h>

#include <set>

#include "falsum/error.h"
#include "falsum/predictor.h"
#include "learn/naive_case.h"
#include "state_digest.h"

namespace falsum::combinations_test {
namespace {

struct Change {
  std::string name;
  std::function<void(Options&)> make;
  bool row_weights = false;
};

const std::vector<Change>& changes() {
  static const std::vector<Change> kChanges = {
      {"weights", [](Options& o) { o.weighted = true; }},
      {"slow weights", [](Options& o) { o.weight_growth = 0.05; }},
      {"range of s", [](Options& o) { o.specificity_to = 9; }},
      {"shared", [](Options& o) { o.shared = true; }},
      {"focused",
       [](Options& o) {
         o.shared = true;
         o.negatives = Negatives::kFocused;
       }},
      {"labels",
       [](Options& o) {
         o.task = Task::kMultilabel;
         o.negative_share = 0.6;
       }},
      {"numbers", [](Options& o) { o.task = Task::kRegression; }},
      {"linear error",
       [](Options& o) {
         o.task = Task::kRegression;
         o.error = ErrorLaw::kLinear;
       }},
      {"budget", [](Options& o) { o.max_literals = 4; }},
      {"resting clauses", [](Options& o) { o.drop_clauses = 0.3; }},
      {"resting literals", [](Options& o) { o.drop_literals = 0.3; }},
      {"patches", [](Options& o) { patches(o, "4x5", "2x3"); }},
      {"row weights", [](Options&) {}, true},
      {"no boost", [](Options& o) { o.boost = false; }},
      {"sharded",
       [](Options& o) {
         o.sharded = true;
         o.block = 64;
       }},
  };
  return kChanges;
}

using Pair = std::pair<std::string, std::string>;

/// The table "What combines" of docs/family.md. Two tasks are not two options; focused negatives include shared
/// clauses.
const std::set<Pair>& refused() {
  static const std::set<Pair> kRefused = {
      {"slow weights", "shared"}, {"slow weights", "focused"}, {"shared", "numbers"},  {"shared", "linear error"},
      {"shared", "sharded"},      {"focused", "labels"},       {"focused", "numbers"}, {"focused", "linear error"},
      {"focused", "sharded"},     {"labels", "numbers"},       {"numbers", "sharded"}, {"labels", "linear error"},
      {"patches", "sharded"},     {"linear error", "sharded"},
  };
  return kRefused;
}

NaiveCase both(const Change& a, const Change& b) {
  const auto make = [make_a = a.make, make_b = b.make](Options& o) {
    make_a(o);
    make_b(o);
  };
  return {a.name + ", " + b.name, 20, 12, 3, 256, true, 20, 3, 150, 2, make, a.row_weights || b.row_weights};
}

/// Each pair once, in the order of the list.
template <class Visit>
void for_each_pair(const Visit& visit) {
  for (std::size_t i = 0; i < changes().size(); ++i) {
    for (std::size_t j = i + 1; j < changes().size(); ++j) visit(changes()[i], changes()[j]);
  }
}

TEST(Combinations, AreRefusedWhereThePageSaysSo) {
  std::set<Pair> found;
  for_each_pair([&](const Change& a, const Change& b) {
    const NaiveCase c = both(a, b);
    try {
      validate(options_of(c));
    } catch (const ConfigError&) {
      found.insert({a.name, b.name});
    }
  });
  EXPECT_EQ(found, refused());
}

/// Every automaton and weight after every epoch, on every engine, and the votes of the model.
TEST(Combinations, LearnWhatTheNaiveMachineLearns) {
  for_each_pair([&](const Change& a, const Change& b) {
    if (refused().contains({a.name, b.name})) return;
    NaiveCase c = both(a, b);
    const bool one_output = options_of(c).task == Task::kRegression;
    if (one_output) c.outputs = 1;
    const TaskData tasks(c, options_of(c));
    NaiveMachine naive(options_of(c), c.features, c.outputs);
    naive.set_weights(tasks.weights);
    const auto engines = options_of(c).sharded ? std::vector<std::string>{"auto"}
                                               : std::vector<std::string>{"scan", "index", "lookahead"};
    std::vector<Trainer> trainers;
    for (const std::string& engine : engines) {
      Options options = options_of(c);
      options.engine = engine_named(engine);
      trainers.emplace_back(options, c.features, c.outputs);
    }
    for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) {
      tasks.learn(naive, options_of(c).task);
      for (std::size_t e = 0; e < trainers.size(); ++e) {
        trainers[e].learn_epoch(tasks.data.rows, tasks.targets(options_of(c).task), {});
        ASSERT_NO_FATAL_FAILURE(expect_equal(trainers[e], naive, c.name + ", " + engines[e]));
      }
    }
    ASSERT_GT(naive.flips(), 0u) << c.name;
    const Predictor predictor(trainers[0].model());
    for (std::size_t r = 0; r < 10; ++r) {
      std::vector<std::int32_t> votes(c.outputs);
      predictor.votes(tasks.data.rows.row(r), votes);
      EXPECT_EQ(std::vector<int>(votes.begin(), votes.end()), naive.votes(tasks.data.naive_rows[r])) << c.name;
    }
  });
}

TEST(Combinations, NeutralValuesGiveThePlainMachine) {
  const Change bases[] = {{"plain", [](Options&) {}},
                          {"shared", [](Options& o) { o.shared = true; }},
                          {"numbers", [](Options& o) { o.task = Task::kRegression; }},
                          {"slow weights", [](Options& o) { o.weight_growth = 0.05; }}};
  const Change neutral[] = {{"one s", [](Options& o) { o.specificity_to = o.specificity; }},
                            {"a budget of all literals", [](Options& o) { o.max_literals = 40; }},
                            {"the largest budget", [](Options& o) { o.max_literals = 4294967294; }},
                            {"a patch of the whole image", [](Options& o) { patches(o, "4x5", "4x5"); }},
                            {"equal weights of rows", [](Options&) {}, true}};
  for (const Change& base : bases) {
    const auto digest = [&](const Change& change) {
      NaiveCase c = both(base, change);
      if (options_of(c).task == Task::kRegression) c.outputs = 1;
      TaskData tasks(c, options_of(c));
      for (double& weight : tasks.weights) weight = 2.5;
      Trainer trainer(options_of(c), c.features, c.outputs);
      for (std::size_t epoch = 0; epoch < c.epochs; ++epoch)
        trainer.learn_epoch(tasks.data.rows, tasks.targets(options_of(c).task), {});
      return state_digest(trainer);
    };
    const std::uint64_t plain = digest({"", [](Options&) {}});
    for (const Change& change : neutral) EXPECT_EQ(digest(change), plain) << base.name << ", " << change.name;
    EXPECT_NE(digest({"", [](Options& o) { o.max_literals = 1; }}), plain) << base.name;
  }
}

}  // namespace
}  // namespace falsum::combinations_test
