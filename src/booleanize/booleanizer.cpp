#include "falsum/booleanizer.h"

#include <algorithm>
#include <cmath>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/booleanize_options.h"
#include "falsum/error.h"
#include "falsum/packed_rows.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

template <class... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overload(Functions...) -> Overload<Functions...>;

}  // namespace

void check_fitted(std::size_t features, const std::string& origin) {
  if (features == 0) throw DataError(fmt::format("{} gives no feature: every column has one value only", origin));
  check_size(1, features, origin);
}

std::string describe(const Source& source) {
  return std::visit(
      Overload{[](const BitMatrix& bits) { return fmt::format("a table of {} bits a row", bits.columns()); },
               [](const GreyImages& images) { return fmt::format("grey images of {} pixels", images.pixels); },
               [](const Columns& table) { return fmt::format("a table of {} columns", table.columns.size()); },
               [](const SparseRows& rows) { return fmt::format("sparse rows of {} features", rows.features); },
               [](const Documents&) { return std::string("text documents"); },
               [](const std::shared_ptr<const PackedRows>& file) {
                 return fmt::format("packed rows of {} features", file->rows().columns());
               }},
      source.values);
}

Booleanizer Booleanizer::from_mapping(Mapping mapping, std::uint32_t image_width) {
  if (const auto* table = std::get_if<ByColumn>(&mapping)) {
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      const std::vector<double>& thresholds = table->columns[c].thresholds;
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        if (std::isfinite(thresholds[i]) && (i == 0 || thresholds[i - 1] < thresholds[i])) continue;
        throw ConfigError(fmt::format("the thresholds of column {} must be finite and ascend, got {} at position {}",
                                      column_name(table->columns[c], c), thresholds[i], i));
      }
    }
  }
  Booleanizer booleanizer(std::move(mapping), image_width);
  check_size(1, booleanizer.features(), "the booleanizer");
  return booleanizer;
}

Booleanizer Booleanizer::fit(const Source& training, const BooleanizeOptions& options, Task task) {
  validate(options);
  if (training.rows() == 0) throw DataError(fmt::format("{} has no rows to learn from", training.origin));
  Booleanizer fitted = std::visit(
      Overload{
          [&](const BitMatrix&) { return Booleanizer(fit_bits(training), training.image_width); },
          [&](const SparseRows&) { return Booleanizer(fit_bits(training)); },
          [&](const GreyImages& images) { return Booleanizer(fit_levels(images, training.image_width, options)); },
          [&](const Columns& table) { return Booleanizer(fit_columns(table, options)); },
          [&](const Documents&) { return Booleanizer(fit_words(training, options, task)); },
          [](const std::shared_ptr<const PackedRows>& file) { return of(*file); },
      },
      training.values);
  check_fitted(fitted.features(), training.origin);
  if (fitted.image_width() > 0 && fitted.image_pixels() % fitted.image_width() != 0) {
    throw DataError(fmt::format("{} has images of {} pixels, which rows of {} do not fill", training.origin,
                                fitted.image_pixels(), fitted.image_width()));
  }
  return fitted;
}

Booleanizer Booleanizer::of(const PackedRows& rows) {
  ByteReader reader(rows.booleanizer(), rows.origin() + " as packed rows");
  Booleanizer booleanizer = read(reader);
  reader.expect_end();
  if (booleanizer.features() != rows.rows().columns()) reader.fail("its rows have other features than its booleanizer");
  return booleanizer;
}

namespace {

/// Rows that are Boolean already are those of this booleanizer, or of no use.
Rows own_rows(const Booleanizer& booleanizer, const PackedRows& file) {
  if (Booleanizer::of(file) == booleanizer) return file.rows();
  throw DataError(
      fmt::format("the packed rows of {} have other features than the model was trained on: pack them as its training "
                  "data were, with --like",
                  file.origin()));
}

}  // namespace

BitMatrix Booleanizer::transform(const Source& source) const {
  if (source.packed() != nullptr) {
    const Rows rows = own_rows(*this, *source.packed());
    BitMatrix bits = make_bits(rows.rows(), rows.columns(), source.origin);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      if (rows.is_sparse()) {
        for (const std::uint32_t k : rows.sparse(r)) bits.set(r, k);
      } else {
        std::ranges::copy(rows.packed(r), bits.row(r).begin());
      }
    }
    return bits;
  }
  return std::visit(
      Overload{[&](const Bits& mapping) { return apply_bits(mapping, image_width_, source); },
               [&](const Levels& mapping) { return apply_levels(mapping, source); },
               [&](const ByColumn& mapping) { return apply_columns(mapping, source); },
               [&](const Words& mapping) { return dense_bits(apply_words(mapping, source), source.origin); }},
      mapping_);
}

