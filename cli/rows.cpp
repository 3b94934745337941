#include "rows.h"

#include <utility>

#include "falsum/error.h"
#include "falsum/pipeline.h"
#include "falsum/rules.h"
#include "report.h"
#include "schema_report.h"

namespace falsum::cli {

Source load_for_model(const Model& model, const std::string& data, const DataOptions& options, bool labelled,
                      std::string_view then) {
  const Schema schema = model.reading_schema();
  LoadOptions load = reading_options(model, schema, options.load);
  load.labelled = labelled;
  Source source = load_source(data, load);
  if (const std::string doubt = doubt_about(model, source, options); !doubt.empty()) say(doubt);
  if (const std::string skipped = skipped_text(source.reading); !skipped.empty()) say(skipped + std::string(then));
  return source;
}

LabelledData load_labelled(const Model& model, const std::string& data, const DataOptions& options) {
  Source source = load_for_model(model, data, options, true);
  if (!source.labelled()) throw DataError(source.origin + " has no labels to compare the predictions with");
  LabelledData read{model.booleanizer().rows(source),
                    targets_of(source, model.task(), output_labels(model), model.schema().label_kind), source.origin,
                    source.reading.skipped.size()};
  if (auto* documents = std::get_if<Documents>(&source.values)) read.texts = std::move(documents->texts);
  return read;
}

void add_explain_engine(const Verb& verb, bool& flag) {
  verb.add_flag("--explain-engine", flag, "say which engine predicted, and why");
}

std::string explanation(const EngineChoice& engine) { return "engine " + engine.name + ": " + engine.reason; }

}  // namespace falsum::cli
