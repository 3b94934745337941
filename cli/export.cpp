// falsum export: a model in another form. falsum import: a model from JSON.
#include "falsum/export.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "data_options.h"
#include "falsum/error.h"
#include "falsum/model.h"
#include "falsum/pipeline.h"
#include "paths.h"
#include "report.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct ExportArguments {
  std::string model, to, form = "auto", output, name, vectors;
  bool json = false;
  DataOptions data_options;
};

struct ImportArguments {
  std::string input, output;
  bool json = false;
};

std::string listed_choices(std::string choices) {
  for (std::size_t i = choices.find('|'); i != std::string::npos; i = choices.find('|', i)) choices.replace(i, 1, ", ");
  return choices;
}

int run_export(const ExportArguments& arguments) {
  const auto format = named<ExportFormat>(arguments.to);
  const std::filesystem::path path = arguments.output;
  ExportOptions options{.form = named<ExportForm>(arguments.form)};
  options.name = arguments.name.empty() ? export_name(path.stem().string()) : arguments.name;
  const Access access = format == ExportFormat::kOnnx ? Access::kExport : Access::kAnswers;
  check_paths({{"MODEL", arguments.model, Access::kRead},
               {"--vectors", arguments.vectors, Access::kRead},
               {"-o", arguments.output, access}});
  const Model model = Model::load(arguments.model);
  std::optional<Source> data;
  if (!arguments.vectors.empty()) {
    const Schema schema = model.reading_schema();
    LoadOptions load = arguments.data_options.load;
    load.labelled = false;
    data = load_source(arguments.vectors, reading_options(model, schema, load));
    options.vectors = &*data;
  }
  std::vector<ExportedFile> files = export_model(model, format, options);
  // The main file has the name that was asked for; the others are beside it.
  files.front().name = arguments.output;
  std::vector<FileUse> uses = {{"MODEL", arguments.model, Access::kRead}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) files[i].name = (path.parent_path() / files[i].name).string();
    uses.push_back({i == 0 ? "-o" : "beside -o,", files[i].name, access});
  }
  check_paths(uses);
  std::vector<Json> written;
  for (const ExportedFile& file : files) {
    write_file_atomically(file.name, file.bytes);
    written.push_back({{"file", file.name}, {"bytes", file.bytes.size()}});
  }
  if (arguments.json) {
    Json report = {{"model", arguments.model}, {"to", arguments.to}, {"name", options.name}, {"files", Json::array()}};
    for (Json& file : written) report["files"].push_back(std::move(file));
    print_json(report);
    return 0;
  }
  for (const ExportedFile& file : files) fmt::print("saved {} ({})\n", file.name, bytes_text(file.bytes.size()));
  return 0;
}

int run_import(const ImportArguments& arguments) {
  check_paths({{"FILE", arguments.input, Access::kRead}, {"-o", arguments.output, Access::kModel}});
  const Model model = from_json(read_file(arguments.input), arguments.input);
  const std::string bytes = model.to_bytes();
  write_file_atomically(arguments.output, bytes);
  if (arguments.json) {
    print_json({{"file", arguments.input},
                {"task", name_of(model.task())},
                {"features", model.features()},
                {"outputs", model.outputs()},
                {"clauses", model.clauses()},
                {"literals", model.included()},
                {"output", arguments.output},
                {"model_bytes", bytes.size()}});
    return 0;
  }
  fmt::print("{}: {}, {}, {}\n", printable(arguments.input), counted(model.features(), "feature", "features"),
             counted(model.outputs(), "output", "outputs"), counted(model.clauses(), "clause", "clauses"));
  fmt::print("saved {} ({})\n", arguments.output, bytes_text(bytes.size()));
  return 0;
}

}  // namespace

Command add_export(CommandLine& line) {
  auto arguments = std::make_shared<ExportArguments>();
  const Verb verb = line.add_verb("export", "write a model as JSON, C, ONNX, Verilog, SQL or JavaScript");
  verb.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  verb.add_text("--to", arguments->to, "the format: " + listed_choices(choices_of<ExportFormat>()))
      .required()
      .type_name("FORMAT");
  verb.add_text("-o,--output", arguments->output,
                "where to save it; c and verilog write more files beside it, named after it")
      .required()
      .type_name("FILE");
  verb.add_text("--form", arguments->form,
                "verilog: parallel or serial; sql: inline or relational; auto chooses by the size of the model")
      .type_name("FORM");
  verb.add_text("--name", arguments->name,
                "of functions, modules and tables: letters, digits and _; the name of the file unless given")
      .type_name("NAME");
  verb.add_text("--vectors", arguments->vectors,
                "data whose rows the export is to test itself with, besides random rows")
      .type_name("DATA");
  verb.add_flag("--json", arguments->json, "report as one JSON document");
  add_load_options(verb, arguments->data_options, false);
  return {verb, [arguments] { return run_export(*arguments); }};
}

Command add_import(CommandLine& line) {
  auto arguments = std::make_shared<ImportArguments>();
  const Verb verb = line.add_verb("import", "read a model from JSON, as falsum export --to json writes it");
  verb.add_text("FILE", arguments->input, "a JSON document (docs/export.md)").required().type_name("");
  verb.add_text("-o,--output", arguments->output, "where to save the model").required().type_name("MODEL");
  verb.add_flag("--json", arguments->json, "report as one JSON document");
  return {verb, [arguments] { return run_import(*arguments); }};
}

}  // namespace falsum::cli
