#include "falsum/pipeline.h"

#include "falsum/error.h"
#include "falsum/predictor.h"
#include "falsum/rules.h"
#include "support/format.h"

namespace falsum {
namespace {

std::vector<std::uint32_t> class_ids(const Model& model, const Source& source, const Options& run) {
  const Predictor predictor(model, engine_for(run.engine, EngineTask::kPredict), run.kernels);
  const AnyRows rows = model.booleanizer().rows(source);
  return predictor.predict(rows, static_cast<unsigned>(run.threads));
}

}  // namespace

std::vector<std::string> classes_of(const Source& training) {
  if (training.labels.empty()) {
    throw DataError(training.origin + " has no labels, and training needs at least 2 different ones");
  }
  std::vector<std::string> classes = distinct_labels(training.labels);
  if (classes.size() < 2) {
    throw DataError(
        fmt::format("{} has only the label {} in all its {} {}, and training needs at least 2 different ones",
                    training.origin, classes.front(), training.rows(), training.rows() == 1 ? "row" : "rows"));
  }
  return classes;
}

Model train(const Source& training, const Options& options, const BooleanizeOptions& booleanize,
            const Machine::Callbacks& callbacks) {
  const std::vector<std::string> classes = classes_of(training);
  const Booleanizer booleanizer = Booleanizer::fit(training, booleanize);
  const AnyRows rows = booleanizer.rows(training);
  Machine machine(options, booleanizer.features(), classes.size());
  machine.learn(rows, encode_labels(training, classes), static_cast<std::uint64_t>(options.epochs), callbacks);
  return machine.model().described({classes, booleanizer, training.schema, training.origin});
}

Model calibrate(const Model& model, const Source& fresh, CalibrationMethod method, const Options& run) {
  if (fresh.labels.empty()) throw DataError(fresh.origin + " has no labels to fit probabilities to");
  const std::vector<std::uint32_t> labels = encode_labels(fresh, output_labels(model), model.schema().label_kind);
  const Predictor predictor(model, engine_for(run.engine, EngineTask::kPredict), run.kernels);
  const AnyRows rows = model.booleanizer().rows(fresh);
  const std::vector<std::int32_t> votes = predictor.votes(rows, static_cast<unsigned>(run.threads));
  return model.calibrated(fit_calibration(method, votes, labels, model));
}

LoadOptions reading_options(const Model& model, const Schema& schema, LoadOptions options) {
  options.split = Split::kTest;
  options.schema = &schema;
  const Booleanizer& booleanizer = model.booleanizer();
  if (booleanizer.kind() == "levels" && booleanizer.image_pixels() > 0) {
    options.levels = static_cast<int>(booleanizer.features() / booleanizer.image_pixels());
  }
  return options;
}

Source load_for(const Model& model, const std::string& data, const LoadOptions& options) {
  const Schema schema = model.reading_schema();
  return load_source(data, reading_options(model, schema, options));
}

std::vector<std::string> predict(const Model& model, const Source& source, const Options& run) {
  const std::vector<std::string> labels = output_labels(model);
  std::vector<std::string> answers;
  answers.reserve(source.rows());
  for (const std::uint32_t id : class_ids(model, source, run)) answers.push_back(labels[id]);
  return answers;
}

double accuracy(const Model& model, const Source& source, const Options& run) {
  if (source.labels.empty()) throw DataError(source.origin + " has no labels to compare the predictions with");
  const std::vector<std::uint32_t> wanted = encode_labels(source, model.labels(), model.schema().label_kind);
  const std::vector<std::uint32_t> predicted = class_ids(model, source, run);
  std::size_t right = 0;
  for (std::size_t r = 0; r < wanted.size(); ++r) right += predicted[r] == wanted[r];
  return wanted.empty() ? 0 : static_cast<double>(right) / static_cast<double>(wanted.size());
}

}  // namespace falsum
