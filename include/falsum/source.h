// Source: raw data, before they become Boolean features.
//
//   file or built-in name --load_source--> Source --Booleanizer--> BitMatrix --> Machine / Predictor
//
// A Source keeps the values in their original shape; only the Booleanizer (booleanizer.h) turns each shape into
// features. Labels stay text until encode_labels() maps them to class ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "falsum/bit_matrix.h"
#include "falsum/choices.h"
#include "falsum/schema.h"

namespace falsum {

class PackedRows;

/// Grey values 0..255, one image a row (IDX files).
struct GreyImages {
  std::size_t rows = 0;
  std::size_t pixels = 0;  // per image
  std::vector<std::uint8_t> values;
};

/// In Column::category: the value is missing.
inline constexpr std::uint32_t kMissingCategory = 0xffffffff;

/// One column of a table: numbers (truth values, dates and times among them) or categories.
struct Column {
  std::string name;
  bool categorical = false;
  ColumnKind kind = ColumnKind::kNumber;  // of numbers: what they count
  std::vector<double> numbers;            // one per row, finite, or NaN where the value is missing
  std::vector<std::uint32_t> category;    // categorical: one per row, an index into `categories` or kMissingCategory
  std::vector<std::string> categories;    // distinct values, in order of first appearance
};

/// Columns of a CSV or NPY/NPZ file.
struct Columns {
  std::size_t rows = 0;
  std::vector<Column> columns;
};

/// Sparse rows (SVMlight): row r has entries [starts[r], starts[r + 1]).
struct SparseRows {
  std::size_t features = 0;
  std::vector<std::uint64_t> starts;   // rows + 1
  std::vector<std::uint32_t> indices;  // 0-based, ascending within a row
  std::vector<float> values;
  std::size_t rows() const { return starts.empty() ? 0 : starts.size() - 1; }
};

/// Text, one document a row.
struct Documents {
  std::vector<std::string> texts;
};

/// Events while a file was read, for `falsum train` to print.
struct ReadingReport {
  std::string encoding = "utf-8";
  std::uint64_t preamble_lines = 0;    // titles, comments and the like before the table
  std::vector<std::uint64_t> skipped;  // rows left out by BadRows::kSkip, counted from 0 over all rows
  std::string first_problem;           // why the first skipped row was left out
  std::vector<std::string> notes;      // a sentence for everything unusual
};

struct Source {
  /// PackedRows are Boolean already, with targets inside instead of labels (packed_rows.h).
  std::variant<BitMatrix, GreyImages, Columns, SparseRows, Documents, std::shared_ptr<const PackedRows>> values;
  std::vector<std::string> labels;         // one per row, or empty when the data carry none
  std::vector<double> weights;             // one per row, above 0 (row_weights.h), or empty
  std::vector<std::string> feature_names;  // names of the raw columns, or empty
  std::uint32_t image_width = 0;           // > 0: rows are images this wide, so clauses can be drawn
  std::string origin;                      // "mnist:train", "iris.csv": for messages and provenance
  Schema schema;                           // how the data were read: inferred, or given
  ReadingReport reading;

  std::size_t rows() const;
  /// The file of packed rows, or null for other data.
  const PackedRows* packed() const;
  bool labelled() const;
  /// True for texts and sparse rows: a row has few of many features. Transform these to SparseBits rather than to a
  /// BitMatrix.
  bool is_sparse() const;
};

enum class Split { kTrain, kTest };

/// What to do with a row that cannot be read: too few cells, a word where a number is expected.
enum class BadRows { kRefuse, kSkip };

struct LoadOptions {
  Split split = Split::kTrain;        // for built-in names without ":train" or ":test"
  const Schema* schema = nullptr;     // read by this schema of a model; null: infer one from the data. Not owned
  bool labelled = true;               // false: no labels needed (predict); a label column is left out
  Task task = Task::kClassification;  // what labels are for: a multilabel row may be without any
  BadRows bad_rows = BadRows::kRefuse;

  // CSV: these override what is inferred or in the schema. Columns are named, or given by position from 0; negative
  // positions count from the end.
  std::string label = {};   // empty: the last column
  std::string weight = {};  // the column of row weights, for training; rows of weight 0 are left out. Empty: none
  bool no_label = false;    // there is no label column, even if there is one column more than the features
  std::vector<std::string> ignore = {}, number = {}, category = {};
  std::optional<bool> header = {};
  char delimiter = '\0', decimal = '\0';                 // '\0': inferred
  std::optional<std::vector<std::string>> missing = {};  // instead of usual_missing_marks()

  int first_index = -1;     // SVMlight: indices count from 0 or 1; -1: from 1 unless an index 0 appears in the file
  int levels = 1;           // grey levels of the built-in image sets; more than 1 needs IDX files
  std::uint64_t seed = 42;  // noisy-xor
  std::string data_directory = {};  // where to look for built-in data sets first
};

/// Loads a built-in data set ("mnist", "mnist:test", "fashion-mnist", "imdb", "noisy-xor") or a file
/// (IDX, CSV, SVMlight, NPY, NPZ; plain, gzip or xz), or standard input ("-"). Every file is opened and read once. A
/// file of packed rows (pack.h) is mapped.
Source load_source(const std::string& data, const LoadOptions& options = {});

/// True when `data` names a built-in data set, with or without ":train" / ":test".
bool is_builtin(const std::string& data);

/// True for a file that begins like one of packed rows.
bool is_packed_rows(const std::string& path);

/// A line of `falsum datasets`.
struct DatasetInfo {
  std::string name;
  std::string description;
  bool available = false;
  std::string location;    // where it was found; empty if not found
  std::string how_to_get;  // one sentence
  std::uint64_t train_rows = 0, test_rows = 0, classes = 0;
};
std::vector<DatasetInfo> list_datasets(const std::string& data_directory = "");

/// Distinct labels, numbers in numeric order if all are numbers, otherwise in text order.
std::vector<std::string> distinct_labels(const std::vector<std::string>& labels);

/// Class ids of the labels; a label that is not in `names` is a DataError that names it and the row. Labels that are
/// numbers or truth values are compared by value, so that 1 and 1.0 are the same.
std::vector<std::uint32_t> encode_labels(const Source& source, const std::vector<std::string>& names,
                                         LabelKind kind = LabelKind::kText);

}  // namespace falsum
