// NPY: NumPy's array file. A header written as a Python dictionary, then the values:
//
//   \x93NUMPY 1 0 <length> {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), } values...
//
// Labels are the last column, unless `<stem>_labels.npy` or `<stem>.labels.npy` is there. npy_source.cpp
// makes a Source of the array.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>

#include "data/formats.h"
#include "falsum/error.h"
#include "support/bytes.h"
#include "support/file.h"

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

}  // namespace

bool looks_like_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

NpyArray parse_npy(std::string_view bytes, const std::string& what) {
  if (!looks_like_npy(bytes)) throw FileError(fmt::format("{} is not an NPY file", what));
  const auto truncated = [&] { return FileError(fmt::format("{} is truncated: it ends in its NPY header", what)); };
  if (bytes.size() < 12) throw truncated();
  const int version = static_cast<std::uint8_t>(bytes[6]);
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

Source load_npy(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  const NpyArray features = parse_npy(bytes, path);
  if (options.labelled) {
    const std::string stem = std::filesystem::path(path).replace_extension().string();
    for (const char* suffix : {"_labels.npy", ".labels.npy"}) {
      if (!std::filesystem::exists(stem + suffix)) continue;
      const std::string label_bytes = read_file(stem + suffix);
      const NpyArray labels = parse_npy(label_bytes, stem + suffix);
      return npy_source(features, &labels, path, options);
    }
  }
  return npy_source(features, nullptr, path, options);
}

}  // namespace falsum
