// From votes to probabilities: the law of learning, the two calibrations, and their place in a model file.
#include "falsum/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>

#include "data/data_files.h"
#include "falsum/error.h"
#include "falsum/machine.h"
#include "falsum/model.h"
#include "falsum/predictor.h"
#include "model/container.h"
#include "plain_model.h"
#include "random_data.h"
#include "support/bytes.h"

namespace falsum::calibration_test {
namespace {

using testing_data::expect_error;

constexpr CalibrationMethod kBoth[] = {CalibrationMethod::kTemperature, CalibrationMethod::kIsotonic};

Calibration temperature(double value) { return {CalibrationMethod::kTemperature, value, {}, 10}; }

Calibration curves(std::vector<std::vector<CurvePoint>> all) { return {CalibrationMethod::kIsotonic, 1, all, 10}; }

/// Rows whose label is drawn from softmax(votes / (T * temperature)).
struct Sample {
  std::vector<std::int32_t> votes;
  std::vector<std::uint32_t> labels;

  Sample(std::uint64_t seed, std::size_t rows, std::size_t outputs, std::int32_t threshold, double temperature) {
    TestRandom random(seed);
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<double> p;
      for (std::size_t o = 0; o < outputs; ++o) {
        votes.push_back(static_cast<std::int32_t>(random.below(3 * static_cast<std::uint64_t>(threshold))) - threshold);
        p.push_back(std::exp(votes.back() / (threshold * temperature)));
      }
      double left = std::accumulate(p.begin(), p.end(), 0.0) * static_cast<double>(random() >> 11) * 0x1.0p-53;
      std::uint32_t label = 0;
      while (label + 1 < outputs && left >= p[label]) left -= p[label++];
      labels.push_back(label);
    }
  }
};

TEST(Law, IsTheBalanceOfPushes) {
  // K = 2, T = 10: (T + v) / 2T, v half the difference.
  const std::vector<double> two = probabilities(std::vector<std::int32_t>{8, -4}, 2, 10);
  EXPECT_DOUBLE_EQ(two[0], 0.8);
  EXPECT_DOUBLE_EQ(two[1], 0.2);
  // K = 3: (T + v) / ((T + v) + 2 (T - v)) is 2/3, 1/3 and 1/7; their sum is 8/7.
  const std::vector<double> three = probabilities(std::vector<std::int32_t>{6, 0, -5}, 3, 10);
  EXPECT_DOUBLE_EQ(three[0], 7.0 / 12);
  EXPECT_DOUBLE_EQ(three[1], 7.0 / 24);
  EXPECT_DOUBLE_EQ(three[2], 1.0 / 8);
  // K = 4: 1/4 each at v = 0; a class at T has all of it, classes at -T or below nothing.
  EXPECT_EQ(probabilities(std::vector<std::int32_t>{0, 0, 0, 0}, 4, 10), std::vector<double>(4, 0.25));
  EXPECT_EQ(probabilities(std::vector<std::int32_t>{10, -10, -99, -12}, 4, 10), (std::vector<double>{1, 0, 0, 0}));
  // Nothing speaks for any class: all are equal, up to the last bit, which says what was predicted.
  const std::vector<double> none = probabilities(std::vector<std::int32_t>{-30, -20, -40}, 3, 10);
  EXPECT_DOUBLE_EQ(none[0], 1.0 / 3);
  EXPECT_LT(none[0], none[1]);
  EXPECT_EQ(probabilities(std::vector<std::int32_t>{-10}, 1, 10), (std::vector<double>{1}));
}

TEST(LawSlow, LabelsThatAreDrawnGiveTheirProbability) {
  // One pattern with the label 1 in 8 of 10 rows, another with 2 of 10.
  Options options;
  options.clauses = 200;
  options.threshold = 80;
  options.specificity = 3;
  options.threads = 1;
  const std::size_t count = 4000;
  BitMatrix rows(count, 4);
  std::vector<std::uint32_t> labels(count);
  TestRandom random(3);
  for (std::size_t r = 0; r < count; ++r) {
    const bool pattern = r % 2 == 0;
    rows.set(r, pattern ? 0 : 1);
    if (random.chance(0.5)) rows.set(r, 2);
    if (random.chance(0.5)) rows.set(r, 3);
    labels[r] = random.chance(pattern ? 0.8 : 0.2);
  }
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    options.seed = seed;
    Machine machine(options, 4, 2);
    machine.learn(rows, labels, 20);
    const std::vector<double> p = Predictor(machine.model()).probabilities(rows);
    double mean[2] = {0, 0};  // of rows with either pattern, whatever the two other features
    for (std::size_t r = 0; r < count; ++r) mean[r % 2] += p[2 * r + 1] / (count / 2);
    EXPECT_NEAR(mean[0], 0.8, 0.05) << seed;
    EXPECT_NEAR(mean[1], 0.2, 0.05) << seed;
    std::cout << "labels drawn with 0.8: " << mean[0] << ", with 0.2: " << mean[1] << "\n";
  }
}

