// Fuzzy machines against the naive one, automaton by automaton.
#include <gtest/gtest.h>
#include <xxhash.h>

#include "falsum/clause_outputs.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "kernels/dispatch.h"
#include "learn/trainer.h"
#include "naive_fuzzy_machine.h"
#include "random_data.h"

namespace falsum::fuzzy_test {
namespace {

struct Case {
  const char* name;
  std::int64_t clauses, threshold;
  double specificity;
  std::int64_t max_literals, fuzzy;
  std::size_t features, outputs, rows, epochs;
  void (*variant)(Options&) = [](Options&) {};
};

Options options_of(const Case& c) {
  Options options;
  options.clauses = c.clauses;
  options.threshold = c.threshold;
  options.specificity = c.specificity;
  options.max_literals = c.max_literals;
  options.fuzzy = c.fuzzy;
  options.seed = 11;
  options.threads = 1;
  c.variant(options);
  return options;
}

/// Rows and targets of both tasks.
struct TaskData {
  explicit TaskData(const Case& c)
      : data(3, c.rows, c.features, std::max<std::size_t>(2, c.outputs)), labels(c.rows, c.outputs) {
    for (std::size_t r = 0; r < c.rows; ++r) {
      naive_labels.emplace_back(c.outputs);
      for (std::size_t o = 0; o < c.outputs; ++o) {
        const std::vector<bool>& row = data.naive_rows[r];
        naive_labels[r][o] = row[o % c.features] != row[(o + 1) % c.features];
        if (naive_labels[r][o]) labels.set(r, o);
      }
    }
  }
  Targets targets(Task task) const { return task == Task::kMultilabel ? Targets(labels) : Targets(data.labels); }
  void learn(NaiveFuzzyMachine& naive, Task task) const {
    task == Task::kMultilabel ? naive.learn_epoch(data.naive_rows, naive_labels)
                              : naive.learn_epoch(data.naive_rows, data.labels);
  }
  RandomData data;
  BitMatrix labels;
  NaiveFuzzyMachine::Rows naive_labels;
};

void clamp(Options& o) { o.clamp = true; }
void literals(Options& o) { o.length = ClauseLength::kLiterals; }
void both(Options& o) {
  clamp(o);
  literals(o);
}

class FuzzyTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, FuzzyTest,
    testing::Values(
        Case{"small", 20, 10, 6, 8, 4, 12, 3, 700, 3}, Case{"clamp", 20, 10, 6, 8, 4, 12, 3, 700, 3, clamp},
        Case{"length", 20, 10, 6, 8, 4, 12, 3, 700, 3, literals}, Case{"paper", 20, 10, 6, 8, 4, 12, 3, 700, 3, both},
        Case{"crisp_values", 10, 3, 4, 5, 1, 33, 2, 600, 3}, Case{"one_word", 20, 12, 16, 20, 8, 64, 3, 600, 3},
        Case{"two_words", 20, 12, 16, 30, 8, 128, 3, 600, 2}, Case{"many_clauses", 66, 30, 12, 10, 5, 40, 3, 300, 2},
        Case{"no_budget", 6, 60, 8, 0, 75, 200, 2, 600, 2},
        // Clauses of hundreds of literals, of which many leave at once.
        Case{"long", 2, 300, 6, 0, 128, 400, 3, 520, 2}, Case{"large_votes", 4, 500, 20, 100, 255, 100, 2, 300, 2},
        Case{"larger_votes", 4, 900, 20, 100, 300, 100, 2, 300, 2, clamp},
        Case{"always_learns", 10, 1000000000, 6, 8, 4, 12, 2, 300, 3},
        Case{"seldom_learns", 10, 1, 6, 8, 4, 12, 2, 600, 3}, Case{"never_forgets", 10, 8, 1000, 8, 4, 12, 2, 300, 3},
        Case{"include_limit", 20, 10, 6, 8, 4, 33, 3, 500, 3, [](Options& o) { o.include_limit = 220; }},
        Case{"few_states", 20, 10, 6, 8, 4, 33, 3, 500, 3,
             [](Options& o) {
               o.states = 8;
               o.include_limit = 7;
               o.clamp = true;
             }},
        Case{"binary", 2, 8, 10, 16, 8, 70, 2, 700, 3, [](Options& o) { o.shared = true; }},
        Case{"labels", 10, 8, 6, 8, 4, 12, 4, 300, 3, [](Options& o) { o.task = Task::kMultilabel; }},
        Case{"one_label", 10, 8, 6, 8, 4, 12, 1, 300, 2, [](Options& o) { o.task = Task::kMultilabel; }}),
    [](const auto& tested) { return std::string(tested.param.name); });

void expect_equal(const Trainer& trainer, const NaiveFuzzyMachine& naive, const std::string& where) {
  ASSERT_EQ(trainer.fuzzy()->size(), naive.banks());
  for (std::size_t i = 0; i < naive.banks(); ++i) {
    const FuzzyBank& bank = (*trainer.fuzzy())[i].bank();
    for (std::size_t j = 0; j < bank.clauses(); ++j) {
      for (std::size_t l = 0; l < 2 * bank.features(); ++l) {
        ASSERT_EQ(bank.state(j, l), naive.clause(i, j).state[l])
            << where << " bank " << i << " clause " << j << " literal " << l;
      }
    }
  }
}

TEST_P(FuzzyTest, EveryAutomatonAgreesAfterEveryEpoch) {
  const Case& c = GetParam();
  const TaskData tasks(c);
  const Task task = options_of(c).task;
  std::vector<NaiveFuzzyMachine> naive;  // after each epoch
  naive.emplace_back(options_of(c), c.features, c.outputs);
  for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) {
    naive.push_back(naive.back());
    tasks.learn(naive.back(), task);
  }
  EXPECT_GT(naive.back().type_1a + naive.back().type_1b, 0u);
  EXPECT_GT(naive.back().type_2, 0u);
  for (const std::string engine : {"auto", "scan", "lookahead"}) {
    for (const Kernels* kernels : supported_kernels()) {
      Options options = options_of(c);
      options.engine = engine_named(engine);
      options.kernels = kernels->name;
      options.threads = engine == "scan" ? 7 : 1;
      Trainer trainer(options, c.features, c.outputs);
      LearnCounters counters;
      for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) {
        counters += trainer.learn_epoch(tasks.data.rows, tasks.targets(task), {}).counters;
        ASSERT_NO_FATAL_FAILURE(
            expect_equal(trainer, naive[epoch + 1], engine + " " + kernels->name + " epoch " + std::to_string(epoch)));
      }
      EXPECT_EQ(counters.type_1a, naive.back().type_1a);
      EXPECT_EQ(counters.type_1b, naive.back().type_1b);
      EXPECT_EQ(counters.type_2, naive.back().type_2);
    }
  }
}

