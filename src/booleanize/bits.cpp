#include <fmt/format.h>

#include <cmath>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/error.h"

namespace falsum {
namespace {

BitMatrix in_order(const BitMatrix& bits, const std::vector<std::size_t>& positions) {
  bool same = true;
  for (std::size_t i = 0; i < positions.size(); ++i) same &= positions[i] == i;
  if (same) return bits;
  BitMatrix ordered(bits.rows(), bits.columns());
  for (std::size_t r = 0; r < bits.rows(); ++r) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (bits.get(r, positions[i])) ordered.set(r, i);
    }
  }
  return ordered;
}

BitMatrix from_columns(const Columns& table, const Booleanizer::Bits& mapping, const std::string& origin) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  const auto positions = match_columns(mapping.names, mapping.features, names, table.columns.size(), origin);
  BitMatrix bits = make_bits(table.rows, mapping.features, origin);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Column& column = table.columns[positions[i]];
    for (std::size_t r = 0; r < table.rows; ++r) {
      const bool text = column.categorical;
      if (text ? column.category[r] == kMissingCategory : std::isnan(column.numbers[r])) continue;  // sets no feature
      if (text || (column.numbers[r] != 0 && column.numbers[r] != 1)) {
        throw DataError(fmt::format("{}, row {}, column {}: expected 0 or 1 as in training, found {}", origin, r,
                                    column.name.empty() ? std::to_string(positions[i]) : column.name,
                                    text ? column.categories[column.category[r]] : fmt::to_string(column.numbers[r])));
      }
      if (column.numbers[r] == 1) bits.set(r, i);
    }
  }
  return bits;
}

}  // namespace

Booleanizer::Bits fit_bits(const Source& training) {
  std::size_t features = 0;
  if (const auto* bits = std::get_if<BitMatrix>(&training.values)) features = bits->columns();
  if (const auto* sparse = std::get_if<SparseRows>(&training.values)) features = sparse->features;
  check_size(training.rows(), features, training.origin);
  Booleanizer::Bits mapping{static_cast<std::uint32_t>(features), training.feature_names};
  if (!mapping.names.empty() && mapping.names.size() != features) {
    throw DataError(
        fmt::format("{} has {} features and {} feature names", training.origin, features, mapping.names.size()));
  }
  return mapping;
}

/// Fewer features than in training are allowed: the last features do not occur in this file.
SparseBits apply_sparse(const Booleanizer::Bits& mapping, const SparseRows& rows, const std::string& origin) {
  if (rows.features > mapping.features) {
    throw DataError(
        fmt::format("{} has {} features, expected at most {} as in training", origin, rows.features, mapping.features));
  }
  SparseBits bits(mapping.features);
  bits.starts.reserve(rows.rows() + 1);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint64_t e = rows.starts[r]; e < rows.starts[r + 1]; ++e) {
      if (rows.values[e] > 0) bits.features.push_back(rows.indices[e]);
    }
    bits.starts.push_back(bits.features.size());
  }
  return bits;
}

BitMatrix apply_bits(const Booleanizer::Bits& mapping, std::uint32_t image_width, const Source& source) {
  if (const auto* bits = std::get_if<BitMatrix>(&source.values)) {
    return in_order(
        *bits, match_columns(mapping.names, mapping.features, source.feature_names, bits->columns(), source.origin));
  }
  if (const auto* sparse = std::get_if<SparseRows>(&source.values)) {
    return dense_bits(apply_sparse(mapping, *sparse, source.origin), source.origin);
  }
  if (const auto* table = std::get_if<Columns>(&source.values)) return from_columns(*table, mapping, source.origin);
  if (const auto* images = std::get_if<GreyImages>(&source.values); images != nullptr && image_width > 0) {
    if (images->pixels != mapping.features) {
      throw DataError(fmt::format("{} has images of {} pixels, expected {} as in training", source.origin,
                                  images->pixels, mapping.features));
    }
    return apply_thresholds(*images, {kUsualGreyThreshold}, source.origin);
  }
  throw DataError(fmt::format("{} holds {}, expected {} bits a row as in training", source.origin, describe(source),
                              mapping.features));
}

}  // namespace falsum