TEST(Calibration, TheLargestProbabilityIsOfTheClassThatIsPredicted) {
  TestRandom random(5);
  for (int round = 0; round < 300; ++round) {
    const std::size_t outputs = 2 + random.below(5);
    const Sample fitted(random(), 30, outputs, 8, 0.5), asked(random(), 30, outputs, 8, 5);
    for (const CalibrationMethod method : {CalibrationMethod::kNone, kBoth[0], kBoth[1]}) {
      const Calibration calibration = fit_calibration(method, fitted.votes, fitted.labels, outputs, 8);
      const std::vector<double> p = probabilities(asked.votes, outputs, 8, calibration);
      const std::vector<std::uint32_t> predicted = winners(asked.votes, outputs);
      for (std::size_t r = 0; r < predicted.size(); ++r) {
        const auto row = p.begin() + static_cast<std::ptrdiff_t>(r * outputs);
        EXPECT_EQ(std::max_element(row, row + static_cast<std::ptrdiff_t>(outputs)) - row, predicted[r]);
        EXPECT_NEAR(std::accumulate(row, row + static_cast<std::ptrdiff_t>(outputs), 0.0), 1, 1e-12);
        EXPECT_GE(*std::min_element(row, row + static_cast<std::ptrdiff_t>(outputs)), 0);
      }
    }
  }
}

TEST(Calibration, FindsTheTemperatureThatMadeTheLabels) {
  for (const double truth : {0.2, 0.7, 2.0}) {
    const Sample sample(11, 20000, 3, 50, truth);
    const Calibration found = fit_calibration(CalibrationMethod::kTemperature, sample.votes, sample.labels, 3, 50);
    EXPECT_NEAR(found.temperature / truth, 1, 0.05);
    EXPECT_EQ(found.rows, 20000u);
  }
}

TEST(Calibration, BothAreCalibratedOnRowsTheyHaveNotSeen) {
  const Sample fitted(21, 20000, 3, 50, 0.6), asked(22, 20000, 3, 50, 0.6);
  for (const CalibrationMethod method : kBoth) {
    const Calibration found = fit_calibration(method, fitted.votes, fitted.labels, 3, 50);
    const ProbabilityScore score = score_probabilities(probabilities(asked.votes, 3, 50, found), asked.labels, 3),
                           law = score_probabilities(probabilities(asked.votes, 3, 50), asked.labels, 3);
    EXPECT_LT(score.calibration_error, method == CalibrationMethod::kTemperature ? 0.01 : 0.03);
    EXPECT_LT(score.log_loss, law.log_loss);
  }
}

TEST(Calibration, AFewRowsThatAreAllRightDoNotMakeItSure) {
  const std::vector<std::int32_t> votes = {20, -20, -20, 20, 20, -20};
  const std::vector<std::uint32_t> labels = {0, 1, 0};
  for (const CalibrationMethod method : kBoth) {
    const std::vector<double> p = probabilities(votes, 2, 20, fit_calibration(method, votes, labels, 2, 20));
    EXPECT_GT(p[0], 0.6);
    EXPECT_LT(p[0], 0.995);
  }
}

TEST(Calibration, CurvesPoolWhatDoesNotRise) {
  // Leads of class 1: right at 1 and 3, wrong at 2; and a contrary row at either end.
  const std::vector<std::int32_t> votes = {5, 6, 0, 2, 1, 4, -3, 0};
  const std::vector<std::uint32_t> labels = {1, 0, 1, 1};
  const Calibration found = fit_calibration(CalibrationMethod::kIsotonic, votes, labels, 2, 4);
  ASSERT_EQ(found.curves.size(), 2u);
  // 1: 2 of 2 with the row added, then 2: 0 of 1, pooled to 2 of 3; 3: 2 of 3.
  EXPECT_EQ(found.curves[1], (std::vector<CurvePoint>{{1, 2 / 3.0}, {3, 2 / 3.0}}));
}

