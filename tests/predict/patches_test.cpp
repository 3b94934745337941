// Models of patches: every engine and kernel set against a plain reading of the clauses, files, words.
#include "falsum/patches.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "falsum/clause_outputs.h"
#include "falsum/error.h"
#include "falsum/predictor.h"
#include "falsum/rules.h"
#include "kernels/dispatch.h"
#include "random_data.h"

namespace falsum::patches_test {
namespace {

struct Shape {
  const char *image, *patch, *stride;
};
constexpr Shape kShapes[] = {
    {"5x9", "2x3", "1x1"},    {"9x5", "3x3", "1x1"},     {"28x28", "10x10", "1x1"}, {"7x11", "2x3", "2x3"},
    {"4x10x3", "2x4", "1x2"}, {"1x150", "1x70", "1x1"},  {"1x200", "1x3", "1x2"},   {"30x2", "3x1", "1x1"},
    {"12x3", "1x1", "1x1"},   {"3x140x2", "2x5", "1x1"}, {"6x6", "6x6", "1x1"},     {"40x6", "2x2", "3x1"},
};

Options options_of(const Shape& shape) {
  Options options;
  options.clauses = 40;
  options.image = shape.image;
  options.patch = shape.patch;
  options.stride = shape.stride;
  options.max_weight = 100;
  return options;
}

/// Some of the 3x3 pixels at a place of the patch, all on or all off: engines join them.
void add_neighbours(TestRandom& random, const PatchShape& shape, std::vector<std::uint32_t>& literals) {
  const std::size_t top = random.below(shape.rows), left = random.below(shape.columns),
                    z = random.below(shape.channels);
  const std::size_t negated = random.chance(0.7) ? shape.features() : 0;
  for (std::size_t r = top; r < std::min(top + 3, shape.rows); ++r) {
    for (std::size_t c = left; c < std::min(left + 3, shape.columns); ++c) {
      const std::size_t pixel = shape.position_features() + (r * shape.columns + c) * shape.channels + z;
      if (random.chance(0.6)) literals.push_back(static_cast<std::uint32_t>(pixel + negated));
    }
  }
}

/// Clauses of a few literals: some have only position literals, some contradict themselves, some are empty. Outputs
/// share them.
Model random_model(TestRandom& random, const Shape& shape) {
  ModelParts parts;
  parts.options = options_of(shape);
  parts.options.shared = true;
  const PatchShape patches = *patch_shape(parts.options);
  parts.features = patches.image_features();
  parts.outputs = 3;
  const std::size_t features = patches.features(), positions = patches.position_features();
  for (std::size_t c = 0; c < 40; ++c) {
    std::vector<std::uint32_t> literals;
    if (random.chance(0.4)) add_neighbours(random, patches, literals);
    for (std::size_t n = random.below(6); n > 0; --n) {
      const std::size_t among = positions > 0 && random.chance(0.4) ? positions : features;
      literals.push_back(static_cast<std::uint32_t>(random.below(among) + (random.chance(0.7) ? features : 0)));
    }
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    parts.literals.insert(parts.literals.end(), literals.begin(), literals.end());
    parts.clause_starts.push_back(parts.literals.size());
  }
  for (std::size_t o = 0; o < parts.outputs; ++o) {
    for (std::uint32_t c = 0; c < 40; ++c) {
      const auto votes = static_cast<std::int32_t>(random.below(7)) - 3;
      if (votes != 0) parts.weights.push_back({c, votes});
    }
    parts.weight_starts.push_back(parts.weights.size());
  }
  return Model(std::move(parts));
}

/// Whether the clause is true of the patch at this position of the image.
bool holds(const PatchShape& shape, std::span<const std::uint32_t> clause, const std::vector<bool>& image,
           std::size_t row, std::size_t column) {
  std::vector<bool> features;
  for (std::size_t t = 0; t + 1 < shape.down(); ++t) features.push_back(row > t);
  for (std::size_t t = 0; t + 1 < shape.across(); ++t) features.push_back(column > t);
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t c = 0; c < shape.columns; ++c) {
      const std::size_t pixel = (row * shape.row_stride + r) * shape.image_columns + column * shape.column_stride + c;
      for (std::size_t z = 0; z < shape.channels; ++z) features.push_back(image[pixel * shape.channels + z]);
    }
  }
  return std::ranges::all_of(
      clause, [&](std::uint32_t l) { return l < features.size() ? features[l] : !features[l - features.size()]; });
}

bool plain_truth(const PatchShape& shape, std::span<const std::uint32_t> clause, const std::vector<bool>& image) {
  if (clause.empty()) return false;
  for (std::size_t p = 0; p < shape.patches(); ++p) {
    if (holds(shape, clause, image, p / shape.across(), p % shape.across())) return true;
  }
  return false;
}

SparseBits sparse(const BitMatrix& rows) {
  SparseBits all;
  all.columns = rows.columns();
  all.starts = {0};
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint32_t k = 0; k < rows.columns(); ++k) {
      if (rows.get(r, k)) all.features.push_back(k);
    }
    all.starts.push_back(all.features.size());
  }
  return all;
}

