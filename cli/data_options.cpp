#include "data_options.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "booleanize/mappings.h"
#include "data/option_text.h"
#include "falsum/booleanize_options.h"
#include "parse_number.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

template <typename T>
void add_number(const Verb& verb, const std::string& name, T& value, T least, T most, const std::string& help) {
  const std::string facts = most == std::numeric_limits<T>::max()
                                ? fmt::format("default {}", value)
                                : fmt::format("{}..{}; default {}", least, most, value);
  verb.add_text(
          "--" + name,
          [&value, name, least, most](const std::string& text) {
            value = parse_number_within<T>(name, text, least, most);
          },
          fmt::format("{} ({})", help, facts))
      .type_name("N")
      .group("Data");
}

}  // namespace

void add_data_directory(const Verb& verb, std::string& directory) {
  verb.add_text("--data-directory", directory, "where to look first for built-in data sets")
      .type_name("FOLDER")
      .group("Data");
}

namespace {

void add_list(const Verb& verb, const std::string& name, std::vector<std::string>& list, const std::string& help) {
  verb.add_texts(
          "--" + name,
          [&list](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              for (std::string& column : split_list(text)) list.push_back(std::move(column));
            }
          },
          help)
      .type_name("A,B")
      .group("Data");
}

/// An option whose value is one of a few characters, some of which have names.
void add_mark(const Verb& verb, const std::string& name, char& mark, std::string_view allowed,
              const std::string& help) {
  verb.add_text(
          "--" + name, [&mark, name, allowed](const std::string& text) { mark = mark_of(name, text, allowed); }, help)
      .type_name("C")
      .group("Data");
}

}  // namespace

void add_load_options(const Verb& verb, DataOptions& options, bool training) {
  const std::string otherwise = training ? "" : "; as in training otherwise";
  verb.add_text("--label", options.load.label,
                training ? "CSV: the label column, by name or by position from 0; negative counts from the end "
                           "(default: the last column)"
                         : "CSV: the label column, where it has another name than in training")
      .type_name("COLUMN")
      .group("Data");
  verb.add_flag(
          "--header", [&options] { options.load.header = true; },
          "CSV: the first line has the names of the columns (--no-header: it has values" + otherwise + ")")
      .group("Data");
  verb.add_flag("--no-header", [&options] { options.load.header = false; }).group("");
  add_list(verb, "ignore", options.load.ignore, "CSV: columns to leave out, by name or position");
  if (training) {
    verb.add_text("--weight-column", options.load.weight,
                  "CSV: the column of row weights, by name or position: how often a row is used, compared with others")
        .type_name("COLUMN")
        .group("Data");
    add_list(verb, "number", options.load.number, "CSV: columns that hold numbers: anything else in them is an error");
    add_list(verb, "category", options.load.category,
             "CSV: columns whose values are names, also if they look like numbers");
  }
  verb.add_text(
          "--missing", [&options](const std::string& marks) { options.load.missing = missing_marks_of(marks); },
          "CSV: cells that stand for a missing value, as an empty one always does; +A adds A to the usual marks "
          "(default: NA, N/A, ?, null, None, nan, - and their like" +
              otherwise + ")")
      .type_name("A,B")
      .group("Data");
  add_mark(verb, "delimiter", options.load.delimiter, ",;\t| ",
           "CSV: what stands between cells: comma, semicolon, tab, bar or space" + otherwise);
  add_mark(verb, "decimal", options.load.decimal, ".,", "CSV: the decimal mark, point or comma" + otherwise);
  verb.add_text(
          "--first-index",
          [&options](const std::string& text) {
            options.load.first_index = parse_number_within<int>("first-index", text, 0, 1);
          },
          "SVMlight: indices count from 0 or 1 (default: " +
              std::string(training ? "from 1, unless an index 0 is in the file" : "as in training") + ")")
      .type_name("N")
      .group("Data");
  verb.add_text(
          "--bad-rows", [&options](const std::string& text) { options.load.bad_rows = bad_rows_of("bad-rows", text); },
          "CSV: what to do with a row that cannot be read: an error, or skip it and say so (error|skip; default "
          "error)")
      .type_name("HOW")
      .group("Data");
  add_data_directory(verb, options.load.data_directory);
  add_number<std::uint64_t>(verb, "data-seed", options.load.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "seed of generated data (noisy-xor); the machine has its own --seed");
}

void add_booleanize_options(const Verb& verb, DataOptions& options) {
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    const std::string name(info.name);
    const auto set = [&options, &info, name](const std::string& text) {
      std::visit(
          [&](auto field) {
            using T = std::remove_cvref_t<decltype(options.booleanize.*field)>;
            if constexpr (std::is_same_v<T, std::string>) {
              options.booleanize.*field = text;
            } else {
              options.booleanize.*field = parse_number<T>(name, text, range_text(info));
            }
          },
          info.field);
      validate(options.booleanize);
    };
    const std::string help =
        fmt::format("{}: {} ({}; default {})", name_of(info.data), info.help, range_text(info), default_text(info));
    const Argument option = verb.add_text("--" + name, set, help);
    option.type_name(info.choices.empty() ? "N" : "HOW").group("Data");
    options.added.emplace(info.name, option);
  }
}

void require_options_that_act(const DataOptions& options, const Source& source) {
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    if (!options.given(info.name) || info.acts_on(source)) continue;
    throw ConfigError(fmt::format("--{} is for {}, but {} is {}, where it would change nothing", info.name,
                                  name_of(info.data), source.origin, describe(source)));
  }
}

bool DataOptions::given(std::string_view name) const {
  const auto option = added.find(name);
  return option != added.end() && option->second.given();
}

std::string doubt_about(const Model& model, const Source& source, const DataOptions& options) {
  if (model.schema().known()) return "";
  const std::string kind = model.booleanizer().kind();
  if (kind == "columns") {
    return "the model does not say how its data were read, since it is of falsum 0.1: columns are taken by name, or in "
           "their "
           "order; train it again to be sure";
  }
  if (kind == "bits" && std::holds_alternative<SparseRows>(source.values) && options.load.first_index < 0) {
    return "the model does not say whether indices count from 0 or 1, since it is of falsum 0.1: they are taken to "
           "count from "
           "1 unless an index 0 is in the file; --first-index says so";
  }
  return "";
}

}  // namespace falsum::cli
