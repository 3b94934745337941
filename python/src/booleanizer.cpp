// The booleanizer of a model: what the Python class Booleanizer fits, and what turns its input into bits.
#include "falsum/booleanizer.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bits.h"
#include "booleanize/mappings.h"
#include "falsum/booleanize_options.h"
#include "support/bytes.h"

namespace falsum::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Codes = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Name, kind (as ColumnKind is called; boolean if the value is the feature), thresholds, categories, whether values
/// were missing.
using MappingParts = std::tuple<std::string, std::string, std::vector<double>, std::vector<std::string>, bool>;

constexpr std::size_t kRowsAtOnce = 4096;  // a block of doubles beside the caller's array, not a copy of all of it

Booleanizer from_columns(const std::vector<MappingParts>& parts) {
  Booleanizer::ByColumn table;
  for (const auto& [name, kind_name, thresholds, categories, missing] : parts) {
    const ColumnKind kind = to_kind(kind_name);
    const bool categorical = kind == ColumnKind::kCategory, boolean = kind == ColumnKind::kBoolean;
    const bool plain = categorical || boolean || kind == ColumnKind::kEmpty;
    table.columns.push_back(
        {name, categorical, boolean, thresholds, categories, missing, plain ? ColumnKind::kNumber : kind});
  }
  return Booleanizer::from_mapping(std::move(table));
}

std::vector<MappingParts> column_mappings(const Booleanizer& booleanizer) {
  std::vector<MappingParts> parts;
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
    for (const Booleanizer::ColumnMapping& column : table->columns) {
      const ColumnKind kind = column.categorical ? ColumnKind::kCategory
                              : column.boolean   ? ColumnKind::kBoolean
                                                 : column.unit;
      parts.emplace_back(column.name, name_of(kind), column.thresholds, column.categories, column.missing);
    }
  }
  return parts;
}

std::vector<std::uint32_t> level_thresholds(const Booleanizer& booleanizer) {
  const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer.mapping());
  if (levels == nullptr) return {};
  return {levels->thresholds.begin(), levels->thresholds.end()};
}

/// Copies rows first .. first+count-1 in the shape that this booleanizer reads.
template <class T>
Source block_of(const Booleanizer& booleanizer, const T* values, std::int64_t down, std::int64_t right,
                std::size_t count, std::size_t columns) {
  Source source;
  source.origin = "X";
  const auto at = [&](std::size_t r, std::size_t c) {
    return values[static_cast<std::int64_t>(r) * down + static_cast<std::int64_t>(c) * right];
  };
  if (std::holds_alternative<Booleanizer::Levels>(booleanizer.mapping())) {
    GreyImages images{count, columns, std::vector<std::uint8_t>(count * columns)};
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        images.values[r * columns + c] =
            static_cast<std::uint8_t>(std::clamp<double>(std::floor(static_cast<double>(at(r, c))), 0, 255));
      }
    }
    source.values = std::move(images);
    return source;
  }
  Columns table;
  table.rows = count;
  table.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    if (const auto* fitted = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping());
        fitted && c < fitted->columns.size()) {
      table.columns[c].name = fitted->columns[c].name;
    }
    table.columns[c].numbers.resize(count);
    for (std::size_t r = 0; r < count; ++r) table.columns[c].numbers[r] = static_cast<double>(at(r, c));
  }
  source.values = std::move(table);
  return source;
}

BitMatrix transform(const Booleanizer& booleanizer, const Matrix& values) {
  if (std::holds_alternative<Booleanizer::Bits>(booleanizer.mapping())) return pack(values, false);
  nb::gil_scoped_release release;
  BitMatrix bits(values.shape(0), booleanizer.features());
  with_type(values, [&](const auto* first, std::int64_t down, std::int64_t right) {
    for (std::size_t r = 0; r < bits.rows(); r += kRowsAtOnce) {
      const std::size_t count = std::min(kRowsAtOnce, bits.rows() - r);
      const BitMatrix block = booleanizer.transform(
          block_of(booleanizer, first + static_cast<std::int64_t>(r) * down, down, right, count, values.shape(1)));
      std::copy(block.row(0).data(), block.row(0).data() + count * block.words_per_row(), bits.row(r).data());
    }
  });
  return bits;
}

}  // namespace