TEST_P(FuzzyTest, EveryEngineHasTheVotesOfTheNaiveMachine) {
  const Case& c = GetParam();
  const TaskData tasks(c);
  const Options options = options_of(c);
  NaiveFuzzyMachine naive(options, c.features, c.outputs);
  tasks.learn(naive, options.task);
  Trainer trainer(options, c.features, c.outputs);
  trainer.learn_epoch(tasks.data.rows, tasks.targets(options.task), {});
  const Model model = Model::from_bytes(trainer.model().to_bytes());
  std::vector<std::int32_t> expected;
  for (const auto& row : tasks.data.naive_rows) {
    const std::vector<int> votes = naive.votes(row);
    expected.insert(expected.end(), votes.begin(), votes.end());
  }
  for (const std::string engine : {"auto", "scan", "sliced", "tables"}) {
    for (const Kernels* kernels : supported_kernels()) {
      const Predictor predictor(model, engine_named(engine), kernels->name);
      for (const std::size_t count : {std::size_t{1}, std::size_t{3}, c.rows}) {
        const std::vector<std::int32_t> votes = predictor.votes(Rows(tasks.data.rows).part(0, count));
        EXPECT_EQ(votes, std::vector<std::int32_t>(expected.begin(),
                                                   expected.begin() + static_cast<std::ptrdiff_t>(count * c.outputs)))
            << engine << " " << kernels->name << " " << count;
        if (options.task == Task::kClassification) {
          EXPECT_EQ(predictor.predict(Rows(tasks.data.rows).part(0, count)), winners(votes, c.outputs));
        }
      }
    }
  }
}

TEST_P(FuzzyTest, CheckpointsInTheMiddleOfEpochsChangeNothing) {
  const Case& c = GetParam();
  const Options options = options_of(c);
  const TaskData tasks(c);
  NaiveFuzzyMachine naive(options, c.features, c.outputs);
  for (std::size_t epoch = 0; epoch < c.epochs; ++epoch) tasks.learn(naive, options.task);
  std::string checkpoint = Trainer(options, c.features, c.outputs).checkpoint();
  std::size_t stops = 0;
  while (true) {
    Trainer part = Trainer::from_checkpoint(checkpoint, options, "checkpoint");
    if (part.epoch() == c.epochs) {
      expect_equal(part, naive, "stopped");
      break;
    }
    part.tell_after_uses(stops % 2 == 0 ? 37 : 150);
    part.learn_epoch(tasks.data.rows, tasks.targets(options.task), [](double) { return false; });
    checkpoint = part.checkpoint();
    ASSERT_LT(++stops, 2000u);
  }
  EXPECT_GT(stops, c.epochs);
}

