// Files of packed rows: read (PackedRows), and written from the parts that Python has (RowsWriter).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "bind.h"
#include "data/packed_writer.h"
#include "falsum/booleanizer.h"
#include "falsum/model.h"
#include "falsum/pack.h"
#include "falsum/packed_rows.h"
#include "pipeline/column_spill.h"
#include "support/bytes.h"

namespace falsum::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using LabelRows = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::string text_of(const nb::bytes& path) { return {path.c_str(), path.size()}; }

struct RowsFile {
  std::shared_ptr<const PackedRows> file;
  AnyRows rows() const { return {file, file->rows()}; }
};

template <class T>
nb::object copied(std::span<const T> values) {
  return nb::cast(to_numpy(std::vector<T>(values.begin(), values.end()), {values.size()}));
}

nb::object targets(const RowsFile& rows) {
  const Targets targets = rows.file->targets();
  if (targets.task() == Task::kClassification) return copied(targets.classes());
  if (targets.task() == Task::kRegression) return copied(targets.numbers());
  const std::size_t count = targets.size(), outputs = targets.labels().columns();
  auto* values = new bool[count * outputs];
  nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  for (std::size_t r = 0; r < count; ++r) {
    const std::span<const std::uint64_t> row = targets.labels().packed(r);
    for (std::size_t o = 0; o < outputs; ++o) values[r * outputs + o] = row[o / 64] >> (o % 64) & 1;
  }
  return nb::cast(NumpyArray<bool>(values, {count, outputs}, owner));
}

AnyRows take(const AnyRows& rows, const Positions& positions) {
  std::vector<bool> wanted(rows.rows());
  std::int64_t least = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t at = positions.data()[i];
    if (at < least || static_cast<std::uint64_t>(at) >= wanted.size()) {
      throw nb::value_error("positions of mapped rows must ascend");
    }
    wanted[static_cast<std::size_t>(at)] = true;
    least = at + 1;
  }
  return rows.some(wanted);
}

/// Rows that are Boolean already are written at once; columns wait until all are there, since thresholds need them all.
class RowsWriter {
 public:
  explicit RowsWriter(const nb::bytes& path) : path_(text_of(path)) {}

  template <class Rows>
  void add(const Rows& rows) {
    nb::gil_scoped_release release;
    writer(falsum::Rows(rows).is_sparse()).add(rows);
  }
  void add_columns(const nb::list& names, const nb::list& columns, std::size_t rows);
  nb::object numbers(std::size_t c) {
    nb::gil_scoped_release release;
    Column column = spill_->column(c);
    nb::gil_scoped_acquire acquire;
    const std::size_t size = column.numbers.size();
    return nb::cast(to_numpy(std::move(column.numbers), {size}));
  }
  nb::tuple categories(std::size_t c) const { return nb::make_tuple(spill_->column(c).categories, spill_->missing(c)); }
  void divide(std::size_t c, double by) { spill_->divide(c, by); }
  std::uint64_t finish(const Booleanizer& booleanizer, const nb::object& targets,
                       const std::vector<std::string>& outputs, const std::optional<Numbers>& weights,
                       const nb::dict& schema, const std::string& origin);

 private:
  PackedWriter& writer(bool sparse) {
    if (!writer_) writer_.emplace(path_, sparse);
    return *writer_;
  }

  std::string path_;
  std::optional<ColumnSpill> spill_;
  std::optional<PackedWriter> writer_;
};

void RowsWriter::add_columns(const nb::list& names, const nb::list& columns, std::size_t rows) {
  Columns part = to_columns(columns, rows);
  for (std::size_t c = 0; c < part.columns.size(); ++c) part.columns[c].name = nb::cast<std::string>(names[c]);
  nb::gil_scoped_release release;
  if (!spill_) spill_.emplace(path_);
  spill_->add(part, "the data");
}

std::uint64_t RowsWriter::finish(const Booleanizer& booleanizer, const nb::object& targets,
                                 const std::vector<std::string>& outputs, const std::optional<Numbers>& weights,
                                 const nb::dict& schema, const std::string& origin) {
  PackedWriter::Rest rest;
  AnyTargets kept;
  Labels classes;
  Numbers numbers;
  LabelRows labels;
  if (nb::try_cast(targets, classes, false)) {
    kept = std::vector<std::uint32_t>(classes.data(), classes.data() + classes.size());
  } else if (nb::try_cast(targets, numbers, false)) {
    kept = std::vector<double>(numbers.data(), numbers.data() + numbers.size());
  } else if (nb::try_cast(targets, labels, false)) {
    BitMatrix bits(labels.shape(0), labels.shape(1));
    for (std::size_t r = 0; r < bits.rows(); ++r) {
      for (std::size_t o = 0; o < bits.columns(); ++o) {
        if (labels.data()[r * bits.columns() + o]) bits.set(r, o);
      }
    }
    kept = std::move(bits);
  } else if (!targets.is_none()) {
    throw nb::type_error("targets are uint32, float64 or rows of bool");
  }
  if (weights) rest.weights.assign(weights->data(), weights->data() + weights->size());
  rest.schema = to_schema(schema);
  rest.outputs = outputs;
  rest.origin = origin;
  rest.columns = booleanizer.features();
  ByteWriter bytes;
  booleanizer.write(bytes);
  rest.booleanizer = bytes.take();
  const bool labelled = !targets.is_none();
  nb::gil_scoped_release release;
  if (spill_) {
    pack_spilled(*spill_, booleanizer, writer(false));
    spill_.reset();
  }
  const Targets view = kept.view();
  if (labelled) rest.targets = &view;
  if (labelled && view.size() != writer(false).rows()) throw DataError("there are other numbers of rows and labels");
  return writer(false).finish(rest);
}