TEST(Patches, EveryEngineAndKernelSetCountsTheVotesOfAPlainReading) {
  TestRandom random(7);
  for (const Shape& tested : kShapes) {
    const Model model = random_model(random, tested);
    const PatchShape shape = *patch_shape(model.options());
    const std::size_t count = shape.image_features() > 500 ? 67 : 300;  // blocks of 256 and of 64, the last not full
    const RandomData data(5, count, model.features(), 2);
    std::vector<std::int32_t> expected(count * model.outputs());
    const BitMatrix outputs = clause_outputs(model, data.rows);
    for (std::size_t r = 0; r < count; ++r) {
      std::vector<bool> truths;
      for (std::size_t c = 0; c < model.clauses(); ++c) {
        truths.push_back(plain_truth(shape, model.clause(c), data.naive_rows[r]));
        ASSERT_EQ(outputs.get(r, c), truths[c]) << tested.image << " row " << r << " clause " << c;
      }
      for (std::size_t o = 0; o < model.outputs(); ++o) {
        for (const Weight& w : model.weights(o)) expected[r * model.outputs() + o] += truths[w.clause] ? w.votes : 0;
      }
    }
    const SparseBits lists = sparse(data.rows);
    for (const Engine engine : {Engine::kAuto, Engine::kScan, Engine::kIndex, Engine::kBitmap, Engine::kSliced}) {
      for (const Kernels* kernels : supported_kernels()) {
        const Predictor predictor(model, engine, kernels->name);
        const std::string where = std::string(tested.image) + " " + std::string(name_of(engine)) + " " + kernels->name;
        EXPECT_EQ(predictor.votes(data.rows, 1), expected) << where;
        EXPECT_EQ(predictor.votes(lists, 1), expected) << where;
        std::vector<std::int32_t> one(model.outputs());
        predictor.votes(data.rows.row(3), one);
        EXPECT_TRUE(std::equal(one.begin(), one.end(), expected.begin() + 3 * 3)) << where;
      }
    }
  }
}

TEST(Patches, AFileKeepsThem) {
  TestRandom random(8);
  const Model model = random_model(random, {"5x9", "2x3", "1x2"});
  const std::string bytes = model.to_bytes();
  const Model read = Model::from_bytes(bytes);
  EXPECT_EQ(read.options().patch, "2x3");
  EXPECT_EQ(read.literals(), model.literals());
  EXPECT_EQ(read.to_bytes(), bytes);
}

TEST(Patches, AModelWhosePatchesDoNotFitIsRefused) {
  TestRandom random(8);
  ModelParts parts = random_model(random, {"5x9", "2x3", "1x1"}).parts();
  const auto refusal = [&](const char* image, const char* patch, const char* stride = "1x1") -> std::string {
    ModelParts other = parts;
    other.options.image = image;
    other.options.patch = patch;
    other.options.stride = stride;
    try {
      const Model model(other);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("5x9", "2x3"), "accepted");
  EXPECT_EQ(refusal("5x8", "2x3"),
            "image must have as many bits as the data have features, which is 45, got 5x8 with 40");
  EXPECT_EQ(refusal("", "2x3"), "patch 2x3 needs the size of the image, as image 28x28");
  EXPECT_EQ(refusal("5x9", ""), "image needs a patch, got image 5x9 alone");
  EXPECT_EQ(refusal("", "", "2x2"), "stride must be 1x1 without a patch, got 2x2");
  EXPECT_EQ(refusal("5x9", "1x1"), "a clause includes a literal that does not exist");
}

TEST(Patches, ClausesInWords) {
  ModelParts parts;
  parts.options = options_of({"5x9", "2x3", "1x1"});
  parts.features = 45;
  parts.outputs = 2;
  // Features: rows 0..2, columns 3..8, pixels 9..14; then their negations.
  parts.literals = {0, 9, 15 + 2, 15 + 7, 15 + 8, 15 + 14};
  parts.clause_starts = {0, 6};
  parts.weights = {{0, 2}};
  parts.weight_starts = {0, 1, 1};
  const Model model(parts);
  ASSERT_EQ(model.literals(), 2u * (3 + 6 + 6));
  const std::vector<std::string> names = model.literal_names();
  EXPECT_EQ(names[0], "patch row >= 1");
  EXPECT_EQ(names[3], "patch column >= 1");
  EXPECT_EQ(names[9], "pixel 0,0");
  EXPECT_EQ(names[15 + 14], "not pixel 1,2");
  const Conditions conditions(model);
  EXPECT_EQ(*conditions.of(model.clause(0)),
            (std::vector<std::string>{"1 <= patch row < 3", "pixel 0,0", "patch column < 5", "not pixel 1,2"}));
  const std::vector<std::uint32_t> never = {2, 15};  // row >= 3 and row < 1
  EXPECT_TRUE(conditions.never_true(never));
}

}  // namespace
}  // namespace falsum::patches_test
