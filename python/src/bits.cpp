#include "bits.h"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "falsum/error.h"
#include "falsum/sparse_bits.h"
#include "kernels/dispatch.h"
#include "support/parallel.h"

namespace falsum::python {
namespace {

using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Truth = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Calls `begin(row)` for every row and `entry(row, column)` for each entry that counts. A compressed sparse row matrix
/// may come from anywhere, so nothing in it is believed.
template <class Index, class Begin, class Entry>
void for_each_entry(std::size_t columns, const Starts& starts, const Index* indices, const Truth& truth, Begin&& begin,
                    Entry&& entry) {
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    const std::int64_t first = starts.data()[r], last = starts.data()[r + 1];
    if (first < 0 || last < first || static_cast<std::uint64_t>(last) > truth.size()) {
      throw DataError("the row starts of the sparse matrix do not ascend within its entries");
    }
    begin(r);
    for (std::int64_t e = first; e < last; ++e) {
      const Index column = indices[e];
      if (column < 0 || static_cast<std::uint64_t>(column) >= columns) {
        throw DataError("the sparse matrix has an entry outside its columns");
      }
      if (truth.data()[e]) entry(r, static_cast<std::size_t>(column));
    }
  }
}

/// The same for indices of either width.
template <class Begin, class Entry>
void for_each_entry(std::size_t columns, const Starts& starts, const Indices& indices, const Truth& truth,
                    Begin&& begin, Entry&& entry) {
  if (indices.dtype() == nb::dtype<std::int64_t>()) {
    for_each_entry(columns, starts, static_cast<const std::int64_t*>(indices.data()), truth, begin, entry);
  } else {
    for_each_entry(columns, starts, static_cast<const std::int32_t*>(indices.data()), truth, begin, entry);
  }
}

void check_parts(const Starts& starts, const Indices& indices, const Truth& truth) {
  if (starts.size() == 0) throw DataError("the sparse matrix has no row starts");
  if (indices.size() != truth.size()) throw DataError("the sparse matrix has another number of indices than of values");
  if (indices.dtype() != nb::dtype<std::int64_t>() && indices.dtype() != nb::dtype<std::int32_t>()) {
    throw nb::type_error("the indices of a sparse matrix must be whole numbers of 32 or 64 bits");
  }
}

/// The true features of each row, and nothing of the others.
SparseBits sparse_rows(std::size_t columns, const Starts& starts, const Indices& indices, const Truth& truth) {
  check_parts(starts, indices, truth);
  nb::gil_scoped_release release;
  SparseBits rows(columns);
  rows.starts.reserve(starts.size());
  rows.features.reserve(truth.size());
  std::size_t begun = 0;
  for_each_entry(
      columns, starts, indices, truth,
      [&](std::size_t) {
        if (begun++ > 0) rows.starts.push_back(rows.features.size());
      },
      [&](std::size_t, std::size_t k) { rows.features.push_back(static_cast<std::uint32_t>(k)); });
  if (begun > 0) rows.starts.push_back(rows.features.size());
  return rows;
}

NumpyArray<bool> to_array(const BitMatrix& bits) {
  const std::size_t rows = bits.rows(), columns = bits.columns();
  auto* values = new bool[rows * columns + 1];  // + 1: never of size 0
  nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  {
    nb::gil_scoped_release release;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k) values[r * columns + k] = bits.get(r, k);
    }
  }
  return NumpyArray<bool>(values, {rows, columns}, owner);
}

/// Where row i is taken from.
std::size_t row_at(const Starts& positions, std::size_t i, std::size_t rows) {
  const std::int64_t from = positions.data()[i];
  if (from < 0 || static_cast<std::uint64_t>(from) >= rows) throw DataError("there is no such row");
  return static_cast<std::size_t>(from);
}

BitMatrix take(const BitMatrix& bits, const Starts& positions) {
  nb::gil_scoped_release release;
  BitMatrix taken(positions.size(), bits.columns());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const auto row = bits.row(row_at(positions, r, bits.rows()));
    std::copy(row.begin(), row.end(), taken.row(r).begin());
  }
  return taken;
}

SparseBits take_sparse(const SparseBits& bits, const Starts& positions) {
  nb::gil_scoped_release release;
  SparseBits taken(bits.columns);
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const auto row = bits.row(row_at(positions, r, bits.rows()));
    taken.features.insert(taken.features.end(), row.begin(), row.end());
    taken.starts.push_back(taken.features.size());
  }
  return taken;
}

