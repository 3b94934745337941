// A NumPy array as a Source: 2-D arrays of 0 and 1 become bits, others columns of numbers; 3-D arrays of
// bytes are images. Rows are the first dimension, in C and in Fortran order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "data/encoding.h"
#include "data/formats.h"
#include "falsum/error.h"
#include "kernels/dispatch.h"
#include "support/bytes.h"

static_assert(std::endian::native == std::endian::little, "NPY values are copied as they are");

namespace falsum {
namespace {

double number_at(const NpyArray& array, std::uint64_t i) {
  const std::string_view bytes = array.values.substr(i * array.item, array.item);
  if (array.kind == 'f') return array.item == 4 ? static_cast<double>(read_as<float>(bytes)) : read_as<double>(bytes);
  switch (array.item) {
    case 1:
      return array.kind == 'i' ? read_as<std::int8_t>(bytes) : read_as<std::uint8_t>(bytes);
    case 2:
      return array.kind == 'i' ? read_as<std::int16_t>(bytes) : read_as<std::uint16_t>(bytes);
    case 4:
      return array.kind == 'i' ? read_as<std::int32_t>(bytes) : read_as<std::uint32_t>(bytes);
    default:
      return array.kind == 'i' ? static_cast<double>(read_as<std::int64_t>(bytes))
                               : static_cast<double>(read_as<std::uint64_t>(bytes));
  }
}

/// NumPy pads text with zeros; 'U' holds four bytes a character, which become UTF-8.
std::string text_at(const NpyArray& array, std::uint64_t i, const std::string& what) {
  const std::string_view bytes = array.values.substr(i * array.item, array.item);
  if (array.kind == 'S') return std::string(bytes.substr(0, bytes.find_last_not_of('\0') + 1));
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    const auto code = read_as<std::uint32_t>(bytes.substr(at, 4));
    if (code == 0) break;
    if (code > 0x10ffff) throw FileError(fmt::format("{} is damaged: {:#x} is no Unicode character", what, code));
    append_utf8(text, code);
  }
  return text;
}

std::string label_at(const NpyArray& array, std::uint64_t i, const std::string& what) {
  if (array.kind == 'S' || array.kind == 'U') return text_at(array, i, what);
  // 64-bit ids are labels too, and a double would round them.
  if (array.kind == 'i' && array.item == 8) return fmt::to_string(read_as<std::int64_t>(array.values.substr(i * 8, 8)));
  if (array.kind == 'u' && array.item == 8)
    return fmt::to_string(read_as<std::uint64_t>(array.values.substr(i * 8, 8)));
  const double value = number_at(array, i);
  if (!std::isfinite(value)) throw DataError(fmt::format("{}, row {}: the label is {}", what, i, value));
  if (array.kind == 'b') return value == 0 ? "False" : "True";
  return label_text(value);
}

LabelKind label_kind_of(const NpyArray& array) {
  if (array.kind == 'S' || array.kind == 'U') return LabelKind::kText;
  return array.kind == 'b' ? LabelKind::kBoolean : array.kind == 'f' ? LabelKind::kReal : LabelKind::kInteger;
}

/// The index of value (row, column), with columns counted over all dimensions but the first.
class Layout {
 public:
  explicit Layout(const NpyArray& array) : array_(array) {
    for (std::size_t d = 1; d < array.shape.size(); ++d) columns_ *= array.shape[d];
  }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t at(std::uint64_t row, std::uint64_t column) const {
    if (!array_.fortran) return row * columns_ + column;
    // The first index changes fastest: the last of a column's indices is worth the product of all extents before it.
    std::uint64_t worth = array_.values.size() / array_.item, at = row;
    for (std::size_t d = array_.shape.size() - 1; d > 0; --d) {
      worth /= array_.shape[d];
      at += column % array_.shape[d] * worth;
      column /= array_.shape[d];
    }
    return at;
  }

 private:
  const NpyArray& array_;
  std::uint64_t columns_ = 1;
};

Columns to_columns(const NpyArray& array, const Layout& layout, std::uint64_t columns, const std::string& what) {
  Columns table{array.shape[0], std::vector<Column>(columns)};
  for (std::uint64_t c = 0; c < columns; ++c) {
    std::vector<double>& numbers = table.columns[c].numbers;
    numbers.reserve(table.rows);
    for (std::uint64_t r = 0; r < table.rows; ++r) {
      numbers.push_back(number_at(array, layout.at(r, c)));
      if (std::isinf(numbers.back())) {  // NaN is a missing value
        throw DataError(fmt::format("{}, row {}, column {}: the value is {}, and a number must be finite", what, r, c,
                                    numbers.back()));
      }
    }
  }
  return table;
}

}  // namespace

