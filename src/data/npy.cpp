// NPY: NumPy's array file. A header written as a Python dictionary, then the values:
//
//   \x93NUMPY 1 0 <length> {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), } values...
//
// Rows come first in the shape. 2-D arrays of 0 and 1 become bits, others columns of numbers; 3-D arrays of
// bytes are images. Labels are the last column, unless `<stem>_labels.npy` or `<stem>.labels.npy` is there.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "data/formats.h"
#include "falsum/error.h"
#include "support/file.h"

static_assert(std::endian::native == std::endian::little, "NPY values are copied as they are");

namespace falsum {
namespace {

/// Just enough Python to read the header's dictionary.
class HeaderScanner {
 public:
  HeaderScanner(std::string_view text, const std::string& what) : left_(text), what_(what) {}

  bool accept(char c) {
    skip_space();
    if (left_.empty() || left_[0] != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string_view text() {
    skip_space();
    if (left_.empty() || (left_[0] != '\'' && left_[0] != '"')) fail();
    const std::size_t end = left_.find(left_[0], 1);
    if (end == std::string_view::npos) fail();
    const std::string_view inside = left_.substr(1, end - 1);
    left_.remove_prefix(end + 1);
    return inside;
  }
  bool boolean() {
    skip_space();
    const bool value = left_.starts_with("True");
    if (!value && !left_.starts_with("False")) fail();
    left_.remove_prefix(value ? 4 : 5);
    return value;
  }
  std::uint64_t number() {
    skip_space();
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < left_.size() && left_[digits] >= '0' && left_[digits] <= '9'; ++digits) {
      if (digits == 18) fail();  // no array has 10^18 values, and here nothing can overflow
      value = value * 10 + static_cast<std::uint64_t>(left_[digits] - '0');
    }
    if (digits == 0) fail();
    left_.remove_prefix(digits);
    return value;
  }
  [[noreturn]] void fail() const {
    throw FileError(fmt::format("{} is damaged: its NPY header does not parse", what_));
  }

 private:
  void skip_space() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size())); }
  std::string_view left_;
  const std::string& what_;
};

void set_type(NpyArray& array, std::string_view descr, const std::string& what) {
  const auto unsupported = [&] {
    return DataError(
        fmt::format("{} holds values of NumPy type {:?}; bool, little-endian integers of 8 to 64 bits and "
                    "floats of 32 or 64 bits are read",
                    what, descr));
  };
  if (descr.size() < 3 || (descr[0] != '<' && descr[0] != '|')) throw unsupported();
  array.kind = descr[1];
  HeaderScanner digits(descr.substr(2), what);
  array.item = digits.number();
  const auto is_one_of = [&](std::initializer_list<std::size_t> sizes) {
    for (const std::size_t size : sizes) {
      if (array.item == size) return true;
    }
    return false;
  };
  switch (array.kind) {
    case 'b':
      if (is_one_of({1})) return;
      break;
    case 'i':
    case 'u':
      if (is_one_of({1, 2, 4, 8})) return;
      break;
    case 'f':
      if (is_one_of({4, 8})) return;
      break;
    case 'S':
    case 'U':
      if (array.kind == 'U') array.item *= 4;
      if (array.item >= 1 && array.item <= 4096) return;
      break;
  }
  throw unsupported();
}

template <class T>
T read_as(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

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
    if (code < 0x80) {
      text += static_cast<char>(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xf00 >> (more + 1) & 0xff) | code >> (6 * more));
    for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> (6 * k) & 0x3f));
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
  return label_text(value);
}

/// Where value (row, column) stands, columns counted through all dimensions but the first.
class Layout {
 public:
  explicit Layout(const NpyArray& array) : array_(array) {
    for (std::size_t d = 1; d < array.shape.size(); ++d) columns_ *= array.shape[d];
  }
  std::uint64_t columns() const { return columns_; }
  std::uint64_t at(std::uint64_t row, std::uint64_t column) const {
    if (!array_.fortran) return row * columns_ + column;
    if (array_.shape.size() == 2) return row + array_.shape[0] * column;
    const std::uint64_t width = array_.shape[2];
    return row + array_.shape[0] * (column / width + array_.shape[1] * (column % width));
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
      if (!std::isfinite(numbers.back())) {
        throw DataError(fmt::format("{}, row {}, column {}: the value is {}, and every value must be a finite number",
                                    what, r, c, numbers.back()));
      }
    }
  }
  return table;
}

}  // namespace

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

