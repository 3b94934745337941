#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <type_traits>

#include "bind.h"
#include "falsum/cpu.h"
#include "falsum/defaults.h"
#include "falsum/engines.h"

namespace falsum::python {
namespace {

nb::object to_python(const Options& options, const OptionInfo& option) {
  return std::visit(
      [&](auto field) -> nb::object {
        if (is_auto(options.*field)) return nb::str("auto");
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(options.*field)>>) {
          return nb::cast(std::string(name_of(options.*field)));
        } else {
          return nb::cast(options.*field);
        }
      },
      option.field);
}

[[noreturn]] void refuse(const std::string& name, const char* wanted, nb::handle value) {
  throw nb::type_error((name + " must be " + wanted + ", got " + nb::repr(value).c_str()).c_str());
}

/// Python's own integers, NumPy's and everything else that says it is one; not 2.0 and not True.
template <class Whole>
Whole to_whole(const std::string& name, nb::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) refuse(name, "a whole number", value);
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  Whole whole = 0;
  if (!nb::try_cast(index, whole))
    throw nb::value_error((name + " is out of range: " + nb::repr(value).c_str()).c_str());
  return whole;
}

struct Setter {
  Options& options;
  const OptionInfo& option;
  const std::string& name;
  nb::handle value;
  bool left_open() const {
    std::string word;
    return option.may_be_auto && nb::isinstance<nb::str>(value) && nb::try_cast(value, word) && word == "auto";
  }
  void operator()(std::int64_t Options::*field) const {
    options.*field = left_open() ? std::int64_t{kAutomatic} : to_whole<std::int64_t>(name, value);
  }
  void operator()(std::uint64_t Options::*field) const { options.*field = to_whole<std::uint64_t>(name, value); }
  void operator()(double Options::*field) const {
    if (left_open()) return void(options.*field = kAutomatic);
    const double number = PyBool_Check(value.ptr()) ? -1 : PyFloat_AsDouble(value.ptr());
    if (PyBool_Check(value.ptr()) || (number == -1 && PyErr_Occurred() != nullptr)) {
      PyErr_Clear();
      refuse(name, "a number", value);
    }
    options.*field = number;
  }
  void operator()(bool Options::*field) const {
    const int truth = PyBool_Check(value.ptr()) || nb::hasattr(value, "dtype") ? PyObject_IsTrue(value.ptr()) : -1;
    if (truth < 0) {
      PyErr_Clear();
      refuse(name, "True or False", value);
    }
    options.*field = truth == 1;
  }
  void operator()(std::string Options::*field) const {
    if (!nb::try_cast(value, options.*field)) refuse(name, "a text", value);
  }
  template <class Word>
  requires std::is_enum_v<Word>
  void operator()(Word Options::*field) const {
    std::string word;
    if (!nb::try_cast(value, word)) refuse(name, "a text", value);
    options.*field = named<Word>(word);
  }
};

nb::list option_list() {
  const Options defaults;
  nb::list options;
  for (const OptionInfo& option : option_table()) {
    nb::dict entry;
    entry["name"] = std::string(option.name);
    entry["default"] = to_python(defaults, option);
    entry["least"] = option.least;
    entry["most"] = option.most;
    entry["choices"] = std::string(option.choices);
    entry["help"] = std::string(option.help);
    entry["scope"] = option.scope == OptionScope::kMachine ? "machine" : "run";
    options.append(entry);
  }
  return options;
}

nb::list engine_list() {
  nb::list engines;
  for (const EngineInfo& engine : engine_table()) {
    nb::dict entry;
    entry["name"] = std::string(engine.name);
    entry["learns"] = engine.learns;
    entry["predicts"] = engine.predicts;
    entry["help"] = std::string(engine.help);
    engines.append(entry);
  }
  return engines;
}

}  // namespace

Options to_options(const nb::dict& values) {
  Options options;
  for (const auto& [key, value] : values) {
    const std::string name = nb::cast<std::string>(key);
    const OptionInfo* option = find_option(name);
    if (option == nullptr) throw nb::type_error(("there is no option " + name).c_str());
    std::visit(Setter{options, *option, name, value}, option->field);
  }
  return options;
}

nb::dict from_options(const Options& options) {
  nb::dict values;
  for (const OptionInfo& option : option_table())
    values[nb::str(std::string(option.name).c_str())] = to_python(options, option);
  return values;
}

DataKind to_data_kind(const std::string& kind, bool image) {
  return kind == "words"             ? DataKind::kText
         : image || kind == "levels" ? DataKind::kImages
         : kind == "columns"         ? DataKind::kTables
                                     : DataKind::kBits;
}

void bind_options(nb::module_& m) {
  m.def("option_table", &option_list, "Every option: name, default, least, most, choices, help, scope.");
  m.def("engine_table", &engine_list, "Every engine: name, learns, predicts, help.");
  m.def(
      "validate_options", [](const nb::dict& values) { validate(to_options(values)); }, nb::arg("options"),
      "Raises ValueError or TypeError if an option is not what it may be.");
  m.def(
      "chosen_options",
      [](const nb::dict& values, const std::string& kind, bool image, std::size_t rows, std::size_t outputs) {
        return from_options(chosen_options(to_options(values), {to_data_kind(kind, image), rows, outputs}));
      },
      nb::arg("options"), nb::arg("kind"), nb::arg("image"), nb::arg("rows"), nb::arg("outputs"),
      "The options with a number for each that is \"auto\", by the law of defaults.");
  m.def("version", [] { return std::string(version()); });
  m.def("cpu_cores", &cpu_cores, "Cores that this process may use.");
  m.def(
      "kernel_sets",
      [] {
        std::vector<std::string> names;
        for (const KernelSetInfo& set : list_kernel_sets()) {
          if (set.supported) names.push_back(set.name);
        }
        return names;
      },
      "Kernel sets that this CPU can run.");
}

}  // namespace falsum::python
