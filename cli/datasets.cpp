// falsum datasets: the built-in names, which of them are available, and how to get the others.
#include <memory>
#include <string>

#include "command.h"
#include "data_options.h"
#include "falsum/source.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

struct DatasetsArguments {
  std::string directory;
  bool json = false;
};

void print_datasets_as_json(const std::vector<DatasetInfo>& sets) {
  Json list = Json::array();
  for (const DatasetInfo& set : sets) {
    list.push_back({{"name", set.name},
                    {"description", set.description},
                    {"available", set.available},
                    {"location", set.location.empty() ? Json() : Json(set.location)},
                    {"how_to_get", set.how_to_get},
                    {"train_samples", set.train_rows},
                    {"test_samples", set.test_rows},
                    {"classes", set.classes}});
  }
  print_json({{"datasets", std::move(list)}});
}

void print_datasets_for_people(const std::vector<DatasetInfo>& sets) {
  using Align = Table::Align;
  Table table(
      {{"name", Align::kLeft}, {"here", Align::kLeft}, {"train"}, {"test"}, {"classes"}, {"what", Align::kLeft}});
  for (const DatasetInfo& set : sets) {
    table.add({set.name, set.available ? "yes" : "no", with_commas(set.train_rows), with_commas(set.test_rows),
               with_commas(set.classes), set.description});
  }
  fmt::print("{}\n", table.text());
  for (const DatasetInfo& set : sets) {
    const std::string where =
        set.available ? (set.location.empty() ? "built in" : set.location) : "missing: " + set.how_to_get;
    fmt::print("{}\n", wrap(set.name + ": " + where, 100, "    "));
  }
}

}  // namespace

Command add_datasets(CommandLine& line) {
  auto arguments = std::make_shared<DatasetsArguments>();
  const Verb datasets = line.add_verb("datasets", "list the built-in data sets and how to get them");
  datasets.add_flag("--json", arguments->json, "report as one JSON document");
  add_data_directory(datasets, arguments->directory);
  return {datasets, [arguments] {
            const std::vector<DatasetInfo> sets = list_datasets(arguments->directory);
            arguments->json ? print_datasets_as_json(sets) : print_datasets_for_people(sets);
            return 0;
          }};
}

}  // namespace falsum::cli