AnyRows Booleanizer::rows(const Source& source) const {
  if (const auto* file = std::get_if<std::shared_ptr<const PackedRows>>(&source.values)) {
    return {*file, own_rows(*this, **file)};
  }
  if (source.is_sparse()) return transform_sparse(source);
  return transform(source);
}

SparseBits Booleanizer::transform_sparse(const Source& source) const {
  if (const auto* words = std::get_if<Words>(&mapping_)) return apply_words(*words, source);
  const auto* rows = std::get_if<SparseRows>(&source.values);
  const auto* bits = std::get_if<Bits>(&mapping_);
  if (rows != nullptr && bits != nullptr) return apply_sparse(*bits, *rows, source.origin);
  return SparseBits(transform(source));
}

std::size_t Booleanizer::features() const {
  return std::visit(Overload{[](const Bits& mapping) { return std::size_t{mapping.features}; },
                             [](const Levels& mapping) { return mapping.pixels * mapping.thresholds.size(); },
                             [](const ByColumn& mapping) {
                               std::size_t count = 0;
                               for (const ColumnMapping& column : mapping.columns) count += column_features(column);
                               return count;
                             },
                             [](const Words& mapping) { return mapping.vocabulary.size(); }},
                    mapping_);
}

std::vector<std::string> Booleanizer::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features());
  std::visit(Overload{[&](const Bits& mapping) {
                        names = mapping.names;
                        for (std::size_t i = names.size(); i < mapping.features; ++i) {
                          names.push_back(image_width_ > 0
                                              ? fmt::format("pixel {},{}", i / image_width_, i % image_width_)
                                              : fmt::format("x{}", i));
                        }
                      },
                      [&](const Levels& mapping) {
                        for (const std::uint8_t threshold : mapping.thresholds) {
                          for (std::uint32_t i = 0; i < mapping.pixels; ++i) {
                            names.push_back(mapping.width > 0 ? fmt::format("pixel {},{} > {}", i / mapping.width,
                                                                            i % mapping.width, threshold)
                                                              : fmt::format("pixel {} > {}", i, threshold));
                          }
                        }
                      },
                      [&](const ByColumn& mapping) {
                        for (std::size_t c = 0; c < mapping.columns.size(); ++c) {
                          const ColumnMapping& column = mapping.columns[c];
                          const std::string name = column_name(column, c);
                          if (column.boolean) names.push_back(name);
                          for (const double t : column.thresholds) {
                            names.push_back(fmt::format("{} >= {}", name, value_text(column.unit, t)));
                          }
                          for (const std::string& value : column.categories) names.push_back(name + " = " + value);
                          if (column.missing) names.push_back(name + " is missing");
                        }
                      },
                      [&](const Words& mapping) { names = mapping.vocabulary; }},
             mapping_);
  return names;
}

std::vector<std::string> Booleanizer::negated_names() const {
  std::vector<std::string> names = feature_names();
  for (std::string& name : names) name = "not " + name;
  const auto* table = std::get_if<ByColumn>(&mapping_);
  if (table == nullptr) return names;
  std::size_t feature = 0;
  for (std::size_t c = 0; c < table->columns.size(); ++c) {
    const ColumnMapping& column = table->columns[c];
    const std::size_t end = feature + column_features(column);
    if (column.missing) {
      const std::string name = column_name(column, c);
      if (column.boolean) names[feature] = fmt::format("not {} or missing", name);
      for (std::size_t t = 0; t < column.thresholds.size(); ++t) {
        names[feature + t] = fmt::format("{} < {} or missing", name, value_text(column.unit, column.thresholds[t]));
      }
      for (std::size_t k = 0; k < column.categories.size(); ++k) {
        names[feature + k] = fmt::format("{} is not {} or missing", name, column.categories[k]);
      }
      names[end - 1] = name + " is not missing";
    }
    feature = end;
  }
  return names;
}

std::uint32_t Booleanizer::image_width() const {
  if (const auto* levels = std::get_if<Levels>(&mapping_)) return levels->width;
  return image_width_;
}

std::uint32_t Booleanizer::image_pixels() const {
  if (image_width() == 0) return 0;
  if (const auto* levels = std::get_if<Levels>(&mapping_)) return levels->pixels;
  return static_cast<std::uint32_t>(features());
}

std::string Booleanizer::kind() const {
  return std::visit(Overload{[](const Bits&) { return "bits"; }, [](const Levels&) { return "levels"; },
                             [](const ByColumn&) { return "columns"; }, [](const Words&) { return "words"; }},
                    mapping_);
}

}  // namespace falsum
