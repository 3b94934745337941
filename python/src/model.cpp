#include "falsum/model.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind.h"
#include "falsum/export.h"
#include "falsum/hold_out.h"
#include "support/file.h"

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

Model model_from_json(const nb::bytes& text, const std::string& what) {
  const std::string_view view(text.c_str(), text.size());
  nb::gil_scoped_release release;
  return from_json(view, what);
}

/// Writes the files of an export; the main one is at `path`, the others beside it. Returns their paths.
std::vector<nb::bytes> export_files(const Model& model, const nb::bytes& path, const std::string& to,
                                    const std::string& form, const std::string& name) {
  const std::string main = to_text(path);
  const std::string folder = main.substr(0, main.find_last_of('/') + 1);
  std::vector<std::string> written;
  {
    nb::gil_scoped_release release;
    const std::vector<ExportedFile> files =
        export_model(model, named<ExportFormat>(to), {.name = name, .form = named<ExportForm>(form)});
    for (const ExportedFile& file : files) {
      written.push_back(written.empty() ? main : folder + file.name);
      write_file_atomically(written.back(), file.bytes);
    }
  }
  std::vector<nb::bytes> paths;
  for (const std::string& file : written) paths.emplace_back(file.data(), file.size());
  return paths;
}

/// Two sparse matrices: (starts, literals), a clause a row, and (starts, clauses, votes), an output a row.
nb::tuple clauses(const Model& model) {
  const ModelParts& parts = model.parts();
  const auto numbers = [](const auto& from, auto&& value) {
    std::vector<std::int64_t> to;
    to.reserve(from.size());
    for (const auto& each : from) to.push_back(static_cast<std::int64_t>(value(each)));
    const std::size_t size = to.size();
    return to_numpy(std::move(to), {size});
  };
  const auto same = [](auto each) { return each; };
  return nb::make_tuple(numbers(parts.clause_starts, same), numbers(parts.literals, same),
                        numbers(parts.weight_starts, same),
                        numbers(parts.weights, [](const Weight& weight) { return weight.clause; }),
                        numbers(parts.weights, [](const Weight& weight) { return weight.votes; }));
}

nb::dict provenance(const Model& model) {
  nb::dict values;
  values["falsum_version"] = model.provenance().falsum_version;
  values["data"] = model.provenance().data;
  values["samples"] = model.provenance().samples;
  values["epochs"] = model.provenance().epochs;
  values["test_accuracy"] = model.provenance().test_accuracy;
  values["test_rmse"] = model.provenance().test_rmse;
  values["validation_rows"] = model.provenance().validation_rows;
  values["validation_score"] = model.provenance().validation_score;
  values["last_epoch"] = model.provenance().last_epoch;
  return values;
}

Model described(const Model& model, std::vector<std::string> labels, const Booleanizer& booleanizer,
                const nb::dict& schema, std::string data) {
  return model.described({std::move(labels), booleanizer, to_schema(schema), std::move(data)});
}

nb::object calibration(const Model& model) {
  const Calibration& fitted = model.calibration();
  if (fitted.method == CalibrationMethod::kNone) return nb::none();
  nb::dict values;
  values["method"] = std::string(name_of(fitted.method));
  values["rows"] = fitted.rows;
  if (fitted.method == CalibrationMethod::kTemperature) values["temperature"] = fitted.temperature;
  if (fitted.method == CalibrationMethod::kIsotonic) {
    nb::list curves;
    for (const std::vector<CurvePoint>& curve : fitted.curves) {
      nb::list points;
      for (const CurvePoint& point : curve) points.append(nb::make_tuple(point.lead, point.probability));
      curves.append(points);
    }
    values["curves"] = curves;
  }
  return values;
}

using Votes = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

Model calibrated(const Model& model, const std::string& method, const Votes& votes, const Labels& labels) {
  nb::gil_scoped_release release;
  return model.calibrated(
      fit_calibration(calibration_named(method), {votes.data(), votes.size()}, {labels.data(), labels.size()}, model));
}

NumpyArray<bool> hold_out(const Labels& labels, double share, std::uint64_t seed) {
  const std::vector<bool> held = held_out_rows({labels.data(), labels.size()}, share, seed);
  auto* kept = new bool[held.size()];
  std::copy(held.begin(), held.end(), kept);
  nb::capsule owner(kept, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  return NumpyArray<bool>(kept, {held.size()}, owner);
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model", "The clauses that were learned, with labels and booleanizer.")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"), nb::arg("what") = nb::bytes("model"),
                  "From the bytes of a file; messages call it `what`.")
      .def_static("from_json", &model_from_json, nb::arg("text"), nb::arg("what") = "the JSON document",
                  "From JSON (docs/export.md); messages call it `what`.")
      .def(
          "to_json", [](const Model& model) { return to_json(model); }, "Everything in the model, as JSON.")
      .def("export_files", &export_files, nb::arg("path"), nb::arg("to"), nb::arg("form"), nb::arg("name"),
           "Writes the model in another format; returns the paths of the files.")
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
      .def_prop_ro("outputs", &Model::outputs)
      .def_prop_ro(
          "range", [](const Model& model) { return nb::make_tuple(model.range().least, model.range().most); },
          "Of a regression model: the least and the most that it answers.")
      .def_prop_ro("options", [](const Model& model) { return from_options(model.options()); })
      .def("described", &described, nb::arg("labels"), nb::arg("booleanizer"), nb::arg("schema"), nb::arg("data"),
           "The same clauses, finished: with all that a file should tell about the data.")
      .def_prop_ro("labels", &Model::labels)
      .def_prop_ro("booleanizer", &Model::booleanizer, nb::rv_policy::copy)
      .def_prop_ro(
          "schema", [](const Model& model) { return from_schema(model.schema()); },
          "What the columns were in training: format, first_index, label_kind, columns.")
      .def_prop_ro("provenance", &provenance)
      .def_prop_ro("calibration", &calibration, "How votes become probabilities: method, rows, and what was fitted.")
      .def("calibrated", &calibrated, nb::arg("method"), nb::arg("votes"), nb::arg("labels"),
           "The same clauses, with probabilities fitted to votes and class ids of rows that were not learned.")
      .def_prop_ro("clauses", &clauses,
                   "Clauses and weights as (clause_starts, literals, weight_starts, clauses, votes): a clause a row of "
                   "literals, an output a row of clauses and their votes.");
  m.def("hold_out", &hold_out, nb::arg("labels"), nb::arg("share"), nb::arg("seed"),
        "Whether each row is held out of learning: the same share of every class.");
}

}  // namespace falsum::python
