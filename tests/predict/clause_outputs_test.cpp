// Which clauses are true of which rows, against a plain reading.
#include "falsum/clause_outputs.h"

#include <gtest/gtest.h>

#include "falsum/error.h"
#include "falsum/predictor.h"
#include "plain_model.h"
#include "random_data.h"

namespace falsum::clause_outputs_test {
namespace {

/// Two outputs of `clauses` clauses each, some of them empty; features beyond the first are rarely mentioned.
Model random_model(TestRandom& random, std::size_t features, std::size_t clauses) {
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> literals;
  std::vector<std::int32_t> weights;
  for (std::size_t c = 0; c < 2 * clauses; ++c) {
    const double density = random.chance(0.2) ? 0 : 2.0 / static_cast<double>(features);
    for (std::uint32_t l = 0; l < 2 * features; ++l) {
      if (random.chance(density)) literals.push_back(l);
    }
    starts.push_back(literals.size());
    weights.push_back(c % clauses < clauses / 2 ? 1 : -1);
  }
  Options options;
  options.clauses = static_cast<std::int64_t>(clauses);
  return Model(plain_parts(options, features, 2, std::move(starts), std::move(literals), weights));
}

bool plain_truth(const Model& model, std::size_t clause, const std::vector<bool>& row) {
  bool truth = !model.clause(clause).empty();
  for (const std::uint32_t l : model.clause(clause)) {
    truth = truth && (l < row.size() ? row[l] : !row[l - row.size()]);
  }
  return truth;
}

TEST(ClauseOutputs, AgreeWithAPlainReadingPackedAndSparse) {
  for (const std::size_t rows : {0, 1, 63, 64, 65, 200}) {
    for (const std::size_t features : {1, 20, 70}) {
      SCOPED_TRACE(rows * 1000 + features);
      TestRandom random(rows * 100 + features);
      const Model model = random_model(random, features, 40);
      const RandomData data(rows + features, rows, features, 3);
      const SparseBits sparse(data.rows);
      const BitMatrix outputs = clause_outputs(model, data.rows);
      ASSERT_EQ(outputs.rows(), rows);
      ASSERT_EQ(outputs.columns(), model.clauses());
      EXPECT_EQ(clause_outputs(model, sparse), outputs);
      std::vector<std::int64_t> counts(model.clauses() * 3);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < model.clauses(); ++c) {
          ASSERT_EQ(outputs.get(r, c), plain_truth(model, c, data.naive_rows[r])) << "row " << r << " clause " << c;
          counts[c * 3 + data.labels[r]] += outputs.get(r, c);
        }
      }
      EXPECT_EQ(clause_counts(model, data.rows, data.labels, 3), counts);
      EXPECT_EQ(clause_counts(model, sparse, data.labels, 3), counts);
    }
  }
}

TEST(ClauseOutputs, CountsOnThreadsAreTheSame) {
  TestRandom random(3);
  const Model model = random_model(random, 30, 200);
  const RandomData data(4, 500, 30, 2);
  const auto counts = clause_counts(model, data.rows, data.labels, 2);
  for (const unsigned threads : {0u, 2u, 7u})
    EXPECT_EQ(clause_counts(model, data.rows, data.labels, 2, threads), counts);
}

TEST(ClauseOutputs, SumToTheVotes) {
  TestRandom random(6);
  const Model model = random_model(random, 30, 50);
  const RandomData data(7, 100, 30, 2);
  const BitMatrix outputs = clause_outputs(model, data.rows);
  const auto votes = Predictor(model).votes(data.rows);
  for (std::size_t r = 0; r < 100; ++r) {
    for (std::size_t o = 0; o < 2; ++o) {
      std::int32_t sum = 0;
      for (const Weight& weight : model.weights(o)) sum += outputs.get(r, weight.clause) ? weight.votes : 0;
      EXPECT_EQ(sum, votes[r * 2 + o]);
    }
  }
}

TEST(ClauseOutputs, WrongRowsAndLabelsAreRefused) {
  TestRandom random(8);
  const Model model = random_model(random, 5, 4);
  const BitMatrix rows(2, 5);
  EXPECT_THROW(clause_outputs(model, BitMatrix(2, 6)), DataError);
  EXPECT_THROW(clause_outputs(model, SparseBits(4)), DataError);
  const std::vector<std::uint64_t> starts = {0, 2};
  const std::vector<std::uint32_t> descending = {3, 1};
  EXPECT_THROW(clause_outputs(model, SparseBitsView{5, starts, descending}), DataError);
  EXPECT_THROW(clause_counts(model, rows, std::vector<std::uint32_t>{0}, 2), DataError);
  EXPECT_THROW(clause_counts(model, rows, std::vector<std::uint32_t>{0, 2}, 2), DataError);
}

}  // namespace
}  // namespace falsum::clause_outputs_test
