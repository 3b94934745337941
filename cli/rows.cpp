#include "rows.h"

#include "falsum/error.h"
#include "falsum/pipeline.h"
#include "falsum/rules.h"
#include "report.h"
#include "schema_report.h"

namespace falsum::cli {

LabelledData load_labelled(const Model& model, const std::string& data, const DataOptions& options) {
  const Schema schema = model.reading_schema();
  const Source source = load_source(data, reading_options(model, schema, options.load));
  if (const std::string doubt = doubt_about(model, source, options); !doubt.empty()) say(doubt);
  if (const std::string skipped = skipped_text(source.reading); !skipped.empty()) say(skipped);
  if (source.labels.empty()) throw DataError(source.origin + " has no labels to compare the predictions with");
  return {model.booleanizer().rows(source),
          targets_of(source, model.task(), output_labels(model), model.schema().label_kind), source.origin,
          source.reading.skipped.size()};
}

void add_explain_engine(const Verb& verb, bool& flag) {
  verb.add_flag("--explain-engine", flag, "say which engine predicted, and why");
}

std::string explanation(const EngineChoice& engine) { return "engine " + engine.name + ": " + engine.reason; }

}  // namespace falsum::cli
