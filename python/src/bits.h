// From arrays of Python to rows of bits.
#pragma once

#include <cstddef>
#include <optional>

#include "bind.h"
#include "falsum/bit_matrix.h"
#include "falsum/byte_rows.h"

namespace falsum::python {

/// True where the value is more than zero: for Booleans their value, for counts whether there are any. Any strides.
/// `only_bits`: DataError for numbers other than 0 and 1. Rows of contiguous bytes are packed 64 at a time.
BitMatrix pack(const Matrix& values, bool only_bits);
/// The same for callers that do not hold the interpreter lock.
BitMatrix pack_without_lock(const Matrix& values, unsigned threads, bool only_bits = false);

/// The rows where they are, if each is a run of bytes.
std::optional<ByteRowsView> as_bytes(const Matrix& values);

/// Calls `use(pointer to the first value, strides in values)` with the type that the matrix has; TypeError if
/// it does not hold Booleans, whole or floating point numbers.
template <class Use>
void with_type(const Matrix& values, Use&& use) {
  const auto call = [&]<class T>(T) { use(static_cast<const T*>(values.data()), values.stride(0), values.stride(1)); };
  const nb::dlpack::dtype type = values.dtype();
  if (type == nb::dtype<bool>() || type == nb::dtype<std::uint8_t>()) return call(std::uint8_t{});
  if (type == nb::dtype<double>()) return call(double{});
  if (type == nb::dtype<float>()) return call(float{});
  if (type == nb::dtype<std::int8_t>()) return call(std::int8_t{});
  if (type == nb::dtype<std::int16_t>()) return call(std::int16_t{});
  if (type == nb::dtype<std::int32_t>()) return call(std::int32_t{});
  if (type == nb::dtype<std::int64_t>()) return call(std::int64_t{});
  if (type == nb::dtype<std::uint16_t>()) return call(std::uint16_t{});
  if (type == nb::dtype<std::uint32_t>()) return call(std::uint32_t{});
  if (type == nb::dtype<std::uint64_t>()) return call(std::uint64_t{});
  throw nb::type_error("the array must hold Booleans, whole numbers or floating point numbers of 32 or 64 bits");
}

}  // namespace falsum::python
