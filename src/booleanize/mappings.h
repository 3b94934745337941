// The four mappings a Booleanizer can hold, as pairs of plain functions: fit_* looks at training data,
// apply_* sets the bits of any data. booleanizer.cpp chooses among them by the kind of Source.
//
// Columns match by name when training and new data both have names, so their order may differ; the first occurrence of
// a repeated name means the first such column. Otherwise columns match by position. Only match_columns() decides this.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "falsum/booleanizer.h"

namespace falsum {

/// The usual binarisation of MNIST, and how the embedded images were made.
inline constexpr std::uint8_t kUsualGreyThreshold = 75;

/// For each fitted column the position of that column in `found`; DataError if they do not correspond.
/// An empty list means that the columns have no names; the counts hold in any case.
std::vector<std::size_t> match_columns(const std::vector<std::string>& fitted, std::size_t fitted_count,
                                       const std::vector<std::string>& found, std::size_t count,
                                       const std::string& origin);

/// A matrix of zeros. Throws DataError if it would take more memory than the computer has.
BitMatrix make_bits(std::size_t rows, std::size_t features, const std::string& origin);

/// Sparse rows with a bit for every feature, true or not.
BitMatrix dense_bits(const SparseBits& sparse, const std::string& origin);

// ---- bits.cpp: BitMatrix and SparseRows
Booleanizer::Bits fit_bits(const Source& training);
BitMatrix apply_bits(const Booleanizer::Bits& mapping, std::uint32_t image_width, const Source& source);
SparseBits apply_sparse(const Booleanizer::Bits& mapping, const SparseRows& rows, const std::string& origin);

// ---- levels.cpp: GreyImages
Booleanizer::Levels fit_levels(const GreyImages& images, std::uint32_t width, const BooleanizeOptions& options);
BitMatrix apply_levels(const Booleanizer::Levels& mapping, const Source& source);
BitMatrix apply_thresholds(const GreyImages& images, const std::vector<std::uint8_t>& thresholds,
                           const std::string& origin);

// ---- columns.cpp: Columns
Booleanizer::ByColumn fit_columns(const Columns& table, const BooleanizeOptions& options);
Booleanizer::ColumnMapping fit_column(Column column, const BooleanizeOptions& options);
BitMatrix apply_columns(const Booleanizer::ByColumn& mapping, const Source& source);
std::string column_name(const Booleanizer::ColumnMapping& column, std::size_t position);
std::size_t column_features(const Booleanizer::ColumnMapping& column);

// ---- quantiles.cpp
/// At most `count` thresholds that cut `values` into parts of about equal size, each the most readable
/// number between two neighbouring distinct values; for dates and times a whole day, hour, minute or second.
std::vector<double> quantile_thresholds(std::vector<double> values, std::size_t count,
                                        ColumnKind unit = ColumnKind::kNumber);

// ---- words.cpp: Documents
constexpr std::uint32_t kMostPhrases = 3;  // words in a row
Booleanizer::Words fit_words(const Source& training, const BooleanizeOptions& options, Task task);
SparseBits apply_words(const Booleanizer::Words& mapping, const Source& source);

/// Throws DataError unless a fitted booleanizer may have so many features.
void check_fitted(std::size_t features, const std::string& origin);

/// "a table of 4 columns", "60000 grey images": what a Source is, for messages.
std::string describe(const Source& source);

}  // namespace falsum
