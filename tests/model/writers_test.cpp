// The bytes that the writers of models and checkpoints produce. FINDINGS 6.8: other goldens are read, or are digests of
// what is in memory. A file here is never written again: another format gets a file of its own beside it.
#include <gtest/gtest.h>
#include <zstd.h>

#include <atomic>
#include <filesystem>

#include "falsum/booleanizer.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/predictor.h"
#include "random_data.h"
#include "support/file.h"

namespace falsum::writers_test {
namespace {

/// A table with a number, a category and a column of 0 and 1, which two of them decide.
Source small_table() {
  TestRandom random(6);
  Columns table;
  table.rows = 400;
  table.columns.resize(3);
  table.columns[0].name = "width";
  table.columns[1].name = "colour";
  table.columns[1].categorical = true;
  table.columns[1].categories = {"red", "gr\xc3\xbcn", "blue"};
  table.columns[2].name = "old";
  Source source;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const double width = static_cast<double>(random.below(64)) / 4;
    const auto colour = static_cast<std::uint32_t>(random.below(3));
    table.columns[0].numbers.push_back(width);
    table.columns[1].category.push_back(colour);
    table.columns[2].numbers.push_back(random.chance(0.3) ? 1 : 0);
    const bool noise = random.chance(0.1);
    source.labels.push_back((width > 7) != noise ? "wide" : colour == 1 ? "narrow, gr\xc3\xbcn" : "narrow");
  }
  source.values = std::move(table);
  source.origin = "table.csv";
  return source;
}

Options small_options() {
  Options options;
  options.clauses = 10;
  options.threshold = 8;
  options.specificity = 3.5;
  options.states = 100;
  options.boost = false;
  options.seed = 3;
  return options;
}

struct Trained {
  Trained()
      : source(small_table()),
        names(distinct_labels(source.labels)),
        labels(encode_labels(source, names)),
        booleanizer(Booleanizer::fit(source, {.quantiles = 8})),
        rows(booleanizer.transform(source)),
        machine(small_options(), booleanizer.features(), names.size()) {
    for (int epoch = 0; epoch < 2; ++epoch) machine.learn_epoch(rows, labels);
  }
  Model model() const {
    ModelParts parts = machine.model().described({names, booleanizer, {}, source.origin, 0.75}).parts();
    parts.provenance.falsum_version = "0.2.0";  // of the file
    return Model(std::move(parts));
  }
  Source source;
  std::vector<std::string> names;
  std::vector<std::uint32_t> labels;
  Booleanizer booleanizer;
  BitMatrix rows;
  Machine machine;
};

std::string golden(const std::string& name) {
  return read_file(std::string(FALSUM_SOURCE_DIR) + "/tests/golden/" + name);
}

/// The bytes, where the compressor is the one that the golden was made with: another may pack the same otherwise.
void expect_golden(const std::string& bytes, const std::string& name) {
  constexpr unsigned kMadeWith = 10504;
  if (ZSTD_versionNumber() != kMadeWith) GTEST_SKIP() << "zstd " << ZSTD_versionString() << " packs in its own way";
  if (bytes == golden(name)) return;
  const std::string now = (std::filesystem::temp_directory_path() / name).string();
  write_file_atomically(now, bytes);
  ADD_FAILURE() << "the bytes are others than those of tests/golden/" << name << "; those of today are in " << now;
}

TEST(Determinism, TheModelWriterWritesTheGoldenBytes) { expect_golden(Trained().model().to_bytes(), "written.falsum"); }

TEST(Determinism, TheCheckpointWriterWritesTheGoldenBytes) {
  expect_golden(Trained().machine.checkpoint(), "written.falsum-checkpoint");
}

TEST(Writers, AModelPackedQuicklyIsTheSame) {
  const Model model = Trained().model();
  const Model quick = Model::from_bytes(model.to_bytes(Packing::kQuick));
  EXPECT_EQ(quick.to_bytes(), model.to_bytes());
}

TEST(WritersThreads, ACheckpointPieceByPieceIsTheSame) {
  Options options = small_options();
  for (const int threads : {1, 2, 3, 8}) {
    options.threads = threads;
    for (const std::size_t classes : {2, 3, 17}) {  // fewer and more than are packed ahead
      const Machine machine(options, 9, classes);
      std::string pieces;
      std::atomic<int> inside{0};
      machine.checkpoint([&](std::string_view piece) {
        EXPECT_EQ(inside++, 0) << "one at a time";
        pieces += piece;
        --inside;
      });
      EXPECT_EQ(pieces, machine.checkpoint());
    }
  }
}

TEST(WritersThreads, ASinkThatFailsEndsTheCheckpointWherever) {
  Options options = small_options();
  for (const int threads : {1, 2, 8}) {
    options.threads = threads;
    const Machine machine(options, 9, 12);
    int all = 0;
    machine.checkpoint([&](std::string_view) { ++all; });
    for (int last = 0; last < all; ++last) {
      int pieces = 0;
      EXPECT_THROW(machine.checkpoint([&](std::string_view) {
        if (pieces++ == last) throw FileError("the disk is full");
      }),
                   FileError);
      EXPECT_EQ(pieces, last + 1) << "nobody writes after that";
    }
  }
}

TEST(Determinism, TheGoldenFilesAreWhatWasLearned) {
  Trained trained;
  const Model model = Model::from_bytes(golden("written.falsum"));
  EXPECT_EQ(model.labels(), trained.names);
  EXPECT_EQ(model.booleanizer(), trained.booleanizer);
  EXPECT_EQ(Predictor(model).votes(trained.rows), Predictor(trained.model()).votes(trained.rows));
  Machine resumed = Machine::from_checkpoint(golden("written.falsum-checkpoint"), Options{});
  resumed.learn_epoch(trained.rows, trained.labels);
  trained.machine.learn_epoch(trained.rows, trained.labels);
  EXPECT_EQ(resumed.checkpoint(), trained.machine.checkpoint());
  EXPECT_EQ(resumed.model().to_bytes(), trained.machine.model().to_bytes());
}

}  // namespace
}  // namespace falsum::writers_test