/// The rows of all parts, one after the other.
BitMatrix stacked(const std::vector<const BitMatrix*>& parts) {
  if (parts.empty()) throw DataError("there are no rows to stack");
  nb::gil_scoped_release release;
  std::size_t rows = 0;
  for (const BitMatrix* part : parts) {
    if (part->columns() != parts[0]->columns()) throw DataError("rows to stack must have the same features");
    rows += part->rows();
  }
  BitMatrix all(rows, parts[0]->columns());
  std::size_t next = 0;
  for (const BitMatrix* part : parts) {
    for (std::size_t r = 0; r < part->rows(); ++r) {
      const auto row = part->row(r);
      std::copy(row.begin(), row.end(), all.row(next++).begin());
    }
  }
  return all;
}

SparseBits stacked_sparse(const std::vector<const SparseBits*>& parts) {
  if (parts.empty()) throw DataError("there are no rows to stack");
  nb::gil_scoped_release release;
  SparseBits all(parts[0]->columns);
  for (const SparseBits* part : parts) {
    if (part->columns != all.columns) throw DataError("rows to stack must have the same features");
    const std::size_t before = all.features.size();
    all.features.insert(all.features.end(), part->features.begin(), part->features.end());
    for (std::size_t r = 0; r < part->rows(); ++r) all.starts.push_back(before + part->starts[r + 1]);
  }
  return all;
}

/// A pickle comes from wherever its user takes it, but it must not hold rows that break the invariant of BitMatrix.
void set_bits(BitMatrix& bits, const std::tuple<std::size_t, std::size_t, nb::bytes>& state) {
  const auto& [rows, columns, bytes] = state;
  const std::size_t words = (columns / 64) + (columns % 64 != 0);
  if (words != 0 && (rows > bytes.size() / 8 / words || rows * words * 8 != bytes.size())) {
    throw DataError("the pickled rows do not fit their size");
  }
  new (&bits) BitMatrix(rows, columns);
  const std::uint64_t beyond = columns % 64 == 0 ? 0 : ~std::uint64_t{0} << (columns % 64);
  for (std::size_t r = 0; r < rows && words != 0; ++r) {
    std::memcpy(bits.row(r).data(), bytes.c_str() + r * words * 8, words * 8);
    if ((bits.row(r)[words - 1] & beyond) != 0) throw DataError("the pickled rows have bits beyond their last feature");
  }
}

nb::tuple bits_state(const BitMatrix& bits) {
  const char* const first = bits.rows() == 0 ? "" : reinterpret_cast<const char*>(bits.row(0).data());
  return nb::make_tuple(bits.rows(), bits.columns(), nb::bytes(first, bits.bytes()));
}

nb::tuple sparse_state(const SparseBits& bits) {
  return nb::make_tuple(bits.columns, to_numpy(std::vector(bits.starts), {bits.starts.size()}),
                        to_numpy(std::vector(bits.features), {bits.features.size()}));
}

using Features = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowStarts = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void set_sparse(SparseBits& bits, const std::tuple<std::size_t, RowStarts, Features>& state) {
  const auto& [columns, starts, features] = state;
  SparseBits rows(columns);
  rows.starts.assign(starts.data(), starts.data() + starts.size());
  rows.features.assign(features.data(), features.data() + features.size());
  const bool ends_fit = !rows.starts.empty() && rows.starts.front() == 0 && rows.starts.back() == rows.features.size();
  if (!ends_fit || !std::is_sorted(rows.starts.begin(), rows.starts.end())) {
    throw DataError("the pickled rows do not fit their size");
  }
  SparseBitsView(rows).check();
  new (&bits) SparseBits(std::move(rows));
}

}  // namespace

namespace {

const Kernels& best_kernels() {
  static const Kernels& kernels = find_kernels("auto");
  return kernels;
}

/// out[i * out_step] = whether value i is more than 0, for `count` values that are `step` apart. Whether all are 0
/// or 1.
/// Steps that are 1 are known when it is compiled, for vectors.
template <class T, class Step, class OutStep>
bool truths(const T* values, Step step, std::size_t count, std::uint8_t* out, OutStep out_step) {
  unsigned others = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = values[static_cast<std::int64_t>(i) * step];
    out[i * static_cast<std::size_t>(out_step)] = value > 0;
    // NaN is a missing value, which is not true and not wrong.
    others |=
        static_cast<unsigned>(value != 0) & static_cast<unsigned>(value != 1) & static_cast<unsigned>(value == value);
  }
  return others == 0;
}

