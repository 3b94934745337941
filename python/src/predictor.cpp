#include "falsum/predictor.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bits.h"
#include "falsum/cpu.h"

namespace falsum::python {
namespace {

template <class Rows>
NumpyArray<std::int32_t> votes(const Predictor& predictor, const Rows& rows, unsigned threads) {
  std::vector<std::int32_t> sums;
  {
    nb::gil_scoped_release release;
    sums = predictor.votes(rows, threads);
  }
  return to_numpy(std::move(sums), {rows.rows(), predictor.outputs()});
}

template <class Rows>
NumpyArray<std::uint32_t> predict(const Predictor& predictor, const Rows& rows, unsigned threads) {
  std::vector<std::uint32_t> classes;
  {
    nb::gil_scoped_release release;
    classes = predictor.predict(rows, threads);
  }
  return to_numpy(std::move(classes), {rows.rows()});
}

template <class Rows>
NumpyArray<double> probabilities(const Predictor& predictor, const Rows& rows, unsigned threads) {
  std::vector<double> all;
  {
    nb::gil_scoped_release release;
    all = predictor.probabilities(rows, threads);
  }
  return to_numpy(std::move(all), {rows.rows(), predictor.outputs()});
}

template <class Rows>
NumpyArray<double> numbers(const Predictor& predictor, const Rows& rows, unsigned threads) {
  std::vector<double> all;
  {
    nb::gil_scoped_release release;
    all = predictor.numbers(rows, threads);
  }
  return to_numpy(std::move(all), {rows.rows()});
}

NumpyArray<std::uint32_t> predict_array(const Predictor& predictor, const Matrix& values, unsigned threads) {
  std::vector<std::uint32_t> classes;
  {
    nb::gil_scoped_release release;
    const unsigned workers = threads == 0 ? cpu_cores() : threads;
    const std::optional<ByteRowsView> bytes = as_bytes(values);
    classes =
        bytes ? predictor.predict(*bytes, workers) : predictor.predict(pack_without_lock(values, workers), workers);
  }
  return to_numpy(std::move(classes), {values.shape(0)});
}

}  // namespace

void bind_predictor(nb::module_& m) {
  nb::class_<Predictor>(m, "Predictor", "A model compiled for prediction; safe to share between threads.")
      .def(
          "__init__",
          [](Predictor* self, const Model& model, const std::string& engine, const std::string& kernels) {
            nb::gil_scoped_release release;
            new (self) Predictor(model, engine_named(engine), kernels);
          },
          nb::arg("model"), nb::arg("engine") = "auto", nb::arg("kernels") = "auto")
      .def("votes", &votes<BitMatrix>, nb::arg("rows"), nb::arg("threads") = 1, "Class sums, a row for each row.")
      .def("votes", &votes<SparseBits>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("votes", &votes<AnyRows>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("probabilities", &probabilities<BitMatrix>, nb::arg("rows"), nb::arg("threads") = 1,
           "Probabilities of the classes, a row for each row.")
      .def("probabilities", &probabilities<SparseBits>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("probabilities", &probabilities<AnyRows>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("predict", &predict<BitMatrix>, nb::arg("rows"), nb::arg("threads") = 1, "Class ids, one for each row.")
      .def("predict", &predict<SparseBits>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("predict", &predict<AnyRows>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("numbers", &numbers<BitMatrix>, nb::arg("rows"), nb::arg("threads") = 1,
           "Of a regression model: a number for each row.")
      .def("numbers", &numbers<SparseBits>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("numbers", &numbers<AnyRows>, nb::arg("rows"), nb::arg("threads") = 1)
      .def("predict_array", &predict_array, nb::arg("values").noconvert(), nb::arg("threads") = 1,
           "Class ids of an array of Booleans.")
      .def_prop_ro("features", &Predictor::features)
      .def_prop_ro("outputs", &Predictor::outputs)
      .def_prop_ro("kernels", &Predictor::kernels)
      .def(
          "choice",
          [](const Predictor& predictor, std::size_t rows, bool sparse) {
            const EngineChoice choice = predictor.choice(rows, sparse);
            return std::make_tuple(choice.name, choice.reason);
          },
          nb::arg("rows"), nb::arg("sparse") = false,
          "The engine that predicts this many rows at once, and a sentence on why.");
}

}  // namespace falsum::python
