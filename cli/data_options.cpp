#include "data_options.h"

#include <fmt/format.h>

#include <limits>

#include "parse_number.h"
#include "report.h"

namespace falsum::cli {

namespace {

template <typename T>
void add_number(CLI::App& app, const std::string& name, T& value, T least, T most, const std::string& help) {
  const std::string facts = most == std::numeric_limits<T>::max()
                                ? fmt::format("default {}", value)
                                : fmt::format("{}..{}; default {}", least, most, value);
  app.add_option_function<std::string>(
         "--" + name,
         [&value, name, least, most](const std::string& text) {
           value = parse_number_within<T>(name, text, least, most);
         },
         wrap(fmt::format("{} ({})", help, facts), kHelpWidth))
      ->type_name("N")
      ->group("Data");
}

}  // namespace

void add_data_directory(CLI::App& app, std::string& directory) {
  app.add_option("--data-directory", directory, wrap("where to look first for built-in data sets", kHelpWidth))
      ->type_name("FOLDER")
      ->group("Data");
}

void add_load_options(CLI::App& app, DataOptions& options) {
  app.add_option("--label", options.load.label,
                 wrap("CSV: the label column, by name or by position from 0; negative counts from the end (default: "
                      "the last column)",
                      kHelpWidth))
      ->type_name("COLUMN")
      ->group("Data");
  add_data_directory(app, options.load.data_directory);
  add_number<std::uint64_t>(app, "data-seed", options.load.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "seed of generated data (noisy-xor); the machine has its own --seed");
}

void add_booleanize_options(CLI::App& app, DataOptions& options) {
  add_number<int>(app, "levels", options.booleanize.levels, 1, 4, "images: grey thresholds, each a feature per pixel");
  add_number<int>(app, "quantiles", options.booleanize.quantiles, 1, 255, "numeric columns: thresholds at most");
  add_number<std::uint32_t>(app, "vocabulary", options.booleanize.vocabulary, 1, 10'000'000,
                            "text: words and phrases kept");
  add_number<int>(app, "phrases", options.booleanize.phrases, 1, 3,
                  "text: words in a row that are a feature at most; 2 has \"not good\" beside \"good\"");
  app.add_option("--select", options.booleanize.select,
                 wrap("text: which words are kept, the most frequent or (chi2) those that tell labels apart "
                      "(frequent|chi2; default frequent)",
                      kHelpWidth))
      ->type_name("HOW")
      ->group("Data");
}

LoadOptions load_options_for(const Booleanizer& booleanizer, const DataOptions& options) {
  LoadOptions load = options.load;
  load.split = Split::kTest;
  load.labelled = !options.no_label;
  if (booleanizer.kind() == "levels" && booleanizer.image_pixels() > 0) {
    load.levels = static_cast<int>(booleanizer.features() / booleanizer.image_pixels());
  }
  return load;
}

}  // namespace falsum::cli
