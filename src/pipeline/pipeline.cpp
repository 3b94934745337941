#include "falsum/pipeline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "data/formats.h"
#include "falsum/defaults.h"
#include "falsum/error.h"
#include "falsum/folds.h"
#include "falsum/packed_rows.h"
#include "falsum/predictor.h"
#include "falsum/rules.h"
#include "literals/row_features.h"
#include "support/format.h"

namespace falsum {
namespace {

AnyTargets answers_of(const Model& model, const Source& source, const Options& run) {
  const Predictor predictor(model, engine_for(run.engine, EngineTask::kPredict), run.kernels);
  const AnyRows rows = model.booleanizer().rows(source);
  return predictor.answers(rows, static_cast<unsigned>(run.threads));
}

/// Packed rows have labels already, by names of their own.
BitMatrix label_rows(const PackedRows& file, const std::map<std::string_view, std::size_t>& columns) {
  const Targets targets = file.targets();
  BitMatrix rows(targets.size(), columns.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    for_each_feature(targets.labels(), r, [&](std::size_t label) {
      const auto found = columns.find(file.outputs()[label]);
      if (found == columns.end()) {
        throw DataError(
            fmt::format("{}, row {}: label {:?} was not there in training", file.origin(), r, file.outputs()[label]));
      }
      rows.set(r, found->second);
    });
  }
  return rows;
}

BitMatrix label_rows(const Source& source, const std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns.emplace(names[i], i);
  if (const PackedRows* const file = source.packed()) return label_rows(*file, columns);
  require_labels(source);
  BitMatrix rows(source.labels.size(), names.size());
  for (std::size_t r = 0; r < source.labels.size(); ++r) {
    for (const std::string& label : labels_in(source.labels[r])) {
      const auto found = columns.find(label);
      if (found == columns.end()) {
        throw DataError(fmt::format("{}, row {}: label {:?} was not there in training", source.origin, r, label));
      }
      rows.set(r, found->second);
    }
  }
  return rows;
}

}  // namespace

std::vector<std::string> outputs_of(const Source& training, Task task) {
  if (task == Task::kClassification) return classes_of(training);
  if (!training.labelled()) throw DataError(training.origin + " has no labels to learn");
  if (task == Task::kRegression) return {};
  if (training.packed() != nullptr) return training.packed()->outputs();
  std::vector<std::string> all;
  for (const std::string& text : training.labels) {
    for (std::string& label : labels_in(text)) all.push_back(std::move(label));
  }
  if (all.empty()) throw DataError(training.origin + " has no label in any of its rows");
  return distinct_labels(all);
}

std::size_t count_outputs(const std::vector<std::string>& names) { return std::max<std::size_t>(1, names.size()); }

AnyTargets targets_of(const Source& source, Task task, const std::vector<std::string>& names, LabelKind kind) {
  AnyTargets targets;
  if (task == Task::kClassification) {
    targets = encode_labels(source, names, kind);
  } else if (task == Task::kRegression) {
    targets = label_numbers(source);
  } else {
    targets = label_rows(source, names);
  }
  targets.set_weights(source.weights);
  return targets;
}

std::vector<std::string> answer_texts(const Targets& answers, const std::vector<std::string>& names) {
  std::vector<std::string> texts(answers.size());
  for (std::size_t r = 0; r < texts.size(); ++r) {
    if (answers.task() == Task::kClassification) texts[r] = names[answers.classes()[r]];
    if (answers.task() == Task::kRegression) texts[r] = fmt::format("{:.9g}", answers.numbers()[r]);
    if (answers.task() == Task::kMultilabel) {
      for_each_feature(answers.labels(), r,
                       [&](std::size_t label) { texts[r] += (texts[r].empty() ? "" : ";") + names[label]; });
    }
  }
  return texts;
}

std::vector<std::string> classes_of(const Source& training) {
  if (!training.labelled()) {
    throw DataError(training.origin + " has no labels, and training needs at least 2 different ones");
  }
  std::vector<std::string> classes =
      training.packed() != nullptr ? training.packed()->outputs() : distinct_labels(training.labels);
  if (classes.size() < 2) {
    throw DataError(
        fmt::format("{} has only the label {} in all its {} {}, and training needs at least 2 different ones",
                    training.origin, classes.front(), training.rows(), training.rows() == 1 ? "row" : "rows"));
  }
  return classes;
}

Options with_image(const Options& options, const Booleanizer& booleanizer) {
  if (options.patch.empty() || !options.image.empty()) return options;
  const std::size_t width = booleanizer.image_width(), pixels = booleanizer.image_pixels();
  if (width == 0 || pixels != booleanizer.features()) {
    throw ConfigError(fmt::format("patch {} needs the size of the image, as image 28x28: the data {}", options.patch,
                                  width == 0 ? "are not images" : "have several bits per pixel"));
  }
  Options known = options;
  known.image = fmt::format("{}x{}", pixels / width, width);
  return known;
}

Model train(const Source& training, const Options& given, const BooleanizeOptions& booleanize,
            const Machine::Callbacks& callbacks, CalibrationMethod calibration) {
  if (calibration == CalibrationMethod::kIsotonic) {
    throw ConfigError("calibration must be temperature or none while training, got isotonic: see calibrate()");
  }
  const std::vector<std::string> names = outputs_of(training, given.task);
  const Booleanizer booleanizer = Booleanizer::fit(training, booleanize, given.task);
  const AnyRows rows = booleanizer.rows(training);
  const DataFacts facts = facts_of(booleanizer, training.rows(), count_outputs(names));
  const Options options = with_image(chosen_options(given, facts), booleanizer);
  Machine machine(options, booleanizer.features(), count_outputs(names));
  const AnyTargets targets = targets_of(training, options.task, names);
  machine.learn(rows, targets, static_cast<std::uint64_t>(options.epochs), callbacks);
  const Model model = machine.model().described({names, booleanizer, training.schema, training.origin});
  const bool complete = machine.epoch() == static_cast<std::uint64_t>(options.epochs);
  if (calibration == CalibrationMethod::kNone || options.task != Task::kClassification || !complete) return model;
  return model.calibrated(calibrate_on_folds(rows, targets, options, count_outputs(names), callbacks.progress));
}

Model calibrate(const Model& model, const Source& fresh, CalibrationMethod method, const Options& run) {
  if (!fresh.labelled()) throw DataError(fresh.origin + " has no labels to fit probabilities to");
  const std::vector<std::uint32_t> labels = encode_labels(fresh, output_labels(model), model.schema().label_kind);
  const Predictor predictor(model, engine_for(run.engine, EngineTask::kPredict), run.kernels);
  const AnyRows rows = model.booleanizer().rows(fresh);
  const std::vector<std::int32_t> votes = predictor.votes(rows, static_cast<unsigned>(run.threads));
  return model.calibrated(fit_calibration(method, votes, labels, model));
}

LoadOptions reading_options(const Model& model, const Schema& schema, LoadOptions options) {
  options.task = model.task();
  return reading_options(model.booleanizer(), schema, std::move(options));
}

LoadOptions reading_options(const Booleanizer& booleanizer, const Schema& schema, LoadOptions options) {
  options.split = Split::kTest;
  options.schema = &schema;
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
  return answer_texts(answers_of(model, source, run).view(), output_labels(model));
}

std::vector<Score> scores(const Model& model, const Source& source, const Options& run) {
  if (!source.labelled()) throw DataError(source.origin + " has no labels to compare the predictions with");
  const AnyTargets truth = targets_of(source, model.task(), model.labels(), model.schema().label_kind);
  const AnyTargets answers = answers_of(model, source, run);
  return scores(answers.view(), truth.view());
}

double accuracy(const Model& model, const Source& source, const Options& run) {
  return scores(model, source, run).front().value;
}

}  // namespace falsum
