// The file formats, one function each: bytes -> Source. load.cpp reads the file, decompresses it and
// chooses by magic bytes, name and content; nothing below opens another file, except that IDX and NPY
// look for their labels beside `path`, under names made from `path` alone.
//
//   load_source(name) -> builtin.cpp
//   load_source(path) -> read, gunzip -> idx.cpp | svmlight.cpp | npy.cpp | npz.cpp
//                                        | csv.cpp -> infer.cpp (training), table.cpp (by a schema) -> records.cpp,
//                                        values.cpp
//
// All of them treat the bytes as hostile: sizes are 64-bit, products are checked, and no more is allocated than the
// bytes of the file can fill.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/source.h"
#include "support/limits.h"

namespace falsum {

/// a * b. Throws DataError saying that `what` is too large.
std::uint64_t checked_product(std::uint64_t a, std::uint64_t b, const std::string& what);

/// DataError unless 1 <= rows and 1 <= features <= kMaxFeatures.
void check_size(std::uint64_t rows, std::uint64_t features, const std::string& what);

/// All of `text` as a number, which may be infinite or NaN; empty if it is not a number. Independent of the locale.
/// Spaces around it and a leading + are allowed.
std::optional<double> parse_number(std::string_view text);

/// Numbers as label text, so that 1, 1.0 and +1 from different formats are the same class: "1".
std::string label_text(double value);

std::string_view trim(std::string_view text);

// ---- idx.cpp
bool looks_like_idx(std::string_view bytes);
Source load_idx(const std::string& bytes, const std::string& path, const LoadOptions& options);

// ---- cifar.cpp
/// Nothing at the beginning of such a file tells what it is.
bool is_named_like_cifar(const std::string& path);
Source load_cifar(const std::string& bytes, const std::string& path, const LoadOptions& options);

// ---- csv.cpp
/// Of text in UTF-8 without a byte order mark.
Source load_csv(std::string_view text, const std::string& path, const LoadOptions& options);

/// A note about the rows that were left out, if there are any.
void note_skipped(ReadingReport& reading);

// ---- labels.cpp
/// The kind of the training labels. Several spellings of one value (1, 1.0, 01) become one label, with a note.
LabelKind settle_labels(std::vector<std::string>& labels, std::vector<std::string>& notes);

/// Throws DataError unless there is a label for each row.
void require_labels(const Source& source);
/// The labels of a row, which are separated by commas, semicolons or bars; without spaces around them.
std::vector<std::string> labels_in(const std::string& text);
/// The label of a row as a number. Throws DataError that names the row of one that is none.
double label_number(const std::string& label, const std::string& origin, std::size_t row);
/// The labels as numbers. Throws DataError that names the row of one that is none.
std::vector<double> label_numbers(const Source& source);

// ---- svmlight.cpp
bool looks_like_svmlight(std::string_view bytes);
Source load_svmlight(std::string_view bytes, const std::string& path, const LoadOptions& options);

// ---- npy.cpp: one array; npz.cpp: a zip file of them; npy_source.cpp: what they hold
bool looks_like_npy(std::string_view bytes);
bool looks_like_npz(std::string_view bytes);
Source load_npy(std::string_view bytes, const std::string& path, const LoadOptions& options);
Source load_npz(std::string_view bytes, const std::string& path, const LoadOptions& options);

/// An array inside a file; `values` points into the bytes it was read from.
struct NpyArray {
  char kind = 0;         // 'b' bool, 'u' / 'i' unsigned / signed integer, 'f' float, 'S' / 'U' text
  std::size_t item = 0;  // bytes per value
  bool fortran = false;  // first index varies fastest
  std::vector<std::uint64_t> shape;
  std::string_view values;
};
NpyArray parse_npy(std::string_view bytes, const std::string& what);
/// The values of `features` (2-D, or 3-D images) and the labels, or the last column when there are none.
Source npy_source(const NpyArray& features, const NpyArray* labels, const std::string& what,
                  const LoadOptions& options);

// ---- text.cpp
/// Folders named like the labels, one document per file, in the order of labels and file names.
Source load_document_folders(const std::string& folder, const std::vector<std::string>& labels);
/// Lines of label, rating, id and text, separated by tabs (IMDb as one file).
Source load_imdb_lines(std::string_view bytes, const std::string& what);

// ---- builtin.cpp
Source load_builtin(const std::string& data, const LoadOptions& options);

}  // namespace falsum
