// Booleanizer: raw values -> Boolean features. Fitted on training data, stored in the model and applied again at
// prediction, so that the model file alone is enough to predict.
//
//   bits      values already 0/1; anything else is an error           names from the source, or x0, x1, ...
//   levels    grey image, thresholds t_1 < .. < t_n: pixel > t        "pixel 3,12 > 75": n features a pixel
//   columns   numeric column: thermometer over quantiles,             "age >= 41.5"
//             categorical column: one feature a category              "colour = red"
//             column of 0 and 1 only: one feature                     "smoker"
//             any column with missing values in training: one more    "age is missing"
//   words     document contains word, or phrase                       "excellent", "not good"
//
// Sparse rows are bits too: feature k is value k > 0, whatever its size. Bits that came from images also accept grey
// images of that size, binarised at pixel > 75 like the built-in MNIST. Levels are laid out level by level: features
// 0..783 are the first threshold, 784..1567 the second. A category or word unseen in training sets no feature; neither
// does a missing value, except "is missing". Immutable once fitted; safe to share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "falsum/choices.h"
#include "falsum/rows.h"
#include "falsum/source.h"

namespace falsum {

class ByteReader;
class ByteWriter;

/// Ranges, and the kind of data for each option: booleanize_options.h.
struct BooleanizeOptions {
  int levels = 1;                    // grey levels
  int quantiles = 16;                // thresholds per numeric column at most
  std::uint32_t vocabulary = 12800;  // words and phrases kept
  int phrases = 3;                   // words in a row that are a feature at most
  std::string select = "chi2";       // which to keep: the most frequent, or "chi2": by association with the labels
                                     // (with the best of several labels; with numbers by their correlation)
};

namespace booleanize {

/// Bits of `features` columns pass through unchanged. A default-constructed Booleanizer is this, with 0 columns.
struct Bits {
  std::uint32_t features = 0;
  std::vector<std::string> names;  // empty: x0, x1, ...
  friend bool operator==(const Bits&, const Bits&) = default;
};
struct Levels {
  std::uint32_t pixels = 0, width = 0;
  std::vector<std::uint8_t> thresholds;  // ascending; feature is pixel > threshold
  friend bool operator==(const Levels&, const Levels&) = default;
};
struct ColumnMapping {
  std::string name;  // empty: x and the position of the column
  bool categorical = false;
  bool boolean = false;                   // only 0 and 1 in training: the value is the feature
  std::vector<double> thresholds;         // ascending; feature is value >= threshold
  std::vector<std::string> categories;    // feature is value = category
  bool missing = false;                   // values were missing in training: the last feature is "is missing"
  ColumnKind unit = ColumnKind::kNumber;  // what numbers count: kDate, kDateTime and kTime print thresholds as such
  friend bool operator==(const ColumnMapping&, const ColumnMapping&) = default;
};
struct ByColumn {
  std::vector<ColumnMapping> columns;
  friend bool operator==(const ByColumn&, const ByColumn&) = default;
};
struct Words {
  std::vector<std::string> vocabulary;  // best first; the words of a phrase have a space between them
  std::uint32_t phrases = 1;            // words in a row that are looked for at most
  friend bool operator==(const Words&, const Words&) = default;
};

}  // namespace booleanize

class Booleanizer {
 public:
  using Bits = booleanize::Bits;
  using Levels = booleanize::Levels;
  using ColumnMapping = booleanize::ColumnMapping;
  using ByColumn = booleanize::ByColumn;
  using Words = booleanize::Words;

  /// How raw values become features, with everything that was fitted.
  using Mapping = std::variant<Bits, Levels, ByColumn, Words>;

  Booleanizer() = default;
  /// From a mapping made elsewhere: columns or bits. Throws ConfigError unless thresholds ascend and are finite.
  static Booleanizer from_mapping(Mapping mapping, std::uint32_t image_width = 0);
  /// task: what the labels are, for words that are chosen by them.
  static Booleanizer fit(const Source& training, const BooleanizeOptions& options = {},
                         Task task = Task::kClassification);

  /// That of packed rows.
  static Booleanizer of(const PackedRows& rows);

  /// Throws DataError when `source` lacks the columns that this booleanizer was fitted on.
  BitMatrix transform(const Source& source) const;
  /// The same bits as lists of the true features. A sparse source is never converted to a BitMatrix on the way.
  SparseBits transform_sparse(const Source& source) const;
  /// Packed, or sparse if the source is sparse. Rows of a mapped file are not copied.
  AnyRows rows(const Source& source) const;

  std::size_t features() const;
  std::vector<std::string> feature_names() const;
  /// The negation of a feature in words: "not smoker"; "age < 41.5 or missing" where values were missing in training,
  /// since a missing value sets no feature.
  std::vector<std::string> negated_names() const;
  std::uint32_t image_width() const;  // > 0: the first pixels() features form an image this wide
  std::uint32_t image_pixels() const;
  std::string kind() const;  // "bits", "levels", "columns", "words"
  const Mapping& mapping() const { return mapping_; }

  void write(ByteWriter& writer) const;
  /// The version of the file format that a reader must know: 2 where there are missing values or dates.
  std::uint32_t format_version() const;
  static Booleanizer read(ByteReader& reader);

  friend bool operator==(const Booleanizer&, const Booleanizer&) = default;

 private:
  explicit Booleanizer(Mapping mapping, std::uint32_t image_width = 0)
      : mapping_(std::move(mapping)), image_width_(image_width) {}
  Mapping mapping_;
  std::uint32_t image_width_ = 0;  // of Bits that came from images (the embedded MNIST)
};

/// The tokenizer of the bag of words: ASCII letters to lower case, white space and punctuation separate
/// words (the apostrophe is kept), everything else belongs to them.
void for_each_word(std::string_view text, const std::function<void(std::string_view)>& visit);
/// Every word, and every phrase of up to `most` words in a row.
void for_each_phrase(std::string_view text, std::size_t most, const std::function<void(std::string_view)>& visit);

}  // namespace falsum
