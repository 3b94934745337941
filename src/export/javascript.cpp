#include "export/javascript_text.h"
#include "export/json_text.h"
#include "export/writers.h"
#include "support/base64.h"
#include "support/format.h"

namespace falsum {
namespace {

JsonValue patches_json(const PatchShape& shape) {
  return {{"down", shape.down()},
          {"across", shape.across()},
          {"rows", shape.rows},
          {"columns", shape.columns},
          {"channels", shape.channels},
          {"row_stride", shape.row_stride},
          {"column_stride", shape.column_stride},
          {"image_columns", shape.image_columns}};
}

/// Text that may stand inside a <script> of a page.
std::string script_safe(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 6)) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

}  // namespace

std::vector<ExportedFile> write_javascript(const Lowered& lowered, const TestVectors& vectors,
                                           const ExportOptions& options) {
  const Model& model = lowered.model;
  JsonValue data = {{"task", name_of(model.task())},
                    {"features", lowered.features},
                    {"clause_features", lowered.clause_features},
                    {"outputs", lowered.outputs},
                    {"labels", model.labels()},
                    {"target", lowered.target},
                    {"fuzzy", lowered.fuzzy},
                    {"patches", lowered.patches ? patches_json(*lowered.patches) : JsonValue()},
                    {"booleanizer", booleanizer_json(model.booleanizer())},
                    {"names", model.literal_names()},
                    {"clauses", base64(clause_bytes(lowered))},
                    {"test_vectors", vectors_json(vectors)}};
  if (model.task() == Task::kRegression) data["range"] = {model.range().least, model.range().most};
  // In a module the name is not seen from outside, and a file may be called after a word of the language or a function.
  const std::string constant = options.module ? "machine" : options.name;
  std::string text = fmt::format(
      "// A Tsetlin machine, exported by {}: {}.\n"
      "// import {{ predict }} from \"./{}.js\"; predict(row).answer; check() compares it with falsum.\n"
      "const {} = (() => {{\n  const MODEL = {};\n",
      made_by(), summary(lowered), options.name, constant, script_safe(json_line(data)));
  text += kJavascript;
  constexpr std::string_view kFunctions = "bits, votes, predict, answer, explain, literalName, columns, check";
  text += fmt::format("  return {{ MODEL, {} }};\n}})();\n", kFunctions);
  if (options.module) text += fmt::format("export const {{ MODEL, {} }} = {};\n", kFunctions, constant);
  return {{options.name + ".js", std::move(text)}};
}

}  // namespace falsum