TEST(Calibration, CurvesAreStraightBetweenPointsAndLevelOutside) {
  const Calibration calibration = curves({{{0, 0.3}}, {{-10, 0.1}, {10, 0.9}}});
  const auto second = [&](std::int32_t first, std::int32_t votes) {  // before division by the sum
    const std::vector<double> p = probabilities(std::vector<std::int32_t>{first, votes}, 2, 10, calibration);
    return p[1] / p[0] * 0.3;
  };
  EXPECT_NEAR(second(0, 5), 0.7, 1e-12);
  EXPECT_NEAR(second(-3, 7), 0.9, 1e-12);
  EXPECT_NEAR(second(7, 0), 0.22, 1e-12);
  EXPECT_NEAR(second(0x7fffffff, -0x7fffffff), 0.1, 1e-12);
  EXPECT_NEAR(second(-0x7fffffff, 0x7fffffff), 0.9, 1e-12);
}

TEST(Calibration, ScoresAreWhatTheyAreByHand) {
  const std::vector<double> p = {0.9, 0.1, 0.7, 0.3, 0.5, 0.5};
  const std::vector<std::uint32_t> labels = {0, 1, 0};
  const ProbabilityScore score = score_probabilities(p, labels, 2);
  EXPECT_NEAR(score.log_loss, -(std::log(0.9) + std::log(0.3) + std::log(0.5)) / 3, 1e-12);
  EXPECT_NEAR(score.calibration_error, (0.1 + 0.7 + 0.5) / 3, 1e-12);
  EXPECT_GT(score_probabilities(std::vector<double>{0, 1}, std::vector<std::uint32_t>{0}, 2).log_loss, 30);
  EXPECT_EQ(score_probabilities({}, {}, 2).log_loss, 0);
}

TEST(Calibration, RefusesWhatDoesNotFit) {
  const std::vector<std::int32_t> votes = {1, 2, 3, 4};
  expect_error<DataError>([&] { fit_calibration(kBoth[0], votes, std::vector<std::uint32_t>{0}, 2, 10); },
                          {"need 2 votes, got 4"});
  expect_error<DataError>(
      [&] {
        fit_calibration(kBoth[0], votes, std::vector<std::uint32_t>{0, 2}, 2, 10);
      },
      {"label 2"});
  expect_error<DataError>([&] { fit_calibration(kBoth[0], {}, {}, 2, 10); }, {"at least one row"});
  expect_error<DataError>([&] { probabilities(votes, 3, 10); }, {"not rows of 3 outputs"});
  expect_error<ConfigError>([] { calibration_named("platt"); }, {"must be temperature or isotonic, got platt"});
}

Model small_model() {
  Options options;
  options.clauses = 2;
  return Model(plain_parts(options, 3, 2, {0, 1, 2, 3, 4}, {0, 3, 1, 4}, {1, -1, 1, -1}));
}

std::string model_with(const std::string& section) {
  const std::string bytes = small_model().to_bytes();
  ContainerWriter writer(FileKind::kModel, 1);
  ByteReader reader(bytes, "bytes");
  for (reader.raw(16); reader.left() >= 20;) {
    const std::string_view tag = reader.raw(4), payload = reader.raw(reader.u64());
    reader.u64();
    if (tag != "END ") writer.section(tag, payload);
  }
  writer.section("prob", pack(section, 1));
  return writer.finish();
}

std::string named_f64(std::string_view name, double number) {
  ByteWriter writer;
  writer.named(name, [&](ByteWriter& value) { value.f64(number); });
  return writer.take();
}

std::string isotonic_bytes(const std::vector<std::vector<std::pair<std::int64_t, double>>>& all) {
  ByteWriter writer;
  writer.named("isotonic", [&](ByteWriter& value) {
    for (const auto& curve : all) {
      value.varint(curve.size());
      for (const auto& [votes, probability] : curve) {
        value.zigzag(votes);
        value.f64(probability);
      }
    }
  });
  return writer.take();
}

