#include "falsum/booleanizer.h"

#include <cmath>

#include "booleanize/rules.h"
#include "data/formats.h"
#include "falsum/booleanize_options.h"
#include "falsum/error.h"
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

std::string describe(const Source& source) {
  return std::visit(
      Overload{[](const BitMatrix& bits) { return fmt::format("a table of {} bits a row", bits.columns()); },
               [](const GreyImages& images) { return fmt::format("grey images of {} pixels", images.pixels); },
               [](const Columns& table) { return fmt::format("a table of {} columns", table.columns.size()); },
               [](const SparseRows& rows) { return fmt::format("sparse rows of {} features", rows.features); },
               [](const Documents&) { return std::string("text documents"); }},
      source.values);
}

Booleanizer Booleanizer::from_rule(Rule rule, std::uint32_t image_width) {
  if (const auto* table = std::get_if<ByColumn>(&rule)) {
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      const std::vector<double>& thresholds = table->columns[c].thresholds;
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        if (std::isfinite(thresholds[i]) && (i == 0 || thresholds[i - 1] < thresholds[i])) continue;
        throw ConfigError(fmt::format("the thresholds of column {} must be finite and ascend, got {} at position {}",
                                      column_name(table->columns[c], c), thresholds[i], i));
      }
    }
  }
  Booleanizer booleanizer(std::move(rule), image_width);
  check_size(1, booleanizer.features(), "the booleanizer");
  return booleanizer;
}

Booleanizer Booleanizer::fit(const Source& training, const BooleanizeOptions& options) {
  validate(options);
  if (training.rows() == 0) throw DataError(fmt::format("{} has no rows to learn from", training.origin));
  Booleanizer fitted = std::visit(
      Overload{
          [&](const BitMatrix&) { return Booleanizer(fit_bits(training), training.image_width); },
          [&](const SparseRows&) { return Booleanizer(fit_bits(training)); },
          [&](const GreyImages& images) { return Booleanizer(fit_levels(images, training.image_width, options)); },
          [&](const Columns& table) { return Booleanizer(fit_columns(table, options)); },
          [&](const Documents&) { return Booleanizer(fit_words(training, options)); },
      },
      training.values);
  if (fitted.features() == 0) {
    throw DataError(fmt::format("{} gives no feature: every column has one value only", training.origin));
  }
  check_size(1, fitted.features(), training.origin);
  if (fitted.image_width() > 0 && fitted.image_pixels() % fitted.image_width() != 0) {
    throw DataError(fmt::format("{} has images of {} pixels, which rows of {} do not fill", training.origin,
                                fitted.image_pixels(), fitted.image_width()));
  }
  return fitted;
}

BitMatrix Booleanizer::transform(const Source& source) const {
  return std::visit(Overload{[&](const Bits& rule) { return apply_bits(rule, image_width_, source); },
                             [&](const Levels& rule) { return apply_levels(rule, source); },
                             [&](const ByColumn& rule) { return apply_columns(rule, source); },
                             [&](const Words& rule) { return dense_bits(apply_words(rule, source), source.origin); }},
                    rule_);
}

AnyRows Booleanizer::rows(const Source& source) const {
  if (source.is_sparse()) return transform_sparse(source);
  return transform(source);
}

SparseBits Booleanizer::transform_sparse(const Source& source) const {
  if (const auto* words = std::get_if<Words>(&rule_)) return apply_words(*words, source);
  const auto* rows = std::get_if<SparseRows>(&source.values);
  const auto* bits = std::get_if<Bits>(&rule_);
  if (rows != nullptr && bits != nullptr) return apply_sparse(*bits, *rows, source.origin);
  return SparseBits(transform(source));
}

std::size_t Booleanizer::features() const {
  return std::visit(Overload{[](const Bits& rule) { return std::size_t{rule.features}; },
                             [](const Levels& rule) { return rule.pixels * rule.thresholds.size(); },
                             [](const ByColumn& rule) {
                               std::size_t count = 0;
                               for (const ColumnRule& column : rule.columns) count += column_features(column);
                               return count;
                             },
                             [](const Words& rule) { return rule.vocabulary.size(); }},
                    rule_);
}

std::vector<std::string> Booleanizer::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features());
  std::visit(
      Overload{[&](const Bits& rule) {
                 names = rule.names;
                 for (std::size_t i = names.size(); i < rule.features; ++i) {
                   names.push_back(image_width_ > 0 ? fmt::format("pixel {},{}", i / image_width_, i % image_width_)
                                                    : fmt::format("x{}", i));
                 }
               },
               [&](const Levels& rule) {
                 for (const std::uint8_t threshold : rule.thresholds) {
                   for (std::uint32_t i = 0; i < rule.pixels; ++i) {
                     names.push_back(rule.width > 0
                                         ? fmt::format("pixel {},{} > {}", i / rule.width, i % rule.width, threshold)
                                         : fmt::format("pixel {} > {}", i, threshold));
                   }
                 }
               },
               [&](const ByColumn& rule) {
                 for (std::size_t c = 0; c < rule.columns.size(); ++c) {
                   const ColumnRule& column = rule.columns[c];
                   const std::string name = column_name(column, c);
                   if (column.boolean) names.push_back(name);
                   for (const double t : column.thresholds) {
                     names.push_back(fmt::format("{} >= {}", name, value_text(column.unit, t)));
                   }
                   for (const std::string& value : column.categories) names.push_back(name + " = " + value);
                   if (column.missing) names.push_back(name + " is missing");
                 }
               },
               [&](const Words& rule) { names = rule.vocabulary; }},
      rule_);
  return names;
}

std::vector<std::string> Booleanizer::negated_names() const {
  std::vector<std::string> names = feature_names();
  for (std::string& name : names) name = "not " + name;
  const auto* table = std::get_if<ByColumn>(&rule_);
  if (table == nullptr) return names;
  std::size_t feature = 0;
  for (std::size_t c = 0; c < table->columns.size(); ++c) {
    const ColumnRule& column = table->columns[c];
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
  if (const auto* levels = std::get_if<Levels>(&rule_)) return levels->width;
  return image_width_;
}

std::uint32_t Booleanizer::image_pixels() const {
  if (image_width() == 0) return 0;
  if (const auto* levels = std::get_if<Levels>(&rule_)) return levels->pixels;
  return static_cast<std::uint32_t>(features());
}

std::string Booleanizer::kind() const {
  return std::visit(Overload{[](const Bits&) { return "bits"; }, [](const Levels&) { return "levels"; },
                             [](const ByColumn&) { return "columns"; }, [](const Words&) { return "words"; }},
                    rule_);
}

}  // namespace falsum
