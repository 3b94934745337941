// Pipeline: from data to a finished model, and from a model to predictions, for programs that need no intermediate
// steps.
//
//   falsum::Source training = falsum::load_source("flowers.csv");
//   falsum::Model model = falsum::train(training, {.clauses = 200, .threshold = 15, .specificity = 5});
//   model.save("flowers.falsum");
//   falsum::LoadOptions reading = {.schema = &model.schema(), .labelled = false};
//   for (const std::string& label : falsum::predict(model, falsum::load_source("new.csv", reading))) ...
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

/// The label of each row. Class ids as text where the model has no labels.
std::vector<std::string> predict(const Model& model, const Source& source, const Options& run = {});

/// The share of rows whose label is predicted correctly. Throws DataError for data without labels, or with labels that
/// the model does not know.
double accuracy(const Model& model, const Source& source, const Options& run = {});

}  // namespace falsum