NpyArray parse_npy(std::string_view bytes, const std::string& what) {
  if (!looks_like_npy(bytes)) throw FileError(fmt::format("{} is not an NPY file", what));
  const auto truncated = [&] { return FileError(fmt::format("{} is truncated: it ends in its NPY header", what)); };
  if (bytes.size() < 12) throw truncated();
  const int version = bytes[6];
  if (version < 1 || version > 3) throw FileError(fmt::format("{} has NPY version {}; 1 to 3 are read", what, version));
  const std::size_t begins = version == 1 ? 10 : 12;
  const std::uint64_t length =
      version == 1 ? read_as<std::uint16_t>(bytes.substr(8)) : read_as<std::uint32_t>(bytes.substr(8));
  if (length > bytes.size() - begins) throw truncated();

  NpyArray array;
  HeaderScanner scan(bytes.substr(begins, length), what);
  int seen = 0;
  scan.expect('{');
  while (!scan.accept('}')) {
    const std::string_view key = scan.text();
    scan.expect(':');
    if (key == "descr") {
      if (scan.accept('[')) throw DataError(fmt::format("{} holds records; only plain arrays are read", what));
      set_type(array, scan.text(), what);
      seen |= 1;
    } else if (key == "fortran_order") {
      array.fortran = scan.boolean();
      seen |= 2;
    } else if (key == "shape") {
      scan.expect('(');
      array.shape.clear();
      while (!scan.accept(')')) {
        array.shape.push_back(scan.number());
        scan.accept(',');
        if (array.shape.size() > 32) scan.fail();
      }
      seen |= 4;
    } else {
      scan.fail();
    }
    scan.accept(',');
  }
  if (seen != 7) scan.fail();
  std::uint64_t size = array.item;
  for (const std::uint64_t extent : array.shape) size = checked_product(size, extent, what);
  array.values = bytes.substr(begins + length);
  if (array.values.size() != size) {
    throw FileError(fmt::format("{} is damaged: its shape ({}) needs {} bytes and {} follow", what,
                                fmt::join(array.shape, ", "), size, array.values.size()));
  }
  return array;
}

Source npy_source(const NpyArray& features, const NpyArray* labels, const std::string& what, bool labelled) {
  if (features.shape.size() != 2 && features.shape.size() != 3) {
    throw DataError(fmt::format("{} has {} dimension(s); 2 (rows, columns) or 3 (images, height, width) are read", what,
                                features.shape.size()));
  }
  if (features.kind == 'S' || features.kind == 'U') {
    throw DataError(fmt::format("{} holds text; features must be bool, integer or float", what));
  }
  const bool images = features.shape.size() == 3;
  const bool bytes = features.item == 1 && features.kind != 'i';
  if (images && !bytes) throw DataError(fmt::format("{} holds images; their values must be uint8 or bool", what));
  const bool last_is_label = labelled && labels == nullptr;
  if (images && last_is_label) throw DataError(fmt::format("{} holds images, and no labels are with them", what));

  const Layout layout(features);
  const std::uint64_t rows = features.shape[0];
  if (layout.columns() == 0) check_size(rows, 0, what);
  const std::uint64_t columns = layout.columns() - (last_is_label ? 1 : 0);
  check_size(rows, columns, what);
  Source source;
  double largest = 0;
  bool only_bits = true;
  for (std::uint64_t r = 0; r < rows && only_bits; ++r) {
    for (std::uint64_t c = 0; c < columns && only_bits; ++c) {
      const double value = number_at(features, layout.at(r, c));
      only_bits = value == 0 || value == 1;
      largest = value > largest ? value : largest;
    }
  }
  if (images) source.image_width = static_cast<std::uint32_t>(features.shape[2]);
  if (images && features.kind == 'u' && (!only_bits || largest == 0)) {
    GreyImages grey{rows, columns, std::vector<std::uint8_t>(features.values.size())};
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        grey.values[r * columns + c] = static_cast<std::uint8_t>(features.values[layout.at(r, c)]);
      }
    }
    source.values = std::move(grey);
  } else if (only_bits) {
    BitMatrix bits(rows, columns);
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        if (number_at(features, layout.at(r, c)) != 0) bits.set(r, c);
      }
    }
    source.values = std::move(bits);
  } else {
    source.values = to_columns(features, layout, columns, what);
  }

  if (!labelled) return source;
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

Source load_npy(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  const NpyArray features = parse_npy(bytes, path);
  if (options.labelled) {
    const std::string stem = std::filesystem::path(path).replace_extension().string();
    for (const char* suffix : {"_labels.npy", ".labels.npy"}) {
      if (!std::filesystem::exists(stem + suffix)) continue;
      const std::string label_bytes = read_file(stem + suffix);
      const NpyArray labels = parse_npy(label_bytes, stem + suffix);
      return npy_source(features, &labels, path, true);
    }
  }
  return npy_source(features, nullptr, path, options.labelled);
}

}  // namespace falsum
