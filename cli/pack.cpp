// falsum pack: data -> a file of packed rows, which train, predict, evaluate and tune map instead of reading.
#include "falsum/pack.h"

#include <memory>

#include "command.h"
#include "data_options.h"
#include "falsum/booleanize_options.h"
#include "falsum/choices.h"
#include "falsum/error.h"
#include "paths.h"
#include "report.h"
#include "schema_report.h"
#include "stopwatch.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct PackArguments {
  std::string data, output, like;
  bool json = false;
  bool task_given = false;
  DataOptions data_options;
};

/// With --like, how data become features is decided; only how to find and read them can be said.
void check_with_like(const PackArguments& arguments) {
  const LoadOptions& load = arguments.data_options.load;
  const auto refuse = [&](std::string_view option) {
    throw ConfigError(fmt::format("--{} cannot be given with --like, which decides it", option));
  };
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    if (arguments.data_options.given(info.name)) refuse(info.name);
  }
  if (arguments.task_given) refuse("task");
  if (!load.number.empty()) refuse("number");
  if (!load.category.empty()) refuse("category");
  if (!load.weight.empty()) refuse("weight-column");
}

int run_pack(const PackArguments& arguments) {
  check_paths({{"DATA", arguments.data, Access::kRead},
               {"--like", arguments.like, Access::kRead},
               {"-o", arguments.output, Access::kRows}});
  if (!arguments.like.empty()) check_with_like(arguments);
  const Stopwatch watch;
  PackOptions options;
  options.load = arguments.data_options.load;
  options.booleanize = arguments.data_options.booleanize;
  options.like = arguments.like;
  bool first = true;
  options.seen = [&](const Source& part) {
    if (first && arguments.like.empty()) require_options_that_act(arguments.data_options, part);
    first = false;
  };
  const PackReport packed = pack(arguments.data, arguments.output, options);
  if (arguments.json) {
    Json report = {{"data", packed.origin},
                   {"samples", packed.rows},
                   {"features", packed.booleanizer.features()},
                   {"sparse", packed.sparse},
                   {"labelled", packed.labelled},
                   {"task", name_of(options.load.task)},
                   {"classes", packed.outputs.size()},
                   {"skipped_samples", packed.reading.skipped.size()},
                   {"schema", schema_json(packed.schema, packed.booleanizer, &packed.reading)},
                   {"output", arguments.output},
                   {"bytes", packed.bytes},
                   {"seconds", watch.seconds()},
                   {"peak_rss_bytes", peak_rss_bytes()}};
    print_json(report);
    return 0;
  }
  if (const std::string schema = schema_text(packed.schema, packed.booleanizer, packed.origin, &packed.reading);
      !schema.empty()) {
    fmt::print("{}\n", schema);
  }
  fmt::print("{}: {}, {}{}\nwrote {} ({}, {} a row)\n", packed.origin, counted(packed.rows, "sample", "samples"),
             counted(packed.booleanizer.features(), "feature", "features"), packed.labelled ? "" : ", no labels",
             arguments.output, bytes_text(packed.bytes),
             counted((packed.bytes + packed.rows / 2) / packed.rows, "byte", "bytes"));
  return 0;
}

}  // namespace

Command add_pack(CommandLine& line) {
  auto arguments = std::make_shared<PackArguments>();
  const Verb pack = line.add_verb("pack", "write data as packed rows, which need not fit into memory");
  pack.add_text("DATA", arguments->data, "a built-in name (falsum datasets) or a file: IDX, CSV, SVMlight, NPY or NPZ")
      .required()
      .type_name("");
  pack.add_text("-o,--output", arguments->output, "where to write the rows").required().type_name("ROWS");
  pack.add_text("--like", arguments->like,
                "read the data and make features as for this model or this file of packed rows, to test a model on "
                "them (default: as new training data)")
      .type_name("FILE");
  pack.add_text(
          "--task",
          [arguments](const std::string& text) {
            arguments->data_options.load.task = named<Task>(text);
            arguments->task_given = true;
          },
          "what the labels are for: classification, multilabel or regression (default classification)")
      .type_name("TASK");
  pack.add_flag("--json", arguments->json, "report as one JSON document");
  add_load_options(pack, arguments->data_options, true);
  pack.add_flag(
          "--no-label,--no-labels",
          [arguments] {
            arguments->data_options.load.no_label = true;
            arguments->data_options.load.labelled = false;
          },
          "the data have no labels")
      .group("Data");
  add_booleanize_options(pack, arguments->data_options);
  return {pack, [arguments] { return run_pack(*arguments); }};
}

}  // namespace falsum::cli
