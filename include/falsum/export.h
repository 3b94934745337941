// Export: a model in a form that runs where falsum does not, and models from elsewhere.
//
//   json     everything in the model, as text; from_json gives the same model back, byte for byte
//   js       an ES module without dependencies: raw values or bits in; votes, answers and true clauses out
//   c        C99 without libc, malloc or floating point where votes are counted; tables, small enough for flash
//   onnx     a graph with the thresholds inside, for onnxruntime and others
//   verilog  a circuit: all clauses at once, or one literal after the other; with a test bench
//   sql      a view with the votes of every row of a table
//
// Every export carries rows with the votes that falsum gives them, and a way to check itself with them. A format that
// cannot say exactly what a model does refuses it: docs/export.md has the table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "falsum/choices.h"
#include "falsum/model.h"
#include "falsum/source.h"

namespace falsum {

enum class ExportFormat : std::uint8_t { kJson, kC, kOnnx, kVerilog, kSql, kJs };
template <>
struct Words<ExportFormat> {
  static constexpr std::string_view kOption = "to", kWords[] = {"json", "c", "onnx", "verilog", "sql", "js"};
};

/// How a circuit or a query is built.
enum class ExportForm : std::uint8_t {
  kAuto,        // parallel or inline for small models, else serial or relational
  kParallel,    // verilog: a gate for each clause, a row each clock
  kSerial,      // verilog: a memory of literals, one each clock
  kInline,      // sql: an expression for each output
  kRelational,  // sql: tables of clauses, and the paper's index as a query
};
template <>
struct Words<ExportForm> {
  static constexpr std::string_view kOption = "form", kWords[] = {"auto", "parallel", "serial", "inline", "relational"};
};

struct ExportOptions {
  std::string name = "model";  // of functions, modules and tables: letters, digits and _
  ExportForm form = ExportForm::kAuto;
  const Source* vectors = nullptr;  // rows to test with, besides random ones; not owned
  bool module = true;               // js: with `export` lines; without them for a script inside a page
};

struct ExportedFile {
  std::string name;  // "model.c", "model_test.c": the name of the options and an ending
  std::string bytes;
};

/// The files of an export, the main one first. Throws ConfigError, one sentence, if the format cannot say what the
/// model does.
std::vector<ExportedFile> export_model(const Model& model, ExportFormat format, const ExportOptions& options = {});

/// The JSON document alone, and back. The text is not trusted: FileError names the place and what must be there. If it
/// has test vectors, the model must give their votes.
std::string to_json(const Model& model, const ExportOptions& options = {});
Model from_json(std::string_view text, const std::string& what = "the JSON document");

/// A name for options from the name of a file: other characters become _.
std::string export_name(std::string_view file_name);

}  // namespace falsum