nb::dict pack_file(const std::string& data, const nb::bytes& path, const std::string& task, const std::string& label,
                   const nb::bytes& like) {
  PackOptions options;
  options.load.task = named<Task>(task);
  options.load.label = label;
  options.like = text_of(like);
  const std::string target = text_of(path);
  PackReport report;
  {
    nb::gil_scoped_release release;
    report = pack(data, target, options);
  }
  nb::dict values;
  values["notes"] = nb::cast(report.reading.notes);
  return values;
}

}  // namespace

void bind_packed(nb::module_& m) {
  nb::class_<AnyRows>(m, "MappedRows", "Rows of a mapped file, or some of them.")
      .def_prop_ro("rows", &AnyRows::rows)
      .def_prop_ro("columns", [](const AnyRows& rows) { return rows.view().columns(); })
      .def("take", &take, nb::arg("positions"), "The rows at these positions, which ascend; they stay in the file.")
      .def("__len__", &AnyRows::rows);
  nb::class_<RowsFile>(m, "PackedRows", "A file of rows that are Boolean already.")
      .def(
          "__init__",
          [](RowsFile* self, const nb::bytes& path) {
            const std::string name = text_of(path);
            nb::gil_scoped_release release;
            new (self) RowsFile{PackedRows::open(name)};
          },
          nb::arg("path"))
      .def_prop_ro("rows", &RowsFile::rows)
      .def_prop_ro("labelled", [](const RowsFile& rows) { return rows.file->labelled(); })
      .def_prop_ro("task", [](const RowsFile& rows) { return std::string(name_of(rows.file->task())); })
      .def_prop_ro("outputs", [](const RowsFile& rows) { return rows.file->outputs(); })
      .def_prop_ro("targets", &targets, "Class ids, numbers or rows of truth values.")
      .def_prop_ro("weights",
                   [](const RowsFile& rows) -> nb::object {
                     const std::span<const double> weights = rows.file->weights();
                     return weights.empty() ? nb::none() : copied(weights);
                   })
      .def_prop_ro("origin", [](const RowsFile& rows) { return rows.file->origin(); })
      .def_prop_ro("schema", [](const RowsFile& rows) { return from_schema(rows.file->schema()); })
      .def_prop_ro("booleanizer", [](const RowsFile& rows) { return Booleanizer::of(*rows.file); })
      .def_prop_ro("bytes", [](const RowsFile& rows) { return rows.file->bytes(); })
      .def(
          "describe",
          [](const RowsFile& rows, const Model& model) {
            const PackedRows& file = *rows.file;
            return model.described({file.outputs(), Booleanizer::of(file), file.schema(), file.origin()});
          },
          nb::arg("model"), "The model with all that a file should tell about these rows.");
  nb::class_<RowsWriter>(m, "RowsWriter", "Writes a file of packed rows.")
      .def(nb::init<const nb::bytes&>(), nb::arg("path"))
      .def("add", &RowsWriter::add<BitMatrix>, nb::arg("rows"), "The next rows.")
      .def("add", &RowsWriter::add<SparseBits>, nb::arg("rows"))
      .def("add_columns", &RowsWriter::add_columns, nb::arg("names"), nb::arg("columns"), nb::arg("rows"),
           "The next rows as columns: arrays of numbers, or tuples of codes and categories.")
      .def("numbers", &RowsWriter::numbers, nb::arg("column"), "All numbers of a column.")
      .def("categories", &RowsWriter::categories, nb::arg("column"),
           "The categories of a column, and how many values are missing.")
      .def("divide", &RowsWriter::divide, nb::arg("column"), nb::arg("by"), "Of numbers: seconds become days.")
      .def("finish", &RowsWriter::finish, nb::arg("booleanizer"), nb::arg("targets").none(), nb::arg("outputs"),
           nb::arg("weights").none(), nb::arg("schema"), nb::arg("origin"), "Writes the rest; returns the bytes.");
  m.def("pack_file", &pack_file, nb::arg("data"), nb::arg("path"), nb::arg("task"), nb::arg("label"), nb::arg("like"),
        "Packs a file or a built-in data set as the command does.");
}

}  // namespace falsum::python
