// The data sets that the library knows by name.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "falsum/source.h"

namespace falsum::python {
namespace {

nb::object to_python(Source& source) {
  if (auto* bits = std::get_if<BitMatrix>(&source.values)) return nb::cast(std::move(*bits));
  if (auto* images = std::get_if<GreyImages>(&source.values)) {
    const std::size_t rows = images->rows, pixels = images->pixels;
    return nb::cast(to_numpy(std::move(images->values), {rows, pixels}));
  }
  if (auto* documents = std::get_if<Documents>(&source.values)) return nb::cast(documents->texts);
  throw nb::value_error("this data set has a shape that Python cannot take");
}

nb::tuple load_dataset(const std::string& name, const std::string& folder, int levels, std::uint64_t seed) {
  Source source;
  {
    nb::gil_scoped_release release;
    LoadOptions options;
    options.data_directory = folder;
    options.levels = levels;
    options.seed = seed;
    source = load_source(name, options);
  }
  return nb::make_tuple(to_python(source), source.labels);
}

/// A table as (schema, columns): each an array of numbers, or (codes, categories).
nb::tuple read_table(const nb::bytes& path) {
  const std::string name(path.c_str(), path.size());
  Source source;
  {
    nb::gil_scoped_release release;
    LoadOptions options;
    options.labelled = false;
    source = load_source(name, options);
  }
  auto* table = std::get_if<Columns>(&source.values);
  if (table == nullptr) return nb::make_tuple(from_schema(source.schema), nb::none(), source.reading.notes);
  nb::list columns;
  for (Column& column : table->columns) {
    const std::size_t rows = table->rows;
    if (column.categorical) {
      columns.append(nb::make_tuple(to_numpy(std::move(column.category), {rows}), column.categories));
    } else {
      columns.append(nb::cast(to_numpy(std::move(column.numbers), {rows})));
    }
  }
  return nb::make_tuple(from_schema(source.schema), columns, source.reading.notes);
}

nb::list datasets(const std::string& folder) {
  nb::list all;
  for (const DatasetInfo& info : list_datasets(folder)) {
    nb::dict entry;
    entry["name"] = info.name;
    entry["description"] = info.description;
    entry["available"] = info.available;
    entry["location"] = info.location;
    entry["how_to_get"] = info.how_to_get;
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_data(nb::module_& m) {
  m.def("load_dataset", &load_dataset, nb::arg("name"), nb::arg("folder") = "", nb::arg("levels") = 1,
        nb::arg("seed") = 42, "(values, labels) of a built-in data set: Bits, grey images or texts.");
  m.def("read_table", &read_table, nb::arg("path"),
        "(schema, columns, notes) of a table of text; columns are arrays of numbers or (codes, categories), and None "
        "for data "
        "of another shape.");
  m.def("list_datasets", &datasets, nb::arg("folder") = "");
}

}  // namespace falsum::python
