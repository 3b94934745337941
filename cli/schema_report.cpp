#include "schema_report.h"

#include <algorithm>

#include "booleanize/mappings.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

/// Features that each column of the schema becomes.
std::vector<std::size_t> features_of(const Schema& schema, const Booleanizer& booleanizer) {
  std::vector<std::size_t> features(schema.columns.size());
  const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping());
  std::size_t next = 0;
  for (std::size_t c = 0; c < features.size(); ++c) {
    if (schema.columns[c].role != ColumnRole::kFeature) continue;
    features[c] = table != nullptr && next < table->columns.size() ? column_features(table->columns[next]) : 1;
    ++next;
  }
  return features;
}

std::string delimiter_name(char delimiter) {
  switch (delimiter) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "bars";
    default:
      return "spaces";
  }
}

std::string dialect_text(const Schema& schema) {
  const Dialect& dialect = schema.dialect;
  std::string text = fmt::format("cells between {}, {}", delimiter_name(dialect.delimiter),
                                 dialect.header ? "names in the first line" : "no names");
  if (dialect.quote != '"') text += ", single quotes";
  if (dialect.backslash) text += ", backslash escapes";
  if (dialect.numbers.decimal == ',') text += ", decimal comma";
  if (dialect.numbers.thousands != '\0') text += fmt::format(", thousands marked by '{}'", dialect.numbers.thousands);
  return text;
}

std::string values_text(const ColumnSchema& column) {
  if (column.kind == ColumnKind::kEmpty) return "";
  if (column.kind == ColumnKind::kCategory) {
    return column.distinct == 0 ? "" : counted(column.distinct, "value", "values");
  }
  if (column.kind == ColumnKind::kBoolean) return "true, false";
  if (column.least == 0 && column.most == 0) return "";
  return fmt::format("{} to {}", value_text(column.kind, column.least), value_text(column.kind, column.most));
}

std::string title(const ColumnSchema& column, std::size_t position) {
  return column.name.empty() ? fmt::format("({})", position) : printable(column.name);
}

}  // namespace

std::string skipped_text(const ReadingReport& reading) {
  if (reading.skipped.empty()) return "";
  return fmt::format("left out {} that cannot be read, the first: {}", counted(reading.skipped.size(), "row", "rows"),
                     printable(reading.first_problem));
}

std::string schema_text(const Schema& schema, const Booleanizer& booleanizer, const std::string& origin,
                        const ReadingReport* reading) {
  std::string text;
  if (schema.format == DataFormat::kCsv) {
    text = fmt::format("{}: {}", origin.empty() ? "data" : origin, dialect_text(schema));
    if (reading != nullptr && reading->encoding != "utf-8") text += ", " + reading->encoding;
    if (reading != nullptr && reading->preamble_lines > 0) {
      text += fmt::format(", {} before the table", counted(reading->preamble_lines, "line", "lines"));
    }
    text += "\n";
  } else if (schema.format == DataFormat::kSvmlight && schema.first_index >= 0) {
    text = fmt::format("{}: SVMlight, indices count from {}\n", origin.empty() ? "data" : origin, schema.first_index);
  }
  const bool tabular = schema.format == DataFormat::kCsv || schema.format == DataFormat::kFrame;
  if (tabular && !schema.columns.empty()) {
    using Align = Table::Align;
    Table table(
        {{"column", Align::kLeft}, {"kind", Align::kLeft}, {"values", Align::kLeft}, {"missing"}, {"features"}});
    constexpr std::size_t kMostShown = 30;  // --json has all
    const std::vector<std::size_t> features = features_of(schema, booleanizer);
    const std::size_t all = schema.columns.size(), shown = all > kMostShown ? kMostShown - 5 : all;
    for (std::size_t c = 0; c < all; ++c) {
      const ColumnSchema& column = schema.columns[c];
      if (c >= shown && column.role == ColumnRole::kFeature) continue;
      const bool feature = column.role == ColumnRole::kFeature;
      table.add({title(column, c),
                 feature                             ? std::string(name_of(column.kind))
                 : column.role == ColumnRole::kLabel ? fmt::format("label ({})", name_of(schema.label_kind))
                                                     : "left out",
                 feature ? values_text(column) : "", column.missing == 0 ? "." : with_commas(column.missing),
                 feature ? with_commas(features[c]) : ""});
    }
    text += table.text();
    if (shown < all) text += fmt::format("... and {} more columns (--json has all)\n", with_commas(all - shown));
  }
  if (reading != nullptr) {
    for (const std::string& note : reading->notes) text += "note: " + printable(note) + "\n";
  }
  return text;
}

Json schema_json(const Schema& schema, const Booleanizer& booleanizer, const ReadingReport* reading) {
  const auto mark = [](char c) { return c == '\0' ? std::string() : std::string(1, c); };
  Json json;
  json["format"] = name_of(schema.format);
  if (schema.format == DataFormat::kCsv) {
    if (reading != nullptr) json["encoding"] = reading->encoding;
    json["delimiter"] = mark(schema.dialect.delimiter);
    json["quote"] = mark(schema.dialect.quote);
    json["backslash"] = schema.dialect.backslash;
    json["header"] = schema.dialect.header;
    json["decimal"] = mark(schema.dialect.numbers.decimal);
    json["thousands"] = mark(schema.dialect.numbers.thousands);
    if (reading != nullptr) json["preamble_lines"] = reading->preamble_lines;
    json["missing_marks"] = schema.missing_marks;
  }
  if (schema.first_index >= 0) json["first_index"] = schema.first_index;
  json["label_kind"] = name_of(schema.label_kind);
  Json columns = Json::array();
  const std::vector<std::size_t> features = features_of(schema, booleanizer);
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const ColumnSchema& column = schema.columns[c];
    const bool ranged = column.role == ColumnRole::kFeature && column.kind != ColumnKind::kCategory &&
                        column.kind != ColumnKind::kEmpty && column.kind != ColumnKind::kBoolean;
    const auto value = [&](double number) {
      if (!ranged) return Json();
      return column.kind == ColumnKind::kNumber ? Json(number) : Json(value_text(column.kind, number));
    };
    columns.push_back({{"name", column.name},
                       {"role", name_of(column.role)},
                       {"kind", name_of(column.kind)},
                       {"missing", column.missing},
                       {"features", features[c]},
                       {"distinct", column.kind == ColumnKind::kCategory ? Json(column.distinct) : Json()},
                       {"least", value(column.least)},
                       {"most", value(column.most)}});
  }
  json["columns"] = std::move(columns);
  if (reading != nullptr) {
    json["notes"] = reading->notes;
    json["skipped_rows"] = reading->skipped.size();
    json["first_problem"] = reading->first_problem.empty() ? Json() : Json(reading->first_problem);
  }
  return json;
}

}  // namespace falsum::cli
