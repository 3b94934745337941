#include "falsum/predictor.h"

#include <nanobind/stl/string.h>

#include "bits.h"

namespace falsum::python {
namespace {

NumpyArray<std::int32_t> votes(const Predictor& predictor, const BitMatrix& rows, unsigned threads) {
  std::vector<std::int32_t> sums;
  {
    nb::gil_scoped_release release;
    sums = predictor.votes(rows, threads);
  }
  return to_numpy(std::move(sums), {rows.rows(), predictor.classes()});
}

NumpyArray<std::uint32_t> predict(const Predictor& predictor, const BitMatrix& rows, unsigned threads) {
  std::vector<std::uint32_t> classes;
  {
    nb::gil_scoped_release release;
    classes = predictor.predict(rows, threads);
  }
  return to_numpy(std::move(classes), {rows.rows()});
}

}  // namespace

void bind_predictor(nb::module_& m) {
  nb::class_<Predictor>(m, "Predictor", "A model compiled for prediction; safe to share between threads.")
      .def(
          "__init__",
          [](Predictor* self, const Model& model, const std::string& engine, const std::string& kernels) {
            nb::gil_scoped_release release;
            new (self) Predictor(model, engine, kernels);
          },
          nb::arg("model"), nb::arg("engine") = "auto", nb::arg("kernels") = "auto")
      .def("votes", &votes, nb::arg("rows"), nb::arg("threads") = 1, "Class sums, a row for each row.")
      .def("predict", &predict, nb::arg("rows"), nb::arg("threads") = 1, "Class ids, one for each row.")
      .def(
          "predict_array",
          [](const Predictor& predictor, const Matrix& values, unsigned threads) {
            return predict(predictor, pack(values), threads);
          },
          nb::arg("values").noconvert(), nb::arg("threads") = 1, "Class ids of an array of Booleans.")
      .def_prop_ro("features", &Predictor::features)
      .def_prop_ro("classes", &Predictor::classes)
      .def_prop_ro("kernels", &Predictor::kernels)
      .def("engine", &Predictor::engine, nb::arg("rows"), "The engine that predicts this many rows at once.");
}

}  // namespace falsum::python
