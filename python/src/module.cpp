#include <string_view>

#include "bind.h"
#include "falsum/datasets.h"
#include "falsum/error.h"

namespace falsum::python {
namespace {

/// A message may quote a path or a file, which need not be text that Python can read.
void raise(PyObject* kind, std::string_view message) {
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
  if (text.is_valid()) PyErr_SetObject(kind, text.ptr());
}

/// What a caller did wrong is a ValueError, what a file or disk did is an OSError: what Python programs expect.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const FileError& error) {
    raise(PyExc_OSError, error.what());
  } catch (const Error& error) {
    raise(PyExc_ValueError, error.what());
  }
}

}  // namespace
}  // namespace falsum::python

NB_MODULE(_core, m) {
  using namespace falsum::python;
  m.doc() = "The C++ library of falsum. Use the classes of the package falsum, which are made of these.";
  nb::register_exception_translator(translate);
  falsum::use_builtin_datasets();
  bind_options(m);
  bind_bits(m);
  bind_booleanizer(m);
  bind_model(m);
  bind_machine(m);
  bind_predictor(m);
  bind_incremental(m);
  bind_clauses(m);
  bind_rules(m);
  bind_data(m);
  bind_tune(m);
  bind_packed(m);
}
