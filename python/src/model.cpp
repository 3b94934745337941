#include "falsum/model.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace falsum::python {
namespace {

/// Paths come as bytes, as the system has them: text cannot say all of them.
std::string to_text(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::bytes to_bytes(const Model& model) {
  std::string bytes;
  {
    nb::gil_scoped_release release;
    bytes = model.to_bytes();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes, const nb::bytes& what) {
  const std::string_view view(bytes.c_str(), bytes.size());
  const std::string name = to_text(what);
  nb::gil_scoped_release release;
  return Model::from_bytes(view, name);
}

/// Clause c of class i is row i * clauses + c of a sparse matrix: (starts, literals, weights).
nb::tuple clauses(const Model& model) {
  std::vector<std::int64_t> starts = {0};
  std::vector<std::int64_t> literals;
  std::vector<std::int32_t> weights;
  literals.reserve(model.included());
  for (std::size_t i = 0; i < model.classes(); ++i) {
    for (std::size_t c = 0; c < model.clauses(); ++c) {
      const auto clause = model.clause(i, c);
      literals.insert(literals.end(), clause.begin(), clause.end());
      starts.push_back(static_cast<std::int64_t>(literals.size()));
      weights.push_back(model.weight(i, c));
    }
  }
  const std::size_t rows = weights.size(), included = literals.size();
  return nb::make_tuple(to_numpy(std::move(starts), {rows + 1}), to_numpy(std::move(literals), {included}),
                        to_numpy(std::move(weights), {rows}));
}

nb::dict provenance(const Model& model) {
  nb::dict values;
  values["falsum_version"] = model.provenance.falsum_version;
  values["data"] = model.provenance.data;
  values["samples"] = model.provenance.samples;
  values["epochs"] = model.provenance.epochs;
  values["test_accuracy"] = model.provenance.test_accuracy;
  return values;
}

void set_provenance(Model& model, const nb::dict& values) {
  model.provenance.falsum_version = nb::cast<std::string>(values["falsum_version"]);
  model.provenance.data = nb::cast<std::string>(values["data"]);
  model.provenance.samples = nb::cast<std::uint64_t>(values["samples"]);
  model.provenance.epochs = nb::cast<std::uint64_t>(values["epochs"]);
  model.provenance.test_accuracy = nb::cast<double>(values["test_accuracy"]);
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model", "The clauses that were learned, with labels and booleanizer.")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"), nb::arg("what") = nb::bytes("model"),
                  "From the bytes of a file; messages call it `what`.")
      .def("to_bytes", &to_bytes)
      .def(
          "save",
          [](const Model& model, const nb::bytes& path) {
            const std::string name = to_text(path);
            nb::gil_scoped_release release;
            model.save(name);
          },
          nb::arg("path"))
      .def_prop_ro("features", &Model::features)
      .def_prop_ro("classes", &Model::classes)
      .def_prop_ro("clauses_per_class", &Model::clauses)
      .def_prop_ro("options", [](const Model& model) { return from_options(model.options()); })
      .def_rw("labels", &Model::labels)
      .def_rw("booleanizer", &Model::booleanizer)
      .def_prop_rw(
          "schema", [](const Model& model) { return from_schema(model.schema); },
          [](Model& model, const nb::dict& values) { model.schema = to_schema(values); },
          "What the columns were in training: format, first_index, label_kind, columns.")
      .def_prop_rw("provenance", &provenance, &set_provenance)
      .def_prop_ro("clauses", &clauses, "The included literals as (starts, literals, weights), a clause a row.");
}

}  // namespace falsum::python