/// Any type and any strides: some rows at a time become bytes, in the order in which they lie in memory, then bits.
/// Whether all values are 0 or 1.
bool pack_rows(const Matrix& values, std::size_t first_row, std::size_t count, BitMatrix& bits) {
  constexpr std::size_t kRows = 64;
  constexpr std::integral_constant<std::int64_t, 1> kNext{};
  const std::size_t columns = bits.columns();
  std::vector<std::uint8_t> bytes(kRows * columns);
  bool only_bits = true;
  with_type(values, [&]<class T>(const T* first, std::int64_t down, std::int64_t right) {
    for (std::size_t r = first_row; r < first_row + count; r += kRows) {
      const std::size_t rows = std::min(kRows, first_row + count - r);
      const T* const from = first + static_cast<std::int64_t>(r) * down;
      if (std::abs(down) < std::abs(right)) {
        for (std::size_t k = 0; k < columns; ++k) {
          only_bits &= truths(from + static_cast<std::int64_t>(k) * right, down, rows, bytes.data() + k, columns);
        }
      } else {
        for (std::size_t i = 0; i < rows; ++i) {
          const T* const row = from + static_cast<std::int64_t>(i) * down;
          std::uint8_t* const to = bytes.data() + i * columns;
          only_bits &= right == 1 ? truths(row, kNext, columns, to, kNext) : truths(row, right, columns, to, kNext);
        }
      }
      best_kernels().pack({bytes.data(), rows, columns, static_cast<std::ptrdiff_t>(columns)}, bits.row(r).data());
    }
  });
  return only_bits;
}

}  // namespace

std::optional<ByteRowsView> as_bytes(const Matrix& values) {
  const nb::dlpack::dtype type = values.dtype();
  const bool bytes = type == nb::dtype<bool>() || type == nb::dtype<std::uint8_t>();
  if (!bytes || (values.stride(1) != 1 && values.shape(1) > 1)) return std::nullopt;
  return ByteRowsView{static_cast<const std::uint8_t*>(values.data()), values.shape(0), values.shape(1),
                      static_cast<std::ptrdiff_t>(values.stride(0))};
}

BitMatrix pack_without_lock(const Matrix& values, unsigned threads, bool only_bits) {
  constexpr std::size_t kBlock = 2048;
  const std::size_t rows = values.shape(0);
  BitMatrix bits(rows, values.shape(1));
  const bool truth_values = values.dtype() == nb::dtype<bool>();
  const std::optional<ByteRowsView> bytes = as_bytes(values);
  for_each_parallel((rows + kBlock - 1) / kBlock, threads, [&](std::size_t b) {
    const std::size_t first = b * kBlock, count = std::min(kBlock, rows - first);
    bool ones = true;
    if (bytes) {
      ones = best_kernels().pack(bytes->part(first, count), bits.row(first).data()) <= 1;
    } else {
      ones = pack_rows(values, first, count, bits);
    }
    if (only_bits && !ones && !truth_values) {
      throw DataError(
          "it was fitted on truth values, so values must be 0 or 1 (or a sparse matrix, where more than 0 is true): "
          "compare them first, as in X > 0");
    }
  });
  return bits;
}

BitMatrix pack(const Matrix& values, bool only_bits) {
  nb::gil_scoped_release release;
  return pack_without_lock(values, 1, only_bits);
}

void bind_bits(nb::module_& m) {
  nb::class_<BitMatrix>(m, "Bits", "Rows of Boolean features, 64 to a word.")
      .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"))
      .def_prop_ro("rows", &BitMatrix::rows)
      .def_prop_ro("columns", &BitMatrix::columns)
      .def("to_array", &to_array, "The bits as a NumPy array of bool.")
      .def("take", &take, nb::arg("positions"), "The rows at these positions, in this order.")
      .def("__len__", &BitMatrix::rows)
      .def("__getstate__", &bits_state)
      .def("__setstate__", &set_bits)
      .def(
          "__eq__", [](const BitMatrix& a, const BitMatrix& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"));
  m.def("pack", &pack, nb::arg("values").noconvert(), nb::arg("only_bits") = false,
        "Rows of bits: where a value is more than 0. only_bits: a ValueError for numbers other than 0 and 1.");
  nb::class_<SparseBits>(m, "SparseBits", "Rows as ascending lists of the features that are true.")
      .def_prop_ro("rows", &SparseBits::rows)
      .def_ro("columns", &SparseBits::columns)
      .def("take", &take_sparse, nb::arg("positions"), "The rows at these positions, in this order.")
      .def("__len__", &SparseBits::rows)
      .def("__getstate__", &sparse_state)
      .def("__setstate__", &set_sparse);
  m.def("stacked", &stacked, nb::arg("parts"), "The rows of all parts, one after the other.");
  m.def("stacked", &stacked_sparse, nb::arg("parts"));
  m.def("sparse_rows", &sparse_rows, nb::arg("columns"), nb::arg("starts"), nb::arg("indices"), nb::arg("truth"),
        "From the parts of a CSR matrix; truth says which of its entries count. The entries of a row must ascend.");
}

}  // namespace falsum::python
