#include "falsum/pipeline.h"

#include <gtest/gtest.h>

#include "data/data_files.h"
#include "falsum/error.h"
#include "falsum/predictor.h"

namespace falsum::pipeline_test {
namespace {

using testing_data::expect_error;

Options small() {
  Options options;
  options.clauses = 40;
  options.threshold = 20;
  options.specificity = 3.9;
  options.boost = false;
  options.epochs = 20;
  return options;
}

TEST(Pipeline, ASourceGoesInAndAFinishedModelComesOut) {
  const Source training = load_source("noisy-xor:train"), test = load_source("noisy-xor:test");
  const Model model = train(training, small());
  EXPECT_GT(accuracy(model, test), 0.9);
  EXPECT_EQ(model.labels(), distinct_labels(training.labels));
  EXPECT_EQ(model.schema(), training.schema);
  EXPECT_EQ(model.provenance().data, training.origin);
  EXPECT_EQ(model.provenance().epochs, 20u);
  EXPECT_EQ(model.provenance().samples, training.rows());
  std::size_t right = 0;
  const std::vector<std::string> answers = predict(Model::from_bytes(model.to_bytes()), test);
  for (std::size_t r = 0; r < answers.size(); ++r) right += answers[r] == test.labels[r];
  EXPECT_DOUBLE_EQ(static_cast<double>(right) / static_cast<double>(answers.size()), accuracy(model, test));
}

TEST(Pipeline, FreshDataCalibrateAModel) {
  const Source training = load_source("noisy-xor:train");
  Source fresh = load_source("noisy-xor:test");
  const Model model = train(training, small());
  for (const CalibrationMethod method : {CalibrationMethod::kTemperature, CalibrationMethod::kIsotonic}) {
    const Model calibrated = calibrate(model, fresh, method);
    EXPECT_EQ(calibrated.calibration().method, method);
    EXPECT_EQ(calibrated.calibration().rows, fresh.rows());
    EXPECT_EQ(predict(calibrated, fresh), predict(model, fresh));
  }
  fresh.labels.clear();
  expect_error<DataError>([&] { calibrate(model, fresh); }, {"has no labels to fit probabilities to"});
}

TEST(Pipeline, ItIsTheMachineThatTheStepsMake) {
  const Source training = load_source("noisy-xor:train");
  const auto classes = classes_of(training);
  const Booleanizer booleanizer = Booleanizer::fit(training);
  const BitMatrix rows = booleanizer.transform(training);
  Machine machine(small(), rows.columns(), classes.size());
  for (int epoch = 0; epoch < 20; ++epoch) machine.learn_epoch(rows, encode_labels(training, classes));
  EXPECT_EQ(machine.model().described({classes, booleanizer, training.schema, training.origin}).to_bytes(),
            train(training, small(), {}, {}, CalibrationMethod::kNone).to_bytes());
}

TEST(Pipeline, ACallbackStopsItAfterAnEpoch) {
  const Model model = train(load_source("noisy-xor:train"), small(), {},
                            {.after_epoch = [](const EpochReport& report) { return report.epoch < 3; }});
  EXPECT_EQ(model.provenance().epochs, 3u);
}

TEST(Pipeline, LearningStopsInTheMiddleOfAnEpochAndGoesOn) {
  const Source training = load_source("noisy-xor:train");
  const auto classes = classes_of(training);
  const BitMatrix rows = Booleanizer::fit(training).transform(training);
  const auto labels = encode_labels(training, classes);
  Machine whole(small(), rows.columns(), 2), stopped(small(), rows.columns(), 2);
  whole.learn(rows, labels, 3);
  EXPECT_FALSE(stopped.learn(rows, labels, 3, {.progress = [](double) { return false; }}).complete);
  EXPECT_EQ(stopped.epoch(), 0u);
  EXPECT_TRUE(stopped.learn(rows, labels, 3).complete);
  EXPECT_EQ(stopped.checkpoint(), whole.checkpoint());
}

TEST(Pipeline, EveryFormOfRowsTeachesTheSameMachine) {
  const Source training = load_source("noisy-xor:train");
  const BitMatrix packed = Booleanizer::fit(training).transform(training);
  const auto labels = encode_labels(training, classes_of(training));
  std::vector<std::uint8_t> bytes(packed.rows() * packed.columns());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = packed.get(i / packed.columns(), i % packed.columns());
  const SparseBits sparse(packed);
  const ByteRowsView view{bytes.data(), packed.rows(), packed.columns(), static_cast<std::ptrdiff_t>(packed.columns())};
  const auto checkpoint = [&](const Rows& rows) {
    Machine machine(small(), rows.columns(), 2);
    machine.set_data(digest(rows, labels));
    machine.learn(rows, labels, 2);
    return machine.checkpoint();
  };
  EXPECT_EQ(checkpoint(sparse), checkpoint(packed));
  EXPECT_EQ(checkpoint(view), checkpoint(packed));
  const Predictor predictor(train(training, small()));
  const std::vector<std::int32_t> votes = predictor.votes(packed);
  for (const Rows& rows : {Rows(packed), Rows(sparse), Rows(view)}) {
    EXPECT_EQ(predictor.votes(rows), votes);
    for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 1}, {700, 613}, {rows.rows(), 0}}) {
      const auto from = votes.begin() + static_cast<std::ptrdiff_t>(2 * first);
      EXPECT_EQ(predictor.votes(rows.part(first, count)),
                std::vector<std::int32_t>(from, from + static_cast<std::ptrdiff_t>(2 * count)));
    }
  }
}

TEST(Pipeline, DataAreReadAsTheModelWasTrained) {
  const testing_data::Folder folder;
  const Source training =
      load_source(folder.file("train.csv", "width;colour;kind\n1,5;red;a\n2,5;blue;b\n3,5;red;b\n"));
  const Model model = train(training, small());
  const Source fresh = load_for(model, folder.file("new.csv", "colour;width\nred;1,5\n"), {.labelled = false});
  ASSERT_EQ(fresh.rows(), 1u);
  EXPECT_EQ(predict(model, fresh),
            predict(model, load_for(model, folder.file("one.csv", "width;colour;kind\n1,5;red;a\n"))));
}

TEST(Pipeline, DataThatTeachNothingAreRefused) {
  Source source = load_source("noisy-xor:train");
  source.labels.assign(source.rows(), "same");
  expect_error<DataError>([&] { train(source); }, {"only the label same in all its 5000 rows"});
  source.labels.clear();
  expect_error<DataError>([&] { train(source); }, {"has no labels"});
  const Model model = train(load_source("noisy-xor:train"), small());
  expect_error<DataError>([&] { accuracy(model, source); }, {"no labels to compare"});
}

}  // namespace
}  // namespace falsum::pipeline_test
