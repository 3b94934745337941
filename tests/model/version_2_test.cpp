// What version 1 of the format cannot tell: other weights than halves for and against, and options after falsum 0.1.
#include <gtest/gtest.h>

#include "data/data_files.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "model/container.h"
#include "random_data.h"
#include "support/bytes.h"

namespace falsum::version_2_test {
namespace {

using testing_data::expect_error;

std::uint32_t version_of(std::string_view file) { return read_as<std::uint32_t>(file.substr(8)); }

/// Three outputs share four clauses; one has no clause of its own, one no vote.
ModelParts shared_parts() {
  ModelParts parts;
  parts.options.clauses = 4;
  parts.features = 3;
  parts.outputs = 3;
  parts.clause_starts = {0, 1, 3, 3, 4};
  parts.literals = {0, 1, 5, 2};
  parts.weights = {{0, 7}, {1, -3}, {3, 1}, {0, -1}, {2, 5}, {3, -200}};
  parts.weight_starts = {0, 3, 6, 6};
  return parts;
}

TEST(Version2, ClausesMayBeSharedByOutputs) {
  const Model model(shared_parts());
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(version_of(bytes), 2u);
  const Model read = Model::from_bytes(bytes);
  EXPECT_EQ(read.to_bytes(), bytes);
  EXPECT_EQ(read.parts().weights, model.parts().weights);
  EXPECT_EQ(read.parts().literals, model.parts().literals);
  BitMatrix rows(2, 3);
  rows.set(0, 0);
  rows.set(0, 1);  // clauses 0 and 1 are true of the first row: x0, and x1 and not x2
  rows.set(1, 2);
  for (const EngineInfo& engine : engine_table()) {
    if (!engine.predicts || engine.engine == Engine::kTables) continue;  // tables are for fuzzy clauses
    EXPECT_EQ(Predictor(read, engine.engine).votes(rows), (std::vector<std::int32_t>{4, -1, 0, 1, -200, 0}))
        << engine.name;
  }
}

TEST(Version2, EveryTruncationAndFlippedBitIsAClearError) {
  const std::string bytes = Model(shared_parts()).to_bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_THROW(Model::from_bytes(bytes.substr(0, i)), FileError);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    EXPECT_THROW(Model::from_bytes(damaged), FileError) << "byte " << i;
  }
}

TEST(Version2, PartsThatDoNotFitTogetherAreRefused) {
  const auto refuses = [](const auto& spoil, const char* says) {
    ModelParts parts = shared_parts();
    spoil(parts);
    expect_error<ConfigError>([&] { Model(std::move(parts)); }, {says});
  };
  refuses([](ModelParts& p) { p.literals[3] = 6; }, "a literal that does not exist");
  refuses([](ModelParts& p) { p.literals[2] = 1; }, "do not ascend");
  refuses([](ModelParts& p) { p.clause_starts.back() = 3; }, "clauses are not where they should be");
  refuses([](ModelParts& p) { p.clause_starts[1] = 4; }, "clauses are not where they should be");
  refuses([](ModelParts& p) { p.weights[2].clause = 4; }, "belongs to no clause");
  refuses([](ModelParts& p) { p.weights[1].clause = 0; }, "belongs to no clause");
  refuses([](ModelParts& p) { p.weights[1].votes = 0; }, "weight is impossible");
  refuses([](ModelParts& p) { p.weights[0].votes = p.weights[2].votes = 0x7fffffff; }, "weight is impossible");
  refuses([](ModelParts& p) { p.weight_starts.pop_back(); }, "weights are not where they should be");
  refuses([](ModelParts& p) { p.features = 0; }, "features must be from 1");
  refuses([](ModelParts& p) { p.outputs = 0; }, "classes must be from 1");
  refuses([](ModelParts& p) { p.labels = {"a"}; }, "another number of labels");
  refuses([](ModelParts& p) { p.truth_shares = {1}; }, "another number of features");
}

Options weighted_options() {
  Options options;
  options.clauses = 10;
  options.threshold = 40;
  options.specificity = 3;
  options.max_weight = 100;
  options.threads = 1;
  return options;
}

TEST(Version2, MachinesOfWeightedClausesGoOnFromTheirCheckpoints) {
  const RandomData data(8, 900, 25, 3);
  for (const bool sharded : {false, true}) {
    Options options = weighted_options();
    options.sharded = sharded;
    Machine whole(options, 25, 3), stopped(options, 25, 3);
    whole.learn(data.rows, data.labels, 2);
    stopped.learn_epoch(data.rows, data.labels);
    const std::string middle = stopped.checkpoint();
    EXPECT_EQ(version_of(middle), 2u);
    stopped = Machine::from_checkpoint(middle, {});
    EXPECT_EQ(stopped.options().max_weight, 100);
    EXPECT_EQ(stopped.checkpoint(), middle);
    stopped.learn_epoch(data.rows, data.labels);
    EXPECT_EQ(stopped.checkpoint(), whole.checkpoint());
    const Model model = stopped.model();
    EXPECT_EQ(version_of(model.to_bytes()), 2u);
    EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
    EXPECT_EQ(Model::from_bytes(model.to_bytes()).options().max_weight, 100);
    EXPECT_EQ(Model::from_bytes(model.to_bytes()).provenance(), model.provenance());
    std::int32_t most = 0;
    for (const Weight& weight : model.parts().weights) most = std::max(most, std::abs(weight.votes));
    EXPECT_GT(most, 1);
  }
}

/// The file with one more named option.
std::string with_option(const std::string& bytes, FileKind kind, std::string_view name) {
  ContainerWriter again(kind, 2);
  std::size_t at = 16;
  while (bytes.substr(at, 4) != "END ") {
    const std::string tag = bytes.substr(at, 4);
    const auto length = read_as<std::uint64_t>(std::string_view(bytes).substr(at + 4));
    ByteWriter payload;
    payload.raw(bytes.data() + at + 12, length);
    if (tag == "OPTS") payload.named(name, [](ByteWriter& value) { value.u64(7); });
    again.section(tag, payload.bytes());
    at += 20 + length;
  }
  return again.finish();
}

TEST(Version2, OptionsOfTheFutureAreSkippedInModelsAndRefusedInCheckpoints) {
  const RandomData data(8, 300, 25, 3);
  Machine machine(weighted_options(), 25, 3);
  machine.learn_epoch(data.rows, data.labels);
  const Model model = Model::from_bytes(with_option(machine.model().to_bytes(), FileKind::kModel, "of_the_future"));
  EXPECT_EQ(Predictor(model).votes(data.rows), Predictor(machine.model()).votes(data.rows));
  expect_error<FileError>(
      [&] { Machine::from_checkpoint(with_option(machine.checkpoint(), FileKind::kCheckpoint, "of_the_future"), {}); },
      {"of_the_future", "it needs a later version"});
}

TEST(Version2, WeightsThatVotesCannotHoldAreRefused) {
  Options options;
  options.clauses = 20000;
  options.max_weight = 1048576;
  expect_error<ConfigError>([&] { validate(options); },
                            {"max_weight must be at most 214748 for 20000 clauses", "got 1048576"});
}

}  // namespace
}  // namespace falsum::version_2_test
