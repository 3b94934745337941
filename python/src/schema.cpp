// Schemas as dictionaries: what a model knows of the columns it was learned from.
#include "falsum/schema.h"

#include <nanobind/stl/string.h>

#include <string>

#include "bind.h"

namespace falsum::python {
namespace {

/// The value that name_of calls so, of those up to and including `last`.
template <class Enum>
Enum find_name(std::string_view name, Enum last, const char* what) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  throw nb::value_error((std::string("there is no ") + what + " " + std::string(name)).c_str());
}

template <class Value>
Value get(nb::handle values, const char* key) {
  return nb::cast<Value>(values[key]);
}

}  // namespace

ColumnKind to_kind(std::string_view name) { return find_name(name, ColumnKind::kEmpty, "kind of column"); }

nb::dict from_schema(const Schema& schema) {
  nb::list columns;
  for (const ColumnSchema& column : schema.columns) {
    nb::dict entry;
    entry["name"] = column.name;
    entry["role"] = std::string(name_of(column.role));
    entry["kind"] = std::string(name_of(column.kind));
    entry["missing"] = column.missing;
    entry["distinct"] = column.distinct;
    entry["least"] = column.least;
    entry["most"] = column.most;
    columns.append(entry);
  }
  nb::dict values;
  values["format"] = std::string(name_of(schema.format));
  values["first_index"] = schema.first_index;
  values["label_kind"] = std::string(name_of(schema.label_kind));
  values["columns"] = columns;
  return values;
}

Schema to_schema(const nb::dict& values) {
  Schema schema;
  schema.format = find_name(get<std::string>(values, "format"), DataFormat::kFrame, "format");
  schema.first_index = get<int>(values, "first_index");
  schema.label_kind = find_name(get<std::string>(values, "label_kind"), LabelKind::kBoolean, "kind of label");
  for (const nb::handle entry : get<nb::list>(values, "columns")) {
    schema.columns.push_back({.name = get<std::string>(entry, "name"),
                              .role = find_name(get<std::string>(entry, "role"), ColumnRole::kIgnored, "role"),
                              .kind = to_kind(get<std::string>(entry, "kind")),
                              .missing = get<std::uint64_t>(entry, "missing"),
                              .distinct = get<std::uint64_t>(entry, "distinct"),
                              .least = get<double>(entry, "least"),
                              .most = get<double>(entry, "most")});
  }
  return schema;
}

}  // namespace falsum::python