Columns to_columns(const nb::list& columns, std::size_t rows) {
  Columns table;
  table.rows = rows;
  for (const nb::handle entry : columns) {
    Column column;
    if (nb::isinstance<nb::tuple>(entry)) {
      std::tuple<Codes, std::vector<std::string>> parts;
      if (!nb::try_cast(entry, parts)) throw nb::type_error("a categorical column is (codes, categories)");
      const auto& [codes, categories] = parts;
      column.categorical = true;
      column.categories = categories;
      column.category.assign(codes.data(), codes.data() + codes.size());
      for (const std::uint32_t code : column.category) {
        if (code >= categories.size() && code != kMissingCategory) {
          throw nb::value_error("a category code is out of range");
        }
      }
    } else {
      Numbers numbers;
      if (!nb::try_cast(entry, numbers)) throw nb::type_error("a column of numbers is an array of float64");
      column.numbers.resize(numbers.size());
      for (std::size_t r = 0; r < numbers.size(); ++r) column.numbers[r] = numbers(r);
    }
    if ((column.categorical ? column.category.size() : column.numbers.size()) != rows) {
      throw nb::value_error("the columns have different lengths");
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

namespace {

/// Columns one by one, as a data frame has them: numbers, or (codes, categories) of a categorical column.
BitMatrix transform_columns(const Booleanizer& booleanizer, const nb::list& columns, std::size_t rows) {
  Columns table = to_columns(columns, rows);
  nb::gil_scoped_release release;
  if (const auto* fitted = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
    for (std::size_t c = 0; c < std::min(fitted->columns.size(), table.columns.size()); ++c) {
      table.columns[c].name = fitted->columns[c].name;  // Python has matched them already
    }
  }
  Source source;
  source.values = std::move(table);
  source.origin = "X";
  return booleanizer.transform(source);
}

BitMatrix transform_texts(const Booleanizer& booleanizer, std::vector<std::string> texts) {
  nb::gil_scoped_release release;
  Source source;
  source.values = Documents{std::move(texts)};
  source.origin = "X";
  return booleanizer.transform(source);
}

nb::bytes to_bytes(const Booleanizer& booleanizer) {
  ByteWriter writer;
  booleanizer.write(writer);
  return nb::bytes(writer.bytes().data(), writer.bytes().size());
}

Booleanizer from_bytes(const nb::bytes& bytes) {
  ByteReader reader(std::string_view(bytes.c_str(), bytes.size()), "booleanizer");
  Booleanizer booleanizer = Booleanizer::read(reader);
  reader.expect_end();
  return booleanizer;
}

nb::list option_list() {
  const BooleanizeOptions defaults;
  nb::list options;
  for (const BooleanizeOptionInfo& option : booleanize_option_table()) {
    nb::dict entry;
    entry["name"] = std::string(option.name);
    entry["default"] = std::visit([&](auto field) -> nb::object { return nb::cast(defaults.*field); }, option.field);
    entry["least"] = option.least;
    entry["most"] = option.most;
    entry["choices"] = std::string(option.choices);
    entry["acts_on"] = std::string(name_of(option.data));
    entry["help"] = std::string(option.help);
    options.append(entry);
  }
  return options;
}

std::vector<double> quantiles(const Numbers& numbers, std::size_t count, const std::string& kind) {
  const ColumnKind unit = to_kind(kind);
  std::vector<double> values(numbers.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    values[r] = numbers(r);
    if (!std::isfinite(values[r])) throw nb::value_error("quantiles are of finite numbers only");
  }
  nb::gil_scoped_release release;
  return quantile_thresholds(std::move(values), count, unit);
}

}  // namespace

void bind_booleanizer(nb::module_& m) {
  nb::class_<Booleanizer>(m, "Booleanizer", "Raw values -> Boolean features, as stored in a model.")
      .def_static(
          "bits",
          [](std::uint32_t features, std::vector<std::string> names, std::uint32_t image_width) {
            return Booleanizer::from_mapping(Booleanizer::Bits{features, std::move(names)}, image_width);
          },
          nb::arg("features"), nb::arg("names") = std::vector<std::string>(), nb::arg("image_width") = 0)
      .def_static(
          "columns", &from_columns, nb::arg("columns"),
          "Of (name, kind, thresholds, categories, missing) for each column; kind is number, boolean, category, "
          "date, datetime or time; missing: its last feature is whether the value is missing.")
      .def_static(
          "levels",
          [](std::uint32_t pixels, std::uint32_t width, int levels) {
            Source source;
            source.values = GreyImages{1, pixels, std::vector<std::uint8_t>(pixels)};
            source.image_width = width;
            source.origin = "X";
            return Booleanizer::fit(source, {.levels = levels});
          },
          nb::arg("pixels"), nb::arg("width"), nb::arg("levels"))
      .def("to_bytes", &to_bytes, "As it stands in a model file.")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def("transform", &transform, nb::arg("values").noconvert(), "Bits of a matrix of numbers.")
      .def("transform_columns", &transform_columns, nb::arg("columns"), nb::arg("rows"),
           "Bits of columns: arrays of numbers, or tuples of codes and categories.")
      .def("transform_texts", &transform_texts, nb::arg("texts"), "Bits of documents, for a model of words.")
      .def_prop_ro("column_mappings", &column_mappings)
      .def_prop_ro("level_thresholds", &level_thresholds)
      .def_prop_ro("kind", &Booleanizer::kind)
      .def_prop_ro("features", &Booleanizer::features)
      .def_prop_ro("feature_names", &Booleanizer::feature_names)
      .def_prop_ro("image_width", &Booleanizer::image_width)
      .def_prop_ro("image_pixels", &Booleanizer::image_pixels)
      .def(
          "__eq__", [](const Booleanizer& a, const Booleanizer& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"));
  m.def(
      "value_text", [](const std::string& kind, double value) { return value_text(to_kind(kind), value); },
      nb::arg("kind"), nb::arg("value"), "A value of a column of this kind, for people: dates as dates.");
  m.def("booleanize_option_table", &option_list,
        "Every option of booleanizing: name, default, least, most, choices, acts_on, help.");
  m.def("quantile_thresholds", &quantiles, nb::arg("numbers"), nb::arg("count"), nb::arg("kind") = "number",
        "At most count readable thresholds that cut the numbers into parts of about equal size.");
}

}  // namespace falsum::python
