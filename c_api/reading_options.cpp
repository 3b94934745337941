// Options for reading a file, which override what is inferred or stored in the model: LoadOptions by name.
#include "data/option_text.h"
#include "handles.h"
#include "options.h"
#include "text_values.h"

namespace falsum::c_api {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) list += (list.empty() ? "" : ",") + part;
  return list;
}

NamedOption columns(std::string name, std::string help, std::vector<std::string> LoadOptions::*field) {
  return {std::move(name), std::move(help),
          [field](falsum_options& options, const std::string& text) {
            options.load.*field = text.empty() ? std::vector<std::string>() : split_list(text);
          },
          [field](const falsum_options& options) { return joined(options.load.*field); }};
}

NamedOption text(std::string name, std::string help, std::string LoadOptions::*field) {
  return {std::move(name), std::move(help),
          [field](falsum_options& options, const std::string& value) { options.load.*field = value; },
          [field](const falsum_options& options) { return options.load.*field; }};
}

/// A character that may have a name; none is empty text, which stands for "to be inferred".
NamedOption mark(const std::string& name, const std::string& help, char LoadOptions::*field, const std::string& allowed,
                 const std::string& in_words) {
  const auto set = [name, field, allowed](falsum_options& options, const std::string& text) {
    options.load.*field = text.empty() ? '\0' : mark_of(name, text, allowed);
  };
  return {name, help + ": " + in_words, set, [field](const falsum_options& options) {
            return options.load.*field == '\0' ? std::string() : std::string(1, options.load.*field);
          }};
}

NamedOption header() {
  return {"header", "CSV: whether the first line has the names of the columns: true, false, or empty to find out",
          [](falsum_options& options, const std::string& text) {
            options.load.header.reset();
            if (!text.empty()) options.load.header = from_text<bool>("header", text, "");
          },
          [](const falsum_options& options) {
            return options.load.header ? to_text(*options.load.header) : std::string();
          }};
}

NamedOption no_label() {
  return {"no_label", "CSV: the data have no label column: true or false",
          [](falsum_options& options, const std::string& text) {
            options.load.no_label = from_text<bool>("no_label", text, "");
          },
          [](const falsum_options& options) { return to_text(options.load.no_label); }};
}

NamedOption missing() {
  return {
      "missing",
      "CSV: cells that stand for a missing value, as an empty one always does: A,B, or +A to add to the usual ones; "
      "empty for the usual ones",
      [](falsum_options& options, const std::string& text) {
        options.load.missing.reset();
        if (text.empty()) return;
        options.load.missing = missing_marks_of(text);
      },
      [](const falsum_options& options) {
        return options.load.missing ? joined(*options.load.missing) : std::string();
      }};
}

NamedOption first_index() {
  return {"first_index", "SVMlight: indices count from 0 or 1; -1 to find out",
          [](falsum_options& options, const std::string& text) {
            const int first = from_text<int>("first_index", text, "-1 to 1");
            if (first < -1 || first > 1)
              throw ConfigError(fmt::format("first_index must be -1, 0 or 1, got {}", first));
            options.load.first_index = first;
          },
          [](const falsum_options& options) { return to_text(options.load.first_index); }};
}

NamedOption bad_rows() {
  return {
      "bad_rows", "what to do with a row that cannot be read: error, or skip to leave it out",
      [](falsum_options& options, const std::string& text) { options.load.bad_rows = bad_rows_of("bad_rows", text); },
      [](const falsum_options& options) {
        return std::string(options.load.bad_rows == BadRows::kSkip ? "skip" : "error");
      }};
}

NamedOption data_seed() {
  return {"data_seed", "seed of generated data (noisy-xor); the machine has its own seed",
          [](falsum_options& options, const std::string& text) {
            options.load.seed = from_text<std::uint64_t>("data_seed", text, "0 to 2^64 - 1");
          },
          [](const falsum_options& options) { return to_text(options.load.seed); }};
}

}  // namespace

std::vector<NamedOption> reading_options() {
  return {text("label",
               "CSV: the label column, by name or by position from 0; negative counts from the end; empty for the last",
               &LoadOptions::label),
          no_label(),
          text("weight_column", "CSV, for training: the column of row weights, by name or position; empty for none",
               &LoadOptions::weight),
          header(),
          columns("ignore", "CSV: columns to leave out, by name or position: A,B", &LoadOptions::ignore),
          columns("number", "CSV: columns that hold numbers: A,B", &LoadOptions::number),
          columns("category", "CSV: columns whose values are names: A,B", &LoadOptions::category),
          missing(),
          mark("delimiter", "CSV: what stands between cells", &LoadOptions::delimiter, ",;\t| ",
               "comma, semicolon, tab, bar, space or empty to find out"),
          mark("decimal", "CSV: the decimal mark", &LoadOptions::decimal, ".,", "point, comma or empty to find out"),
          first_index(),
          bad_rows(),
          text("data_directory", "where to look first for built-in data sets", &LoadOptions::data_directory),
          data_seed()};
}

}  // namespace falsum::c_api