std::uint64_t digest(const Trainer& trainer) {
  ByteWriter writer;
  for (std::size_t i = 0; i < trainer.fuzzy()->size(); ++i) {
    (*trainer.fuzzy())[i].bank().write(writer);
    writer.u64((*trainer.fuzzy())[i].uses());
  }
  return XXH64(writer.bytes().data(), writer.bytes().size(), 0);
}

Options mid_sized() { return options_of({"", 40, 20, 12, 20, 10, 0, 0, 0, 0}); }

/// Over many blocks, sparse and packed, on any number of threads. The number is part of the promise of
/// determinism_test.cpp.
TEST(FuzzyDeterminism, Golden) {
  const RandomData data(1, 10000, 90, 5);
  const SparseBits sparse(data.rows);
  for (const unsigned threads : {1u, 2u, 7u}) {
    Options options = mid_sized();
    options.threads = threads;
    Trainer trainer(options, 90, 5);
    for (int epoch = 0; epoch < 2; ++epoch) {
      trainer.learn_epoch(threads == 2 ? Rows(sparse) : Rows(data.rows), data.labels, {});
    }
    EXPECT_EQ(digest(trainer), 14911597165769337213u) << threads;
    EXPECT_GT(Trainer::from_checkpoint(trainer.checkpoint(), options, "it").automata_bytes(), 0u);
  }
}

/// Blocks of all lengths, packed and sparse, against the scan.
TEST(FuzzyEngines, AnyNumberOfRowsHasTheSameVotes) {
  const RandomData data(2, 1100, 90, 5);
  for (const bool shared : {false, true}) {
    Options options = mid_sized();
    options.shared = shared;
    std::vector<std::uint32_t> labels = data.labels;
    if (shared) std::ranges::for_each(labels, [](std::uint32_t& label) { label %= 2; });
    Machine machine(options, 90, shared ? 2 : 5);
    machine.learn_epoch(data.rows, labels);
    const Model model = machine.model();
    const Predictor scan(model, Engine::kScan);
    const SparseBits sparse(data.rows);
    for (const Engine engine : {Engine::kSliced, Engine::kTables, Engine::kAuto}) {
      const Predictor predictor(model, engine);
      for (const std::size_t count : {1u, 63u, 511u, 512u, 513u, 1100u}) {
        const Rows rows = Rows(data.rows).part(0, count), listed = Rows(sparse).part(0, count);
        EXPECT_EQ(predictor.votes(rows), scan.votes(rows)) << count;
        EXPECT_EQ(predictor.votes(listed), scan.votes(rows)) << count;
        EXPECT_EQ(predictor.predict(rows), scan.predict(rows)) << count;
        EXPECT_EQ(predictor.predict(listed), scan.predict(rows)) << count;
      }
    }
  }
}

/// Clauses that byte counters cannot hold, and models whose outputs share clauses or have none.
TEST(FuzzyEngines, ModelsMadeByHand) {
  TestRandom random(5);
  for (int round = 0; round < 20; ++round) {
    ModelParts parts;
    parts.options = mid_sized();
    parts.options.fuzzy = std::vector<std::int64_t>{1, 2, 16, 17, 255, 256, 300}[random.below(7)];
    parts.options.clamp = random.chance(0.5);
    parts.features = 1 + random.below(500);
    parts.outputs = 1 + random.below(20);
    for (std::uint32_t c = 0; c < 12; ++c) {
      const double share = std::vector<double>{0, 0.004, 0.05, 0.9}[random.below(4)];
      for (std::uint32_t l = 0; l < 2 * parts.features; ++l) {
        if (random.chance(share)) parts.literals.push_back(l);
      }
      parts.clause_starts.push_back(parts.literals.size());
    }
    for (std::size_t o = 0; o < parts.outputs; ++o) {
      for (std::uint32_t c = 0; c < 12; ++c) {
        if (random.chance(0.4)) parts.weights.push_back({c, random.chance(0.5) ? 1 : -1});
      }
      parts.weight_starts.push_back(parts.weights.size());
    }
    const Model model = Model::from_bytes(Model(parts).to_bytes());
    const RandomData data(random(), 70, parts.features, 2);
    const std::vector<std::int32_t> expected = Predictor(model, Engine::kScan).votes(data.rows);
    for (const Kernels* kernels : supported_kernels()) {
      for (const Engine engine : {Engine::kSliced, Engine::kTables}) {
        const Predictor predictor(model, engine, kernels->name);
        EXPECT_EQ(predictor.votes(data.rows), expected) << kernels->name << " " << name_of(engine);
        EXPECT_EQ(predictor.predict(data.rows), winners(expected, parts.outputs));
      }
    }
    const BitMatrix outputs = clause_outputs(model, data.rows);
    for (std::size_t r = 0; r < data.labels.size(); ++r) {
      for (std::size_t c = 0; c < model.clauses(); ++c) {
        std::int64_t misses = 0;
        for (const std::uint32_t l : model.clause(c)) {
          misses += l < parts.features ? !data.naive_rows[r][l] : data.naive_rows[r][l - parts.features];
        }
        ASSERT_EQ(outputs.get(r, c), misses < model.clause_votes(c));
      }
    }
  }
}

