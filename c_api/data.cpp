// Files: from a name to rows, from a file to a model, from a model and a file to labels. The same steps as the
// command's.
#include "falsum/booleanize_options.h"
#include "falsum/defaults.h"
#include "falsum/folds.h"
#include "falsum/memory.h"
#include "falsum/pipeline.h"
#include "falsum/rules.h"
#include "handles.h"
#include "literals/row_features.h"

namespace falsum::c_api {
namespace {

void require_options_that_act(const falsum_options& options, const Source& source) {
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    if (!options.given.contains(info.name) || info.acts_on(source)) continue;
    throw ConfigError(fmt::format("{} is for {}, but {} is {}, where it would change nothing", info.name,
                                  name_of(info.data), source.origin, name_of(data_kind(source))));
  }
}

falsum_data load_to_learn(const std::string& name, const falsum_options& options) {
  LoadOptions load = options.load;
  load.levels = options.booleanize.levels;
  load.task = options.machine.task;
  load.split = Split::kTrain;
  Source source = load_source(name, load);
  require_options_that_act(options, source);
  falsum_data data;
  data.task = options.machine.task;
  data.label_names = outputs_of(source, data.task);
  data.targets = targets_of(source, data.task, data.label_names);
  data.booleanizer = Booleanizer::fit(source, options.booleanize, data.task);
  data.rows = {data.booleanizer.rows(source)};
  data.origin = std::move(source.origin);
  data.schema = std::move(source.schema);
  data.reading = std::move(source.reading);
  return data;
}

/// Programs train and predict with the same options: the schema already holds their effect on columns, and new data
/// need not have the columns that training left out.
void leave_to_schema(LoadOptions& load, const Schema& schema) {
  load.weight.clear();
  load.number.clear();
  load.category.clear();
  std::erase_if(load.ignore, [&](const std::string& name) {
    return std::any_of(schema.columns.begin(), schema.columns.end(), [&](const ColumnSchema& column) {
      return column.role == ColumnRole::kIgnored && column.name == name;
    });
  });
}

falsum_data load_for(const Model& model, const std::string& name, bool labelled, const falsum_options& options) {
  const Booleanizer& booleanizer = model.booleanizer();
  if (booleanizer.features() == 0) {
    throw DataError(fmt::format(
        "the model does not say what its {} features are, so that {} cannot be read for it (falsum_model_described)",
        model.features(), name));
  }
  LoadOptions load = options.load;
  load.labelled = labelled;
  leave_to_schema(load, model.reading_schema());
  Source source = falsum::load_for(model, name, load);
  falsum_data data;
  data.task = model.task();
  data.label_names = data.task == Task::kRegression ? std::vector<std::string>() : output_labels(model);
  if (labelled) data.targets = targets_of(source, data.task, data.label_names, model.schema().label_kind);
  data.booleanizer = booleanizer;
  data.rows = {booleanizer.rows(source)};
  data.origin = std::move(source.origin);
  data.schema = model.schema();
  data.reading = std::move(source.reading);
  return data;
}

/// Only some readers note the rows that were left out.
std::vector<std::string> notes_of(const ReadingReport& reading) {
  std::vector<std::string> notes = reading.notes;
  const auto tells = [&](const std::string& note) { return note.find(reading.first_problem) != std::string::npos; };
  if (!reading.skipped.empty() && std::none_of(notes.begin(), notes.end(), tells)) {
    notes.push_back(fmt::format("{} row{} left out, the first because: {}", reading.skipped.size(),
                                reading.skipped.size() == 1 ? " is" : "s are", reading.first_problem));
  }
  return notes;
}

Model described(const falsum_data& data, const Model& model) {
  return model.described({data.label_names, data.booleanizer, data.schema, data.origin});
}

std::uint64_t bytes_of(const Rows& rows) {
  if (!rows.is_sparse()) return rows.rows() * rows.words_per_row() * sizeof(std::uint64_t);
  return rows.sparse().starts.size_bytes() + rows.sparse().features.size_bytes();
}

/// Learns until all epochs are done or progress stops it. If progress stops at the last row of an epoch, the epoch is
/// complete and the next does not begin. False if it was stopped.
bool learn(Machine& machine, const falsum_data& data, std::uint64_t epochs, falsum_progress progress, void* user) {
  bool stop = false;
  Machine::Callbacks callbacks;
  if (progress != nullptr) {
    callbacks.progress = [&](double done) {
      stop = progress(user, (static_cast<double>(machine.epoch()) + done) / static_cast<double>(epochs)) != 0;
      return !stop;
    };
  }
  callbacks.after_epoch = [&](const EpochReport&) { return !stop; };
  machine.learn(data.rows.rows, data.targets, epochs, callbacks);
  return !stop;
}

/// One for each row of the file, including the rows that were left out.
std::vector<std::string> answers(const falsum_data& data, const Targets& predicted) {
  std::vector<std::string> texts = answer_texts(predicted, data.label_names), all;
  std::vector<bool> left_out(texts.size() + data.reading.skipped.size());
  for (const std::uint64_t row : data.reading.skipped) left_out[row] = true;
  all.reserve(left_out.size());
  std::size_t next = 0;
  for (const bool none : left_out) all.push_back(none ? "" : std::move(texts[next++]));
  return all;
}

/// The targets of data whose task this is; without elements if no labels were read.
Targets targets_for(const falsum_data* data, Task task) {
  const falsum_data& loaded = needed(data, "data");
  if (loaded.task == task) return loaded.targets;
  throw ConfigError(
      fmt::format("the data are for {}, and their targets are not those of {}", name_of(loaded.task), name_of(task)));
}

}  // namespace
}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_train_file(const char* data, const falsum_options* options, falsum_progress progress, void* user,
                      falsum_model** model) {
  return give_handle(model, "model", [&] {
    const falsum_options& chosen = or_defaults(options);
    const falsum_data loaded = load_to_learn(needed_text(data, "data"), chosen);
    const std::size_t features = loaded.booleanizer.features(), outputs = count_outputs(loaded.label_names);
    const Rows rows = loaded.rows.rows;
    const Options machine_options = with_image(
        chosen_options(chosen.machine, facts_of(loaded.booleanizer, rows.rows(), outputs)), loaded.booleanizer);
    check_memory(machine_options, features, outputs, {.samples = rows.rows(), .data = bytes_of(rows)});
    Machine machine(machine_options, features, outputs);
    const auto epochs = static_cast<std::uint64_t>(machine_options.epochs);
    const bool complete = learn(machine, loaded, epochs, progress, user);
    const Model learned = described(loaded, machine.model());
    const Targets targets = loaded.targets;
    const bool fit = chosen.calibrate && machine_options.task == Task::kClassification;
    if (!complete || !fit) return learned;
    const Machine::Progress told = [&](double) { return progress == nullptr || progress(user, 1) == 0; };
    return learned.calibrated(calibrate_on_folds(rows, targets, machine_options, outputs, told));
  });
}

