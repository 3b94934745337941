#include "bits.h"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "falsum/error.h"
#include "falsum/sparse_bits.h"
#include "support/parallel.h"

namespace falsum::python {
namespace {

/// 64 bytes -> a word, bit i for byte i: set where the byte is not 0. Eight bytes at a time, on any processor.
void words_of_bytes(const std::uint8_t* bytes, std::size_t words, std::uint64_t* out) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  for (std::size_t w = 0; w < words; ++w, bytes += 64) {
    std::uint64_t truth = 0;
    for (int i = 0; i < 8; ++i) {
      std::uint64_t eight = 0;
      for (int b = 0; b < 8; ++b)
        eight |= std::uint64_t{bytes[8 * i + b]} << (8 * b);  // one load where bytes are in order
      const std::uint64_t low = eight & (0x7f * kOnes);
      const std::uint64_t ones = ((low + 0x7f * kOnes) | eight) >> 7 & kOnes;
      truth |= (ones * 0x0102040810204080) >> 56 << (8 * i);  // the product gathers the eight bits in its top byte
    }
    out[w] = truth;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)

/// The same, 64 bytes at a time.
__attribute__((target("avx2"))) void words_of_bytes_avx2(const std::uint8_t* bytes, std::size_t words,
                                                         std::uint64_t* out) {
  const __m256i zero = _mm256_setzero_si256();
  for (std::size_t w = 0; w < words; ++w, bytes += 64) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
    const auto false_low = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, zero)));
    const auto false_high = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, zero)));
    out[w] = ~(false_low | std::uint64_t{false_high} << 32);
  }
}
const auto kWordsOfBytes = __builtin_cpu_supports("avx2") ? &words_of_bytes_avx2 : &words_of_bytes;

#else
const auto kWordsOfBytes = &words_of_bytes;
#endif

/// Bytes that follow each other. The words of `row` are zero.
void pack_bytes(const std::uint8_t* bytes, std::size_t columns, std::uint64_t* row) {
  const std::size_t words = columns / 64, rest = columns % 64;
  kWordsOfBytes(bytes, words, row);
  if (rest == 0) return;
  if (words == 0) {
    for (std::size_t k = 0; k < columns; ++k) row[0] |= std::uint64_t{bytes[k] != 0} << k;
  } else {  // the end of the last 64 bytes, whose beginning the word before has already
    kWordsOfBytes(bytes + columns - 64, 1, row + words);
    row[words] >>= 64 - rest;
  }
}

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

/// What learning reads: a bit for each feature.
BitMatrix pack_sparse(std::size_t columns, const Starts& starts, const Indices& indices, const Truth& truth) {
  check_parts(starts, indices, truth);
  nb::gil_scoped_release release;
  BitMatrix bits(starts.size() - 1, columns);
  for_each_entry(
      columns, starts, indices, truth, [](std::size_t) {}, [&](std::size_t r, std::size_t k) { bits.set(r, k); });
  return bits;
}

/// What prediction reads: the true features of each row, and nothing of the others.
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

BitMatrix take(const BitMatrix& bits, const Starts& positions) {
  nb::gil_scoped_release release;
  BitMatrix taken(positions.size(), bits.columns());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const std::int64_t from = positions.data()[r];
    if (from < 0 || static_cast<std::uint64_t>(from) >= bits.rows()) throw DataError("there is no such row");
    const auto row = bits.row(static_cast<std::size_t>(from));
    std::copy(row.begin(), row.end(), taken.row(r).begin());
  }
  return taken;
}

}  // namespace

namespace {

void pack_rows(const Matrix& values, std::size_t first_row, std::size_t count, BitMatrix& bits) {
  with_type(values, [&]<class T>(const T* first, std::int64_t down, std::int64_t right) {
    for (std::size_t r = first_row; r < first_row + count; ++r) {
      const T* from = first + static_cast<std::int64_t>(r) * down;
      std::uint64_t* row = bits.row(r).data();
      if constexpr (std::is_same_v<T, std::uint8_t>) {
        if (right == 1 || bits.columns() == 1) {
          pack_bytes(from, bits.columns(), row);
          continue;
        }
      }
      for (std::size_t k = 0; k < bits.columns(); ++k, from += right)
        row[k / 64] |= std::uint64_t{*from > 0} << (k % 64);
    }
  });
}

}  // namespace

BitMatrix pack_without_lock(const Matrix& values, unsigned threads) {
  constexpr std::size_t kBlock = 2048;
  const std::size_t rows = values.shape(0);
  BitMatrix bits(rows, values.shape(1));
  for_each_parallel((rows + kBlock - 1) / kBlock, threads,
                    [&](std::size_t b) { pack_rows(values, b * kBlock, std::min(kBlock, rows - b * kBlock), bits); });
  return bits;
}

BitMatrix pack(const Matrix& values) {
  nb::gil_scoped_release release;
  return pack_without_lock(values, 1);
}

void bind_bits(nb::module_& m) {
  nb::class_<BitMatrix>(m, "Bits", "Rows of Boolean features, 64 to a word.")
      .def(nb::init<std::size_t, std::size_t>(), nb::arg("rows"), nb::arg("columns"))
      .def_prop_ro("rows", &BitMatrix::rows)
      .def_prop_ro("columns", &BitMatrix::columns)
      .def("to_array", &to_array, "The bits as a NumPy array of bool.")
      .def("take", &take, nb::arg("positions"), "The rows at these positions, in this order.")
      .def("__len__", &BitMatrix::rows)
      .def(
          "__eq__", [](const BitMatrix& a, const BitMatrix& b) { return a == b; }, nb::is_operator(),
          nb::sig("def __eq__(self, other: object, /) -> bool"));
  m.def("pack", &pack, nb::arg("values").noconvert(), "Rows of bits: where a value is more than 0.");
  m.def("pack_sparse", &pack_sparse, nb::arg("columns"), nb::arg("starts"), nb::arg("indices"), nb::arg("truth"),
        "Rows of bits from the parts of a CSR matrix; truth says which of its entries count.");
  nb::class_<SparseBits>(m, "SparseBits", "Rows as ascending lists of the features that are true.")
      .def_prop_ro("rows", &SparseBits::rows)
      .def_ro("columns", &SparseBits::columns)
      .def("__len__", &SparseBits::rows);
  m.def("sparse_rows", &sparse_rows, nb::arg("columns"), nb::arg("starts"), nb::arg("indices"), nb::arg("truth"),
        "The same as SparseBits; the entries of a row must ascend.");
}

}  // namespace falsum::python