template <class Refused>
std::string refusal(const Refused& refused) {
  try {
    refused();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(FuzzyOptions, SenselessOnesAreRefusedInOneSentence) {
  const auto with = [](auto change) {
    return refusal([&] {
      Options options = mid_sized();
      change(options);
      validate(options);
    });
  };
  EXPECT_EQ(with([](Options&) {}), "nothing");
  EXPECT_EQ(with([](Options& o) { o.weighted = true; }), "weighted must be false in a fuzzy machine");
  EXPECT_EQ(with([](Options& o) { o.drop_clauses = 0.5; }), "drop_clauses must be 0 in a fuzzy machine, got 0.5");
  EXPECT_EQ(with([](Options& o) { o.task = Task::kRegression; }), "fuzzy must be 0 in regression");
  EXPECT_EQ(with([](Options& o) { o.fuzzy = -1; }), "fuzzy must be from 0 to 65535, got -1");
  EXPECT_EQ(with([](Options& o) { o.clauses = 3; }),
            "clauses must be even, since half vote for a class and half against, got 3");
  EXPECT_EQ(with([](Options& o) {
              o.states = 8;
              o.include_limit = 8;
            }),
            "include_limit must be below states, which is 8, got 8");
  EXPECT_EQ(with([](Options& o) {
              o.fuzzy = 65535;
              o.clauses = 1048576;
            }),
            "fuzzy must be at most 2047 for 1048576 clauses, since votes are 32-bit numbers, got 65535");
  EXPECT_EQ(with([](Options& o) {
              o.fuzzy = 0;
              o.clamp = true;
            }),
            "clamp must be false unless clauses are fuzzy");
  Options shared = mid_sized();
  shared.shared = true;
  EXPECT_EQ(refusal([&] { Machine(shared, 10, 3); }),
            "shared must be off in a fuzzy machine unless there are 2 classes, got 3");
  Options index = mid_sized();
  index.engine = Engine::kIndex;
  EXPECT_EQ(refusal([&] { Machine(index, 10, 3); }),
            "engine must be auto, scan or lookahead for a fuzzy machine, got index");
  const Model model = Machine(mid_sized(), 10, 3).model();
  EXPECT_EQ(refusal([&] { Predictor(model, Engine::kBitmap); }),
            "engine must be auto, scan, sliced or tables for a fuzzy model, got bitmap");
  EXPECT_EQ(refusal([&] { Predictor(Machine(Options(), 10, 3).model(), Engine::kTables); }),
            "engine must not be tables unless clauses are fuzzy");
}

/// Files that were changed somewhere are refused, or read as some other machine of the same shape; nothing crashes.
TEST(FuzzyFiles, ChangedOnesAreRefusedOrHarmless) {
  const RandomData data(2, 300, 20, 3);
  Options options = mid_sized();
  options.states = 8;
  Trainer trainer(options, 20, 3);
  trainer.learn_epoch(data.rows, data.labels, {});
  ModelParts parts = trainer.model().parts();
  parts.weights[0].votes = 2;
  EXPECT_EQ(refusal([&] { Model model(parts); }), "a fuzzy clause has a weight");
  const std::string model = trainer.model().to_bytes(), checkpoint = trainer.checkpoint();
  EXPECT_NE(model.find("FUZZ"), std::string::npos);
  EXPECT_EQ(model.find("LITS"), std::string::npos);
  TestRandom random(9);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = round % 2 == 0 ? model : checkpoint;
    bytes[random.below(bytes.size())] = static_cast<char>(random());
    if (random.chance(0.2)) bytes.resize(random.below(bytes.size()));
    try {
      if (round % 2 == 0) {
        Predictor(Model::from_bytes(bytes)).votes(data.rows);
      } else {
        Trainer::from_checkpoint(bytes, options, "checkpoint");
      }
    } catch (const FileError&) {
    } catch (const DataError&) {
    }
  }
}

}  // namespace
}  // namespace falsum::fuzzy_test