Source npy_source(const NpyArray& features, const NpyArray* labels, const std::string& what,
                  const LoadOptions& options) {
  if (features.shape.size() < 2 || features.shape.size() > 4) {
    throw DataError(
        fmt::format("{} has {} dimension(s); 2 (rows, columns), 3 (images, height, width) or 4 (and channels) are read",
                    what, features.shape.size()));
  }
  if (features.kind == 'S' || features.kind == 'U') {
    throw DataError(fmt::format("{} holds text; features must be bool, integer or float", what));
  }
  const bool images = features.shape.size() > 2;
  const bool bytes = features.item == 1 && features.kind != 'i';
  if (images && !bytes) throw DataError(fmt::format("{} holds images; their values must be uint8 or bool", what));
  // A model knows how many features it takes; one column more is the label.
  const Schema* const known = options.schema != nullptr && !options.schema->columns.empty() ? options.schema : nullptr;
  const std::size_t wanted = known != nullptr ? known->count(ColumnRole::kFeature) : 0;
  const bool last_is_label =
      labels == nullptr &&
      (options.labelled || (known != nullptr && features.shape.size() == 2 && features.shape[1] == wanted + 1));
  if (images && last_is_label) throw DataError(fmt::format("{} holds images, and no labels are with them", what));

  const Layout layout(features);
  const std::uint64_t rows = features.shape[0];
  if (layout.columns() == 0) check_size(rows, 0, what);
  const std::uint64_t columns = layout.columns() - (last_is_label ? 1 : 0);
  check_size(rows, columns, what);
  Source source;
  BitMatrix bits(rows, columns);
  double largest = 0;
  bool only_bits = true;
  const bool packable = bytes && !features.fortran;
  if (packable) {  // one pass, where the values are
    const auto* const first = reinterpret_cast<const std::uint8_t*>(features.values.data());
    largest = find_kernels("auto").pack({first, rows, columns, static_cast<std::ptrdiff_t>(layout.columns())},
                                        bits.row(0).data());
    only_bits = features.kind == 'b' || largest <= 1;
  }
  for (std::uint64_t r = 0; r < rows && only_bits && !packable; ++r) {
    for (std::uint64_t c = 0; c < columns && only_bits; ++c) {
      const double value = number_at(features, layout.at(r, c));
      only_bits = value == 0 || value == 1;
      largest = value > largest ? value : largest;
      if (value != 0) bits.set(r, c);
    }
  }
  // Images of several channels have no width: a row of pixels is not a row of values.
  const bool one_channel = features.shape.size() == 3 || (features.shape.size() == 4 && features.shape[3] == 1);
  if (one_channel) source.image_width = static_cast<std::uint32_t>(features.shape[2]);
  const bool same_format = options.schema != nullptr && options.schema->format == DataFormat::kNpy;
  const bool has_values =
      images && features.kind == 'u' && (same_format ? !options.schema->bits : !only_bits || largest == 0);
  source.schema.bits = images && !has_values;
  if (source.schema.bits && !only_bits) {
    throw DataError(fmt::format("{} has pixels up to {}, expected 0 and 1 as in training", what, largest));
  }
  if (has_values) {
    GreyImages grey{rows, columns, std::vector<std::uint8_t>(features.values.size())};
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        grey.values[r * columns + c] = static_cast<std::uint8_t>(features.values[layout.at(r, c)]);
      }
    }
    source.values = std::move(grey);
  } else if (only_bits) {
    source.values = std::move(bits);
  } else {
    source.values = to_columns(features, layout, columns, what);
  }
  if (!images) {
    source.schema.columns.resize(columns);
    if (last_is_label) source.schema.columns.push_back({.name = "", .role = ColumnRole::kLabel});
  }
  source.schema.label_kind = label_kind_of(labels != nullptr ? *labels : features);
  if (!options.labelled) return source;
  if (labels != nullptr) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : labels->shape) count *= extent;
    if (labels->shape.empty() || count != labels->shape[0] || count != rows) {
      throw DataError(
          fmt::format("{} has {} rows and labels of shape ({})", what, rows, fmt::join(labels->shape, ", ")));
    }
  }
  source.labels.reserve(rows);
  for (std::uint64_t r = 0; r < rows; ++r) {
    source.labels.push_back(labels ? label_at(*labels, r, what) : label_at(features, layout.at(r, columns), what));
  }
  return source;
}

}  // namespace falsum
