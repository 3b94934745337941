// The extension module falsum._core: the library's classes as Python sees them, one file for each group. Only
// what needs C++ is here; estimators, checks of arguments and everything scikit-learn asks for are Python
// (python/falsum).
//
// Arrays are read where they are, in any layout and also when read-only; nothing is converted by NumPy first. Every
// call that works on data releases the interpreter lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "falsum/booleanize_options.h"
#include "falsum/options.h"
#include "falsum/schema.h"
#include "falsum/source.h"

namespace falsum::python {

namespace nb = nanobind;

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;  // any type of numbers, any strides
using Labels = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using NumpyArray = nb::ndarray<nb::numpy, T>;

/// Hands the vector over to Python; its numbers are not copied.
template <class T>
NumpyArray<T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return NumpyArray<T>(kept->data(), shape, owner);
}

/// From a dictionary of option names and values; TypeError for a name or a type that does not exist.
Options to_options(const nb::dict& values);
nb::dict from_options(const Options& options);

/// What the law of defaults looks at, of a mapping of this kind (Booleanizer::kind).
DataKind to_data_kind(const std::string& kind, bool image);
/// Columns of a data frame: arrays of numbers, or tuples of codes and categories, all of so many rows.
Columns to_columns(const nb::list& columns, std::size_t rows);

/// By what name_of calls it; ValueError for a name that there is not.
ColumnKind to_kind(std::string_view name);
/// A schema as a dictionary: format, first_index, label_kind, columns. What only CSV files have stays in the core.
nb::dict from_schema(const Schema& schema);
Schema to_schema(const nb::dict& values);

void bind_options(nb::module_& m);
void bind_bits(nb::module_& m);
void bind_booleanizer(nb::module_& m);
void bind_model(nb::module_& m);
void bind_machine(nb::module_& m);
void bind_predictor(nb::module_& m);
void bind_incremental(nb::module_& m);
void bind_clauses(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_data(nb::module_& m);
void bind_tune(nb::module_& m);
void bind_packed(nb::module_& m);

}  // namespace falsum::python
