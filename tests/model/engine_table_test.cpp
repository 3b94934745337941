// What the table says of an engine is so. FINDINGS 6.1.
#include <gtest/gtest.h>

#include "data/data_files.h"
#include "falsum/engines.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"

namespace falsum::engine_table_test {
namespace {

using testing_data::expect_error;

Options with_engine(std::string_view engine) {
  Options options;
  options.clauses = 4;
  options.engine = engine_named(engine);
  return options;
}

TEST(EngineTable, ThoseThatLearnLearnAndTheOthersSayWhichDo) {
  for (const EngineInfo& engine : engine_table()) {
    if (engine.learns) {
      const Engine used = Machine(with_engine(engine.name), 5, 2).engine();
      EXPECT_EQ(used, engine.engine == Engine::kAuto ? Engine::kLookahead : engine.engine) << engine.name;
    } else {
      expect_error<ConfigError>([&] { Machine(with_engine(engine.name), 5, 2); },
                                {"auto, scan, index, lookahead when learning", "got " + std::string(engine.name)});
    }
  }
}

TEST(EngineTable, ThoseThatPredictPredictAndTheOthersSayWhichDo) {
  const Model model = Machine(with_engine("auto"), 5, 2).model();
  for (const EngineInfo& engine : engine_table()) {
    const std::string name(engine.name);
    if (engine.engine == Engine::kTables) {
      expect_error<ConfigError>([&] { Predictor(model, Engine::kTables); }, {"tables unless clauses are fuzzy"});
    } else if (engine.predicts) {
      const Predictor predictor(model, engine_named(name));
      EXPECT_TRUE(name == "auto" || predictor.engine(1) == name) << name;
      EXPECT_EQ(engine_for(engine.engine, EngineTask::kPredict), engine.engine) << name;
    } else {
      expect_error<ConfigError>([&] { Predictor(model, engine_named(name)); },
                                {"auto, scan, index, bitmap, sliced, tables when predicting", "got " + name});
      EXPECT_EQ(engine_for(engine.engine, EngineTask::kPredict), Engine::kAuto) << name;
    }
  }
}

TEST(EngineTable, NamesAndEnginesBelongToEachOther) {
  for (const EngineInfo& engine : engine_table()) {
    EXPECT_EQ(engine_named(engine.name), engine.engine) << engine.name;
    EXPECT_EQ(name_of(engine.engine), engine.name);
  }
  expect_error<ConfigError>([] { engine_named("gpu"); },
                            {"engine must be one of auto, scan, index, lookahead, bitmap, sliced, tables, got gpu"});
}

TEST(EngineTable, TheOptionOffersAllOfThemAndSaysWhatTheyDo) {
  const OptionInfo& option = *find_option("engine");
  std::string choices;
  for (const EngineInfo& engine : engine_table()) {
    choices += (choices.empty() ? "" : "|") + std::string(engine.name);
    EXPECT_TRUE(engine.name == "auto" || option.help.find(engine.name) != std::string::npos) << engine.name;
    EXPECT_FALSE(engine.help.empty()) << engine.name;
  }
  EXPECT_EQ(option.choices, choices);
}

}  // namespace
}  // namespace falsum::engine_table_test
