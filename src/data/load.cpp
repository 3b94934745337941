// load_source: chooses the loader; and the functions that all loaders share.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "data/encoding.h"
#include "data/formats.h"
#include "data/parts.h"
#include "falsum/error.h"
#include "falsum/packed_rows.h"
#include "falsum/source.h"
#include "support/file.h"
#include "support/file_kind.h"
#include "support/inflate.h"
#include "support/mapped_file.h"

namespace falsum {

std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const std::string& what) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) {
    throw DataError(fmt::format("{} is too large: {} times {} values", what, a, b));
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
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
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

void note_skipped(ReadingReport& reading) {
  if (reading.skipped.empty()) return;
  reading.notes.push_back(fmt::format("{} row{} left out, the first because: {}", reading.skipped.size(),
                                      reading.skipped.size() == 1 ? " is" : "s are", reading.first_problem));
}

std::string label_text(double value) { return fmt::to_string(value == 0 ? 0.0 : value); }

std::size_t Source::rows() const {
  struct Count {
    std::size_t operator()(const BitMatrix& bits) const { return bits.rows(); }
    std::size_t operator()(const GreyImages& images) const { return images.rows; }
    std::size_t operator()(const Columns& columns) const { return columns.rows; }
    std::size_t operator()(const SparseRows& sparse) const { return sparse.rows(); }
    std::size_t operator()(const Documents& documents) const { return documents.texts.size(); }
    std::size_t operator()(const std::shared_ptr<const PackedRows>& file) const { return file->rows().rows(); }
  };
  return std::visit(Count{}, values);
}

const PackedRows* Source::packed() const {
  const auto* file = std::get_if<std::shared_ptr<const PackedRows>>(&values);
  return file == nullptr ? nullptr : file->get();
}

bool Source::labelled() const { return packed() != nullptr ? packed()->labelled() : !labels.empty(); }

bool Source::is_sparse() const {
  if (packed() != nullptr) return packed()->rows().is_sparse();
  return std::holds_alternative<SparseRows>(values) || std::holds_alternative<Documents>(values);
}

namespace {

/// Files that Python's libraries read and we do not, by how they begin.
std::string_view format_for_python(std::string_view bytes) {
  constexpr std::pair<std::string_view, std::string_view> kFormats[] = {{"PAR1", "a Parquet file"},
                                                                        {"ARROW1", "an Arrow file"},
                                                                        {"FEA1", "a Feather file"},
                                                                        {"ORC", "an ORC file"},
                                                                        {"\x89HDF\r\n", "an HDF5 file"},
                                                                        {"SQLite format 3", "a SQLite database"},
                                                                        {"\xd0\xcf\x11\xe0", "an Excel workbook"}};
  for (const auto& [start, name] : kFormats) {
    if (bytes.starts_with(start)) return name;
  }
  const std::string_view head = bytes.substr(0, 4096);
  if (looks_like_npz(bytes) && (head.find("[Content_Types].xml") != head.npos || head.find("xl/") != head.npos)) {
    return "an Excel workbook";
  }
  if (looks_like_npz(bytes) && head.find("application/vnd.oasis") != head.npos) return "an OpenDocument file";
  return {};
}

std::string extension_of(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz" || name.extension() == ".xz") name.replace_extension();
  return name.extension().string();
}

/// An option without effect is a mistake of the user. kNone: a file of packed rows.
void check_options(DataFormat format, const std::string& path, const LoadOptions& options) {
  const auto refuse = [&](const char* option, const char* where) {
    throw ConfigError(fmt::format("{} is for {}, and {} is {}", option, where, path,
                                  format == DataFormat::kNone       ? "a file of packed rows"
                                  : format == DataFormat::kBuiltin  ? "a built-in data set"
                                  : format == DataFormat::kNpy      ? "an array of NumPy"
                                  : is_named_like_cifar(path)       ? "a file of CIFAR-10"
                                  : format == DataFormat::kIdx      ? "an IDX file"
                                  : format == DataFormat::kSvmlight ? "an SVMlight file"
                                                                    : "a table of text"));
  };
  if (format != DataFormat::kSvmlight && options.first_index >= 0) refuse("--first-index", "SVMlight files");
  if (format != DataFormat::kSvmlight && format != DataFormat::kCsv && options.bad_rows != BadRows::kRefuse) {
    refuse("--bad-rows", "rows that are lines of text");
  }
  if (format == DataFormat::kCsv) return;
  constexpr const char* kTables = "tables of text such as CSV";
  if (!options.label.empty()) refuse("--label", kTables);
  if (!options.weight.empty()) refuse("--weight-column", kTables);
  if (options.header) refuse(*options.header ? "--header" : "--no-header", kTables);
  if (!options.ignore.empty()) refuse("--ignore", kTables);
  if (!options.number.empty()) refuse("--number", kTables);
  if (!options.category.empty()) refuse("--category", kTables);
  if (options.delimiter != '\0') refuse("--delimiter", kTables);
  if (options.decimal != '\0') refuse("--decimal", kTables);
  if (options.missing) refuse("--missing", kTables);
}

/// They are what they were when they were packed; `options` can only ask for something else by mistake.
Source load_packed(const std::string& path, const LoadOptions& options) {
  check_options(DataFormat::kNone, path, options);
  std::shared_ptr<const PackedRows> file = PackedRows::open(path);
  if (options.labelled && file->labelled() && file->task() != options.task) {
    throw ConfigError(fmt::format("the task of {} is {}: it was packed with --task {}, and the task asked for is {}",
                                  path, name_of(file->task()), name_of(file->task()), name_of(options.task)));
  }
  Source source;
  if (options.schema == nullptr) source.weights.assign(file->weights().begin(), file->weights().end());
  source.origin = file->origin();
  source.schema = file->schema();
  source.reading = file->reading();
  source.values = std::move(file);
  return source;
}

struct Loader {
  DataFormat format;
  Source (*load)(const std::string& bytes, const std::string& path, const LoadOptions& options);
};

Source load_table(const std::string& bytes, const std::string& path, const LoadOptions& options) {
  std::string encoding, converted;
  const std::string_view text = to_utf8(bytes, path, encoding, converted);
  Source source = load_csv(text, path, options);
  source.reading.encoding = encoding;
  return source;
}

/// Which loader reads these bytes: by how they begin, by the name, by what they look like.
Loader loader_of(std::string_view bytes, const std::string& path) {
  const auto npy = [](const std::string& b, const std::string& p, const LoadOptions& o) { return load_npy(b, p, o); };
  const auto npz = [](const std::string& b, const std::string& p, const LoadOptions& o) { return load_npz(b, p, o); };
  const auto idx = [](const std::string& b, const std::string& p, const LoadOptions& o) { return load_idx(b, p, o); };
  const auto svmlight = [](const std::string& b, const std::string& p, const LoadOptions& o) {
    return load_svmlight(b, p, o);
  };
  if (const std::string_view other = format_for_python(bytes); !other.empty()) {
    throw FileError(fmt::format("{} is {}, which the Python package reads: falsum.read({:?})", path, other, path));
  }
  if (looks_like_npy(bytes)) return {DataFormat::kNpy, npy};
  if (looks_like_npz(bytes)) return {DataFormat::kNpy, npz};
  if (is_named_like_cifar(path)) return {DataFormat::kIdx, load_cifar};  // an image may begin like IDX
  if (looks_like_idx(bytes)) return {DataFormat::kIdx, idx};
  // All other files are text, unless the name says something else.
  const std::string extension = extension_of(path);
  if (extension == ".npy" || extension == ".npz") {
    throw FileError(fmt::format("{} does not begin like a {} file", path, extension == ".npy" ? "NPY" : "zip"));
  }
  if (path.find("idx1-ubyte") != std::string::npos || path.find("idx3-ubyte") != std::string::npos) {
    throw FileError(fmt::format("{} does not begin like an IDX file", path));
  }
  if (extension == ".csv" || extension == ".tsv") return {DataFormat::kCsv, load_table};
  const bool named_sparse = extension == ".svm" || extension == ".svmlight" || extension == ".libsvm";
  if (named_sparse || looks_like_svmlight(bytes)) return {DataFormat::kSvmlight, svmlight};
  // A text file that we can read has no zero byte, except in UTF-16, which begins with a mark.
  const bool marked = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
  if (!marked && bytes.substr(0, 4096).find('\0') != std::string_view::npos) {
    throw FileError(fmt::format("{} is none of the formats IDX, CSV, SVMlight, NPY and NPZ", path));
  }
  return {DataFormat::kCsv, load_table};
}

/// Statistics of each training column, for printing.
void summarise(Schema& schema, const Columns& table) {
  std::size_t feature = 0;
  for (ColumnSchema& column : schema.columns) {
    if (column.role != ColumnRole::kFeature) continue;
    const Column& values = table.columns[feature++];
    if (values.categorical) {
      column.distinct = values.categories.size();
      column.missing =
          static_cast<std::uint64_t>(std::count(values.category.begin(), values.category.end(), kMissingCategory));
      continue;
    }
    column.missing = 0;
    bool first = true;
    for (const double number : values.numbers) {
      if (std::isnan(number)) {
        ++column.missing;
        continue;
      }
      column.least = first ? number : std::min(column.least, number);
      column.most = first ? number : std::max(column.most, number);
      first = false;
    }
  }
}

/// The parts of a schema that all formats have.
void complete_schema(Source& source, DataFormat format, const LoadOptions& options) {
  if (options.schema != nullptr) {
    source.schema = *options.schema;
    return;
  }
  source.schema.format = format;
  if (const auto* table = std::get_if<Columns>(&source.values)) summarise(source.schema, *table);
  if (format != DataFormat::kCsv && format != DataFormat::kNpy) {
    source.schema.label_kind = settle_labels(source.labels, source.reading.notes);
  }
}

}  // namespace

PartsRead for_each_part(const std::string& data, const LoadOptions& options, const EachPart& each) {
  const auto whole = [&]() -> PartsRead {
    Source all = load_source(data, options);
    Source rest;
    rest.origin = all.origin;
    rest.schema = all.schema;
    rest.reading = all.reading;
    each(std::move(all));
    return {std::move(rest), true};
  };
  std::error_code error;
  if (is_builtin(data) || data == "-" || !std::filesystem::is_regular_file(data, error)) return whole();
  const MappedFile file(data);
  const std::string_view bytes = file.bytes();
  if (bytes.empty() || kind_of(bytes) || looks_like_gzip(bytes) || looks_like_xz(bytes)) return whole();
  const Loader loader = loader_of(bytes, data);
  if (loader.format != DataFormat::kCsv && loader.format != DataFormat::kSvmlight) return whole();
  check_options(loader.format, data, options);
  advise(bytes, Advice::kSequential);
  const auto name = [&](Source part) {
    part.origin = std::filesystem::path(data).filename().string();
    return part;
  };
  const EachPart each_named = [&](Source part) { each(name(std::move(part))); };
  if (loader.format == DataFormat::kSvmlight) {
    Source rest = read_svmlight(bytes, data, options, kPartValues, each_named);
    complete_schema(rest, loader.format, options);
    return {name(std::move(rest)), options.schema != nullptr};
  }
  std::string encoding, converted;
  const std::string_view text = to_utf8(bytes, data, encoding, converted);
  Source rest = read_csv(text, data, options, kPartValues, each_named);
  complete_schema(rest, loader.format, options);
  rest.reading.encoding = encoding;
  return {name(std::move(rest)), options.schema != nullptr};
}

bool is_packed_rows(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  char start[16] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return kind_of(std::string_view(start, sizeof start)) == static_cast<std::uint32_t>(FileKind::kRows);
}

Source load_source(const std::string& data, const LoadOptions& options) {
  if (is_builtin(data)) {
    check_options(DataFormat::kBuiltin, data, options);
    Source source = load_builtin(data, options);
    complete_schema(source, DataFormat::kBuiltin, options);
    return source;
  }
  std::error_code error;
  if (const std::size_t colon = data.find(':'); colon != std::string::npos && !std::filesystem::exists(data, error)) {
    if (is_builtin(data.substr(0, colon))) {
      throw DataError(fmt::format("{}: the part after the colon must be train or test", data));
    }
  }
  if (is_packed_rows(data)) return load_packed(data, options);
  const std::string path = data == "-" ? "standard input" : data;
  std::string bytes = read_file(data == "-" ? "/dev/stdin" : data);
  if (looks_like_gzip(bytes)) bytes = gunzip(bytes, path);
  if (looks_like_xz(bytes)) bytes = unxz(bytes, path);
  if (bytes.empty()) throw DataError(fmt::format("{} is empty", path));
  const Loader loader = loader_of(bytes, path);
  check_options(loader.format, path, options);
  Source source = loader.load(bytes, path, options);
  complete_schema(source, loader.format, options);
  source.origin = std::filesystem::path(path).filename().string();
  return source;
}

}  // namespace falsum