int falsum_predict_file(const falsum_model* model, const char* data, const falsum_options* options,
                        falsum_texts** labels) {
  return give_handle(labels, "labels", [&] {
    const Model& learned = needed(model, "model").model;
    const falsum_options& chosen = or_defaults(options);
    const falsum_data loaded = load_for(learned, needed_text(data, "data"), false, chosen);
    const Options& run = chosen.machine;  // may name an engine that only learns
    const Predictor predictor(learned, engine_for(run.engine, EngineTask::kPredict), run.kernels);
    const AnyTargets predicted = predictor.answers(loaded.rows.rows, static_cast<unsigned>(run.threads));
    return answers(loaded, predicted);
  });
}

int falsum_data_load(const char* data, const falsum_options* options, falsum_data** out) {
  return give_handle(out, "out", [&] { return load_to_learn(needed_text(data, "data"), or_defaults(options)); });
}

int falsum_data_load_for(const falsum_model* model, const char* data, int labelled, const falsum_options* options,
                         falsum_data** out) {
  return give_handle(out, "out", [&] {
    return load_for(needed(model, "model").model, needed_text(data, "data"), labelled != 0, or_defaults(options));
  });
}

const falsum_rows* falsum_data_rows(const falsum_data* data) {
  return guarded_value<const falsum_rows*>(nullptr, [&] { return &needed(data, "data").rows; });
}

int falsum_data_labels(const falsum_data* data, uint32_t** labels, size_t* count) {
  return give_array(labels, "labels", count, "count",
                    [&] { return targets_for(data, Task::kClassification).classes(); });
}

int falsum_data_multilabel(const falsum_data* data, uint8_t** labels, size_t* count) {
  return give_array(labels, "labels", count, "count", [&] {
    const Targets targets = targets_for(data, Task::kMultilabel);
    std::vector<std::uint8_t> bytes(targets.size() * data->label_names.size());
    for (std::size_t r = 0; r < targets.size(); ++r) {
      for_each_feature(targets.labels(), r,
                       [&](std::size_t label) { bytes[r * data->label_names.size() + label] = 1; });
    }
    return bytes;
  });
}

int falsum_data_numbers(const falsum_data* data, double** numbers, size_t* count) {
  return give_array(numbers, "numbers", count, "count", [&] { return targets_for(data, Task::kRegression).numbers(); });
}

int falsum_data_weights(const falsum_data* data, double** weights, size_t* count) {
  return give_array(weights, "weights", count, "count",
                    [&]() -> std::span<const double> { return needed(data, "data").targets.view().weights(); });
}

int falsum_data_label_names(const falsum_data* data, falsum_texts** names) {
  return give_handle(names, "names", [&] { return needed(data, "data").label_names; });
}

int falsum_data_notes(const falsum_data* data, falsum_texts** notes) {
  return give_handle(notes, "notes", [&] { return notes_of(needed(data, "data").reading); });
}

int falsum_data_describe(const falsum_data* data, const falsum_model* model, falsum_model** out) {
  return give_handle(out, "described", [&] { return described(needed(data, "data"), needed(model, "model").model); });
}

void falsum_data_free(falsum_data* data) { delete data; }
