// falsum options: the one table of options, as it feeds the command line, the library and the documentation.
#include "falsum/options.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "command.h"
#include "machine_options.h"
#include "report.h"

namespace falsum::cli {

namespace {

void print_as_json() {
  Json list = Json::array();
  for (const OptionInfo& info : option_table()) {
    list.push_back({{"name", info.name},
                    {"flag", info.flag.empty() ? Json() : Json(info.flag)},
                    {"default", value_of(Options{}, info)},
                    {"range", range_text(info)},
                    {"help", info.help}});
  }
  print_json({{"options", std::move(list)}});
}

void print_for_people() {
  using Align = Table::Align;
  Table table({{"option", Align::kLeft}, {"default"}, {"range", Align::kLeft}, {"what", Align::kLeft}});
  for (const OptionInfo& info : option_table()) {
    const std::string name =
        (info.flag.empty() ? "" : "-" + std::string(info.flag) + ", ") + "--" + std::string(info.name);
    table.add({name, default_text(info), range_text(info), std::string(info.help)});
  }
  fmt::print("{}", table.text());
}

}  // namespace

Command add_options(CLI::App& app) {
  struct Arguments {
    bool json = false, markdown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* options = app.add_subcommand("options", "list the options of a machine: defaults, ranges, meaning");
  CLI::Option* json = options->add_flag("--json", arguments->json, "report as one JSON document");
  options->add_flag("--markdown", arguments->markdown, "the table of docs/options.md")->excludes(json);
  return {options, [arguments] {
            if (arguments->markdown) {
              fmt::print("{}", options_markdown());
            } else {
              arguments->json ? print_as_json() : print_for_people();
            }
            return 0;
          }};
}

}  // namespace falsum::cli
