#include "falsum/model.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "plain_model.h"
#include "random_data.h"
#include "support/limits.h"

namespace falsum::model_test {
namespace {

Model trained_model() {
  const RandomData data(8, 600, 25, 3);
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.specificity = 3.9;
  options.seed = 5;
  options.boost = false;
  Machine machine(options, 25, 3);
  machine.learn_epoch(data.rows, data.labels);
  Source source;
  source.values = data.rows;
  source.labels = {"a"};
  return machine.model().described(
      {{"red", "green", "with \"quotes\", commas and \xc3\xa6"}, Booleanizer::fit(source), {}, "random", 0.75});
}

TEST(Model, LoadedAndSavedAgainIsTheSameBytes) {
  const Model model = trained_model();
  const std::string bytes = model.to_bytes();
  const Model loaded = Model::from_bytes(bytes);
  EXPECT_EQ(loaded.to_bytes(), bytes);
  EXPECT_EQ(loaded.labels(), model.labels());
  EXPECT_EQ(loaded.provenance(), model.provenance());
  EXPECT_EQ(model.provenance(), (Provenance{std::string(version()), "random", 600, 1, 0.75}));
  EXPECT_EQ(loaded.booleanizer(), model.booleanizer());
  EXPECT_EQ(loaded.options().specificity, 3.9);
  EXPECT_EQ(loaded.options().seed, 5u);
  EXPECT_FALSE(loaded.options().boost);
  EXPECT_EQ(loaded.included(), model.included());
  const RandomData data(9, 100, 25, 3);
  EXPECT_EQ(Predictor(loaded).votes(data.rows), Predictor(model).votes(data.rows));
}

TEST(Model, KnowsHowOftenEachFeatureWasTrueAndDoesWithoutIt) {
  const RandomData data(8, 600, 25, 3);
  const Model model = trained_model();
  ASSERT_EQ(model.truth_shares().size(), 25u);
  for (std::size_t k = 0; k < 25; ++k) {
    double on = 0;
    for (const auto& row : data.naive_rows) on += row[k];
    EXPECT_NEAR(model.truth_shares()[k] / 65535.0, on / 600, 1e-5);
  }
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).truth_shares(), model.truth_shares());
  const std::vector<std::int32_t> votes = Predictor(model).votes(data.rows);
  const Model loaded = Model::from_bytes(with_shares(model, {}).to_bytes());  // as in files of older versions
  EXPECT_TRUE(loaded.truth_shares().empty());
  EXPECT_EQ(Predictor(loaded).votes(data.rows), votes);
  EXPECT_THROW(with_shares(model, std::vector<std::uint16_t>(24)), ConfigError);
}

TEST(Model, TruthsAreCountedOnceHoweverAnEpochIsCutUp) {
  const RandomData data(8, 20000, 10, 2);
  Options options;
  options.clauses = 4;
  Machine whole(options, 10, 2), cut(options, 10, 2);
  whole.learn_epoch(data.rows, data.labels);
  ASSERT_FALSE(cut.learn_epoch(data.rows, data.labels, [](double) { return false; }).complete);
  cut = Machine::from_checkpoint(cut.checkpoint(), options);
  while (cut.epoch() == 0) cut.learn_epoch(data.rows, data.labels, [](double) { return false; });
  EXPECT_EQ(cut.model().to_bytes(), whole.model().to_bytes());
  EXPECT_FALSE(whole.model().truth_shares().empty());
}

TEST(Model, OneThatTakesMoreMemoryToPredictThanThereIsIsRefused) {
  const auto bytes_with = [](std::size_t features) {
    Options options;
    options.clauses = 2;
    return Model(plain_parts(options, features, 1, {0, 1, 2}, {0, 1}, {1, -1})).to_bytes();
  };
  const auto refusal = [&](std::size_t features) -> std::string {
    try {
      Model::from_bytes(bytes_with(features), "tiny.fsm");
    } catch (const FileError& error) {
      return error.what();
    }
    return "(it was read)";
  };
  // FINDINGS 6.1: data, machines and models have one limit.
  EXPECT_THROW(bytes_with(kMaxFeatures + 1), ConfigError);
  EXPECT_THROW(Machine(Options{}, kMaxFeatures + 1, 2), ConfigError);
  EXPECT_EQ(Model::from_bytes(bytes_with(100000)).features(), 100000u);
  if (physical_memory() == 0 || physical_memory() / 2 >= 192 * kMaxFeatures)
    GTEST_SKIP() << "there is memory for every model";
  EXPECT_NE(refusal(kMaxFeatures).find("tiny.fsm has 67108864 features"), std::string::npos) << refusal(kMaxFeatures);
}

TEST(Model, SavesAndLoadsThroughAFile) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("falsum_model_test_" + std::to_string(getpid()));
  const Model model = trained_model();
  model.save(path.string());
  EXPECT_EQ(Model::load(path.string()).to_bytes(), model.to_bytes());
  std::filesystem::remove(path);
  EXPECT_THROW(Model::load(path.string()), FileError);
}

TEST(Model, EveryTruncationIsAClearError) {
  const std::string bytes = trained_model().to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(Model::from_bytes(bytes.substr(0, size)), FileError) << size << " of " << bytes.size() << " bytes";
  }
  EXPECT_THROW(Model::from_bytes(bytes + "x"), FileError);
}

TEST(Model, EveryFlippedBitIsAClearError) {
  const std::string bytes = trained_model().to_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_THROW(Model::from_bytes(damaged), FileError) << "byte " << i;
  }
}

TEST(Model, ACheckpointIsNotAModel) {
  Options options;
  options.clauses = 4;
  const Machine machine(options, 3, 2);
  try {
    Model::from_bytes(machine.checkpoint(), "run.ckpt");
    FAIL() << "read a checkpoint as a model";
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "run.ckpt is a falsum checkpoint, not a model");
  }
  EXPECT_THROW(Model::from_bytes("PK\x03\x04 something else entirely"), FileError);
  EXPECT_THROW(Model::from_bytes(""), FileError);
}

TEST(Checkpoint, EveryTruncationAndFlippedBitIsAClearError) {
  const RandomData data(8, 50, 6, 2);
  Options options;
  options.clauses = 4;
  options.threads = 1;
  Machine machine(options, 6, 2);
  machine.learn_epoch(data.rows, data.labels);
  const std::string bytes = machine.checkpoint();
  EXPECT_EQ(Machine::from_checkpoint(bytes, options).checkpoint(), bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THROW(Machine::from_checkpoint(bytes.substr(0, i), options), FileError);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_THROW(Machine::from_checkpoint(damaged, options), FileError) << "byte " << i;
  }
}

TEST(Model, LiteralNamesComeFromTheBooleanizerWithNegationsAfter) {
  const Model model = trained_model();
  const std::vector<std::string> names = model.literal_names();
  ASSERT_EQ(names.size(), 50u);
  EXPECT_EQ(names[3], "x3");
  EXPECT_EQ(names[28], "not x3");
}

}  // namespace
}  // namespace falsum::model_test
