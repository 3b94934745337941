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
#include "falsum/source.h"

namespace falsum {

/// The classes to learn: the distinct labels of the data. Throws DataError unless there are at least two.
std::vector<std::string> classes_of(const Source& training);

/// Learns options.epochs epochs, or until a callback stops it. The model holds everything needed to predict from a
/// file: labels, schema, booleanizer.
Model train(const Source& training, const Options& options = {}, const BooleanizeOptions& booleanize = {},
            const Machine::Callbacks& callbacks = {});

/// The model with probabilities fitted to labelled data that it was not learned from.
Model calibrate(const Model& model, const Source& fresh, CalibrationMethod method = CalibrationMethod::kTemperature,
                const Options& run = {});

/// Options to read data for this model: by `schema`, which must be its reading_schema() and must outlive the options,
/// as a test split, and with the number of grey levels that it was trained with. The other options stay as they are.
LoadOptions reading_options(const Model& model, const Schema& schema, LoadOptions options = {});

/// Data for this model, read as its training data were. Labels are read where options.labelled says so, as by default.
Source load_for(const Model& model, const std::string& data, const LoadOptions& options = {});

/// The label of each row. Class ids as text where the model has no labels.
std::vector<std::string> predict(const Model& model, const Source& source, const Options& run = {});

/// The share of rows whose label is predicted correctly. Throws DataError for data without labels, or with labels that
/// the model does not know.
double accuracy(const Model& model, const Source& source, const Options& run = {});

}  // namespace falsum