TEST(CalibrationFile, IsReadBackAndChangesNoOtherByte) {
  const Model plain = small_model();
  EXPECT_EQ(plain.calibration().method, CalibrationMethod::kNone);
  for (const Calibration& calibration : {temperature(0.3), curves({{{-3, 0.25}, {7, 0.5}}, {{0, 0.75}}})}) {
    const Model model = plain.calibrated(calibration);
    const Model again = Model::from_bytes(model.to_bytes());
    EXPECT_EQ(again.calibration(), calibration);
    EXPECT_EQ(again.to_bytes(), model.to_bytes());
    EXPECT_EQ(again.calibrated({}).to_bytes(), plain.to_bytes());
    EXPECT_EQ(again.described({{"a", "b"}, {}, {}}).calibration(), calibration);
    EXPECT_TRUE(model.to_bytes().starts_with(plain.to_bytes().substr(0, plain.to_bytes().size() - 20)));
  }
}

TEST(CalibrationFile, AMethodOfALaterVersionIsNone) {
  const Model model = Model::from_bytes(model_with(named_f64("beta", 3)));
  EXPECT_EQ(model.calibration().method, CalibrationMethod::kNone);
}

TEST(CalibrationFile, HostileBytesAreRefused) {
  const auto refused = [](const std::string& section, const std::string& why) {
    expect_error<FileError>([&] { Model::from_bytes(model_with(section), "m.falsum"); },
                            {"m.falsum is damaged: " + why});
  };
  EXPECT_NO_THROW(Model::from_bytes(model_with(named_f64("temperature", 2))));
  for (const double bad : {0.0, -1.0, 1e9, std::nan(""), std::numeric_limits<double>::infinity()}) {
    refused(named_f64("temperature", bad), "the temperature of its calibration is impossible");
  }
  refused(named_f64("temperature", 1).substr(0, 14), "it ends");
  EXPECT_NO_THROW(Model::from_bytes(model_with(isotonic_bytes({{{0, 0}}, {{-5, 0}, {5, 1}}}))));
  refused(isotonic_bytes({{{0, 0.5}}}), "it ends too early");
  refused(isotonic_bytes({}), "its calibration has another number of curves");
  refused(isotonic_bytes({{{0, 0.5}}, {{0, 0.5}}, {{0, 0.5}}}), "there are bytes after its end");
  refused(isotonic_bytes({{{0, 0.5}}, {}}), "a curve of its calibration has no points");
  refused(isotonic_bytes({{{0, 0.5}}, {{0, 1.5}}}), "a probability of its calibration is impossible");
  refused(isotonic_bytes({{{0, 0.5}}, {{0, std::nan("")}}}), "a probability of its calibration is impossible");
  refused(isotonic_bytes({{{0, 0.5}}, {{1, 0.5}, {1, 0.6}}}), "a curve of its calibration does not rise");
  refused(isotonic_bytes({{{0, 0.5}}, {{1, 0.5}, {2, 0.4}}}), "a curve of its calibration does not rise");
  refused(isotonic_bytes({{{0, 0.5}}, {{std::int64_t{1} << 40, 0.5}}}), "the votes of its calibration are impossible");
  ByteWriter many;
  many.named("isotonic", [](ByteWriter& value) {
    value.varint(std::uint64_t{1} << 60);
    value.u64(0);
  });
  refused(many.bytes(), "it ends in the middle of a list");
}

TEST(Predictor, ProbabilitiesAreThoseOfItsVotesOnAnyThreads) {
  const RandomData data(9, 1500, 12, 3);
  Options options;
  options.clauses = 20;
  options.threshold = 10;
  options.threads = 1;
  Machine machine(options, 12, 3);
  machine.learn(data.rows, data.labels, 2);
  for (const CalibrationMethod method : {CalibrationMethod::kNone, kBoth[0], kBoth[1]}) {
    const std::vector<std::int32_t> votes = Predictor(machine.model()).votes(data.rows);
    const Model model = machine.model().calibrated(fit_calibration(method, votes, data.labels, machine.model()));
    const Predictor predictor(model);
    const std::vector<double> expected = probabilities(votes, 3, 10, model.calibration());
    EXPECT_EQ(predictor.probabilities(data.rows, 1), expected);
    EXPECT_EQ(predictor.probabilities(data.rows, 3), expected);
    EXPECT_EQ(predictor.predict(data.rows), Predictor(machine.model()).predict(data.rows));
  }
}

}  // namespace
}  // namespace falsum::calibration_test
