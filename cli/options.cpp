// falsum options: the tables of options that the command line, the library and the documentation use.
#include "falsum/options.h"

#include <memory>
#include <string>

#include "command.h"
#include "falsum/booleanize_options.h"
#include "machine_options.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

void print_options_as_json() {
  Json list = Json::array();
  for (const OptionInfo& info : option_table()) {
    list.push_back({{"name", info.name},
                    {"flag", info.flag.empty() ? Json() : Json(info.flag)},
                    {"default", value_of(Options{}, info)},
                    {"range", range_text(info)},
                    {"scope", info.scope == OptionScope::kMachine ? "machine" : "run"},
                    {"help", info.help}});
  }
  Json booleanizing = Json::array();
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    const BooleanizeOptions defaults;
    booleanizing.push_back({{"name", info.name},
                            {"acts_on", name_of(info.data)},
                            {"default", std::visit([&](auto field) { return Json(defaults.*field); }, info.field)},
                            {"range", range_text(info)},
                            {"help", info.help}});
  }
  print_json({{"options", std::move(list)}, {"booleanize", std::move(booleanizing)}});
}

void print_options_for_people() {
  using Align = Table::Align;
  Table table({{"option", Align::kLeft}, {"default"}, {"range", Align::kLeft}, {"what", Align::kLeft}});
  for (const OptionInfo& info : option_table()) {
    const std::string name = (info.flag.empty() ? "" : "-" + std::string(info.flag) + ", ") + "--" + flag_name(info);
    table.add({name, default_text(info), range_text(info), std::string(info.help)});
  }
  fmt::print("{}\n", table.text());
  Table booleanizing({{"data (train)", Align::kLeft}, {"default"}, {"range", Align::kLeft}, {"what", Align::kLeft}});
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    booleanizing.add({"--" + std::string(info.name), default_text(info), range_text(info),
                      fmt::format("{}: {}", name_of(info.data), info.help)});
  }
  fmt::print("{}", booleanizing.text());
}

}  // namespace

Command add_options(CommandLine& line) {
  struct Arguments {
    bool json = false, markdown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  const Verb options =
      line.add_verb("options", "list the options of machines and of booleanizing: defaults, ranges, meaning");
  const Argument json = options.add_flag("--json", arguments->json, "report as one JSON document");
  options.add_flag("--markdown", arguments->markdown, "the tables of docs/options.md").excludes(json);
  return {options, [arguments] {
            if (arguments->markdown) {
              fmt::print("{}\nHow data become features (`train`; stored in the model):\n\n{}", options_markdown(),
                         booleanize_options_markdown());
            } else {
              arguments->json ? print_options_as_json() : print_options_for_people();
            }
            return 0;
          }};
}

}  // namespace falsum::cli
