// Pipeline: from data to a finished model, and from a model to predictions, for programs that need no intermediate
// steps.
//
//   falsum::Source training = falsum::load_source("flowers.csv");
//   falsum::Model model = falsum::train(training, {.clauses = 200, .threshold = 15, .specificity = 5});
//   model.save("flowers.falsum");
//   for (const std::string& label : falsum::predict(model, falsum::load_for(model, "new.csv", {.labelled = false})))
//   ...
//
// Each step is public too, for programs that inspect or change something in between: Booleanizer, Machine,
// Model::described, Predictor.
#pragma once

#include <string>
#include <vector>

#include "falsum/booleanizer.h"
#include "falsum/machine.h"
#include "falsum/model.h"
#include "falsum/options.h"
#include "falsum/scores.h"
#include "falsum/source.h"

namespace falsum {

/// The classes to learn: the distinct labels of the data. Throws DataError unless there are at least two.
std::vector<std::string> classes_of(const Source& training);

/// The names of the outputs to learn: the classes of the data; for a multilabel machine the labels that rows have, one
/// or several separated by `,`, `;` or `|`; none for a regression machine.
std::vector<std::string> outputs_of(const Source& training, Task task);
/// The number of outputs of a machine whose outputs have these names.
std::size_t count_outputs(const std::vector<std::string>& names);

/// The labels of the data as targets, with the weights of the rows. Throws DataError naming the row for a label that is
/// not among the names, or that is not a number if the task is regression.
AnyTargets targets_of(const Source& source, Task task, const std::vector<std::string>& names,
                      LabelKind kind = LabelKind::kText);

/// Answers as text: a label; labels separated by `;`; or a number.
std::vector<std::string> answer_texts(const Targets& answers, const std::vector<std::string>& names);

/// The options with the size of the image from the data, if they have patches and do not say it. Throws ConfigError for
/// data that are not images of one bit per pixel.
Options with_image(const Options& options, const Booleanizer& booleanizer);

/// Learns options.epochs epochs, or until a callback stops it; options that are kAutomatic are chosen by the data
/// (defaults.h). The model holds everything needed to predict from a file: labels, schema, booleanizer. Of a
/// classification machine that was not stopped, its probabilities are fitted on folds (folds.h), unless `calibration`
/// is kNone.
Model train(const Source& training, const Options& options = {}, const BooleanizeOptions& booleanize = {},
            const Machine::Callbacks& callbacks = {}, CalibrationMethod calibration = CalibrationMethod::kTemperature);

/// The model with probabilities fitted to labelled data that it was not learned from.
Model calibrate(const Model& model, const Source& fresh, CalibrationMethod method = CalibrationMethod::kTemperature,
                const Options& run = {});

/// Options to read data for this model: by `schema`, which must be its reading_schema() and must outlive the options,
/// as a test split, and with the number of grey levels that it was trained with. The other options stay as they are.
LoadOptions reading_options(const Model& model, const Schema& schema, LoadOptions options = {});
/// The same for what a model is made of; the task stays as it is.
LoadOptions reading_options(const Booleanizer& booleanizer, const Schema& schema, LoadOptions options = {});

/// Data for this model, read as its training data were. Labels are read where options.labelled says so, as by default.
Source load_for(const Model& model, const std::string& data, const LoadOptions& options = {});

/// The answer for each row: a label, labels separated by `;`, or a number. Numbers of outputs where the model has no
/// labels.
std::vector<std::string> predict(const Model& model, const Source& source, const Options& run = {});

/// How well the model answers (scores.h). Throws DataError for data without labels, or with labels that the model does
/// not know.
std::vector<Score> scores(const Model& model, const Source& source, const Options& run = {});
/// The first of these: the share of rows that are answered correctly, or in regression the root of the mean squared
/// error.
double accuracy(const Model& model, const Source& source, const Options& run = {});

}  // namespace falsum
