// falsum report: model + labelled data -> one HTML file that explains the model and predicts in the page.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "command.h"
#include "data_options.h"
#include "falsum/model.h"
#include "falsum/report.h"
#include "parse_number.h"
#include "paths.h"
#include "report.h"
#include "rows.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct ReportArguments {
  std::string model, data, output;
  std::uint64_t rows = 400;
  bool json = false;
  DataOptions data_options;
};

int run_report(const ReportArguments& arguments) {
  check_paths({{"MODEL", arguments.model, Access::kRead},
               {"DATA", arguments.data, Access::kRead},
               {"-o", arguments.output, Access::kAnswers}});
  const Model model = Model::load(arguments.model);
  LabelledData data = load_labelled(model, arguments.data, arguments.data_options);
  const std::string html = report_html(model, data.rows, data.targets,
                                       {.model = std::filesystem::path(arguments.model).filename().string(),
                                        .data = data.origin,
                                        .rows = arguments.rows,
                                        .texts = std::move(data.texts)});
  write_file_atomically(arguments.output, html);
  if (arguments.json) {
    print_json({{"model", arguments.model},
                {"data", data.origin},
                {"samples", data.rows.view().rows()},
                {"output", arguments.output},
                {"bytes", html.size()}});
  } else {
    fmt::print("wrote {} ({}): open it in a browser; it loads nothing else\n", arguments.output,
               bytes_text(html.size()));
  }
  return 0;
}

}  // namespace

Command add_report(CommandLine& line) {
  auto arguments = std::make_shared<ReportArguments>();
  const Verb report = line.add_verb("report", "write a page about a model: quality, rules, rows, what if");
  report.add_text("MODEL", arguments->model, "a file that falsum train made").required().type_name("");
  report.add_text("DATA", arguments->data, "labelled data: a file, or a built-in name (its test split)")
      .required()
      .type_name("");
  report.add_text("-o,--output", arguments->output, "where to write the page").required().type_name("FILE");
  report
      .add_text(
          "--rows",
          [arguments](const std::string& text) {
            arguments->rows = parse_number_within<std::uint64_t>("rows", text, 1, 100'000);
          },
          "rows in the page at most, wrong answers first (default 400)")
      .type_name("N");
  report.add_flag("--json", arguments->json, "report as one JSON document");
  add_load_options(report, arguments->data_options, false);
  return {report, [arguments] { return run_report(*arguments); }};
}

}  // namespace falsum::cli
