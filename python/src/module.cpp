#include "bind.h"
#include "falsum/error.h"

namespace falsum::python {
namespace {

/// What a caller did wrong is a ValueError, what a file or disk did is an OSError: what Python programs expect.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const FileError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

}  // namespace
}  // namespace falsum::python

NB_MODULE(_core, m) {
  using namespace falsum::python;
  m.doc() = "The C++ library of falsum. Use the classes of the package falsum, which are made of these.";
  nb::register_exception_translator(translate);
  bind_options(m);
  bind_bits(m);
  bind_booleanizer(m);
  bind_model(m);
  bind_machine(m);
  bind_predictor(m);
  bind_clauses(m);
  bind_data(m);
}
