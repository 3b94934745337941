// load_source: which loader reads what, and the small things all of them share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "data/formats.h"
#include "falsum/error.h"
#include "falsum/source.h"
#include "support/file.h"
#include "support/inflate.h"

namespace falsum {

std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const std::string& what) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) {
    throw DataError(fmt::format("{} is absurdly large: {} times {} values", what, a, b));
  }
  return a * b;
}

void check_size(std::uint64_t rows, std::uint64_t features, const std::string& what) {
  if (rows == 0) throw DataError(fmt::format("{} has no rows", what));
  if (features == 0) throw DataError(fmt::format("{} has no features", what));
  if (features > kMaxFeatures) {
    throw DataError(fmt::format("{} has {} features; at most {} are allowed", what, features, kMaxFeatures));
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ptr != text.data() + text.size() || text.empty()) return std::nullopt;
  if (parsed.ec == std::errc()) return value;
  if (parsed.ec != std::errc::result_out_of_range) return std::nullopt;
  // Too small is as good as zero; too large is infinite and the caller refuses it.
  const bool tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  return tiny ? 0 : std::numeric_limits<double>::infinity();
}

std::string label_text(double value) { return fmt::to_string(value == 0 ? 0.0 : value); }

std::size_t Source::rows() const {
  struct Count {
    std::size_t operator()(const BitMatrix& bits) const { return bits.rows(); }
    std::size_t operator()(const GreyImages& images) const { return images.rows; }
    std::size_t operator()(const Columns& columns) const { return columns.rows; }
    std::size_t operator()(const SparseRows& sparse) const { return sparse.rows(); }
    std::size_t operator()(const Documents& documents) const { return documents.texts.size(); }
  };
  return std::visit(Count{}, values);
}

bool Source::is_sparse() const {
  return std::holds_alternative<SparseRows>(values) || std::holds_alternative<Documents>(values);
}

namespace {

Source load_bytes(const std::string& bytes, const std::string& path, const LoadOptions& options) {
  if (bytes.empty()) throw DataError(fmt::format("{} is empty", path));
  if (looks_like_npy(bytes)) return load_npy(bytes, path, options);
  if (looks_like_npz(bytes)) return load_npz(bytes, path, options);
  if (looks_like_idx(bytes)) return load_idx(bytes, path, options);

  // What is left is text, unless the name promises something else.
  std::filesystem::path name(path);
  if (name.extension() == ".gz" || name.extension() == ".xz") name.replace_extension();
  const std::string extension = name.extension().string();
  if (extension == ".npy" || extension == ".npz") {
    throw FileError(fmt::format("{} does not begin like a {} file", path, extension == ".npy" ? "NPY" : "zip"));
  }
  if (path.find("idx1-ubyte") != std::string::npos || path.find("idx3-ubyte") != std::string::npos) {
    throw FileError(fmt::format("{} does not begin like an IDX file", path));
  }
  if (extension == ".csv" || extension == ".tsv") return load_csv(bytes, path, options);
  const bool named_sparse = extension == ".svm" || extension == ".svmlight" || extension == ".libsvm";
  if (named_sparse || looks_like_svmlight(bytes)) return load_svmlight(bytes, path, options);
  // A zero byte is in no text file that we could read.
  if (std::string_view(bytes).substr(0, 4096).find('\0') != std::string_view::npos) {
    throw FileError(fmt::format("{} is none of the formats IDX, CSV, SVMlight, NPY and NPZ", path));
  }
  return load_csv(bytes, path, options);
}

}  // namespace

Source load_source(const std::string& data, const LoadOptions& options) {
  if (is_builtin(data)) return load_builtin(data, options);
  std::error_code error;
  if (const std::size_t colon = data.find(':'); colon != std::string::npos && !std::filesystem::exists(data, error)) {
    if (is_builtin(data.substr(0, colon))) {
      throw DataError(fmt::format("{}: the part after the colon must be train or test", data));
    }
  }
  std::string bytes = read_file_maybe_gzip(data);
  if (looks_like_xz(bytes)) bytes = unxz(bytes, data);
  Source source = load_bytes(bytes, data, options);
  source.origin = std::filesystem::path(data).filename().string();
  return source;
}

std::vector<std::string> distinct_labels(const std::vector<std::string>& labels) {
  std::vector<std::string> names = labels;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto is_number = [](const std::string& name) {
    const std::optional<double> value = parse_number(name);
    return value && !std::isnan(*value);
  };
  if (std::all_of(names.begin(), names.end(), is_number)) {
    std::stable_sort(names.begin(), names.end(),
                     [](const std::string& a, const std::string& b) { return *parse_number(a) < *parse_number(b); });
  }
  return names;
}

std::vector<std::uint32_t> encode_labels(const Source& source, const std::vector<std::string>& names) {
  if (source.labels.size() != source.rows()) {
    throw DataError(fmt::format("{} has {} rows and {} labels", source.origin, source.rows(), source.labels.size()));
  }
  std::unordered_map<std::string_view, std::uint32_t> ids;
  for (std::size_t i = 0; i < names.size(); ++i) ids.emplace(names[i], static_cast<std::uint32_t>(i));
  std::vector<std::uint32_t> encoded;
  encoded.reserve(source.labels.size());
  for (std::size_t r = 0; r < source.labels.size(); ++r) {
    const auto found = ids.find(source.labels[r]);
    if (found == ids.end()) {
      const std::size_t shown = std::min<std::size_t>(names.size(), 10);
      throw DataError(fmt::format("{}, row {}: label {:?} was not there in training; the classes are {}{}",
                                  source.origin, r, source.labels[r],
                                  fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                  shown < names.size() ? ", ..." : ""));
    }
    encoded.push_back(found->second);
  }
  return encoded;
}

}  // namespace falsum
