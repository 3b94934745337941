#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "booleanize/mappings.h"
#include "data/formats.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

using ColumnMapping = Booleanizer::ColumnMapping;

bool is_bit(double value) { return value == 0 || value == 1; }

bool is_date(ColumnKind kind) {
  return kind == ColumnKind::kDate || kind == ColumnKind::kDateTime || kind == ColumnKind::kTime;
}

}  // namespace

ColumnMapping fit_column(Column column, const BooleanizeOptions& options) {
  ColumnMapping mapping;
  mapping.name = column.name;
  mapping.categorical = column.categorical;
  if (column.categorical) {
    mapping.missing =
        std::find(column.category.begin(), column.category.end(), kMissingCategory) != column.category.end();
    mapping.categories = std::move(column.categories);
    std::sort(mapping.categories.begin(), mapping.categories.end());
    return mapping;
  }
  std::vector<double> present = std::move(column.numbers);
  mapping.missing = std::erase_if(present, [](double value) { return std::isnan(value); }) > 0;
  if (!present.empty() && std::all_of(present.begin(), present.end(), is_bit) && !is_date(column.kind)) {
    mapping.boolean = true;
  } else {
    if (is_date(column.kind)) mapping.unit = column.kind;
    mapping.thresholds =
        quantile_thresholds(std::move(present), static_cast<std::size_t>(options.quantiles), mapping.unit);
  }
  return mapping;
}

namespace {

/// Sets the features of one column, which begin at `first`.
class ColumnApplier {
 public:
  ColumnApplier(const ColumnMapping& mapping, std::string name, std::size_t first, const std::string& origin,
                BitMatrix& bits)
      : mapping_(mapping), name_(std::move(name)), first_(first), origin_(origin), bits_(bits) {}

  void number(std::size_t row, double value) {
    if (std::isnan(value)) return missing(row);
    if (mapping_.boolean) {
      if (!is_bit(value)) {
        throw DataError(
            fmt::format("{}, row {}, column {}: expected 0 or 1 as in training, found {}", origin_, row, name_, value));
      }
      if (value == 1) bits_.set(row, first_);
    }
    for (std::size_t t = 0; t < mapping_.thresholds.size() && value >= mapping_.thresholds[t]; ++t)
      bits_.set(row, first_ + t);
  }

  void categories(const Column& column) {
    std::unordered_map<std::string_view, std::size_t> features;
    for (std::size_t i = 0; i < mapping_.categories.size(); ++i) features.emplace(mapping_.categories[i], first_ + i);
    for (std::size_t r = 0; r < column.category.size(); ++r) {
      if (column.category[r] == kMissingCategory) {
        missing(r);
        continue;
      }
      const auto found = features.find(column.categories[column.category[r]]);
      if (found != features.end()) bits_.set(r, found->second);
    }
  }

  /// All values of this file happen to be numbers; those of training were not, but some may have been.
  void numbers_as_categories(const std::vector<double>& numbers) {
    std::unordered_map<double, std::vector<std::size_t>> features;
    for (std::size_t i = 0; i < mapping_.categories.size(); ++i) {
      if (const auto value = parse_number(mapping_.categories[i])) features[*value].push_back(first_ + i);
    }
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      if (std::isnan(numbers[r])) {
        missing(r);
        continue;
      }
      const auto found = features.find(numbers[r]);
      if (found == features.end()) continue;
      for (const std::size_t feature : found->second) bits_.set(r, feature);
    }
  }

 private:
  void missing(std::size_t row) {
    if (mapping_.missing) bits_.set(row, first_ + column_features(mapping_) - 1);
  }

  const ColumnMapping& mapping_;
  std::string name_;
  std::size_t first_;
  const std::string& origin_;
  BitMatrix& bits_;
};

void apply_column(ColumnApplier& applier, const ColumnMapping& mapping, const std::string& name, const Column& column,
                  const std::string& origin) {
  if (mapping.categorical) {
    if (column.categorical) return applier.categories(column);
    return applier.numbers_as_categories(column.numbers);
  }
  const bool all_missing = column.categorical && column.categories.empty();
  if (all_missing) {
    for (std::size_t r = 0; r < column.category.size(); ++r)
      applier.number(r, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (column.categorical) {
    const auto is_text = [](const std::string& value) { return !parse_number(value); };
    const auto text = std::find_if(column.categories.begin(), column.categories.end(), is_text);
    throw DataError(fmt::format("{}, column {}: expected numbers as in training, found {:?}", origin, name,
                                text == column.categories.end() ? "" : *text));
  }
  for (std::size_t r = 0; r < column.numbers.size(); ++r) applier.number(r, column.numbers[r]);
}

/// The column with the most features, for the error about too many features.
std::string widest_column(const Booleanizer::ByColumn& mapping) {
  const auto widest = std::max_element(
      mapping.columns.begin(), mapping.columns.end(),
      [](const ColumnMapping& a, const ColumnMapping& b) { return column_features(a) < column_features(b); });
  if (widest == mapping.columns.end()) return "";
  const std::string flag =
      widest->name.empty() ? std::to_string(widest - mapping.columns.begin()) : std::string(widest->name);
  return fmt::format("; {} of the features are the values of column {:?}: --ignore {} leaves it out",
                     column_features(*widest), flag, flag);
}

}  // namespace

std::string column_name(const ColumnMapping& column, std::size_t position) {
  return column.name.empty() ? fmt::format("x{}", position) : column.name;
}

std::size_t column_features(const ColumnMapping& column) {
  return (column.boolean ? 1 : column.thresholds.size() + column.categories.size()) + (column.missing ? 1 : 0);
}

Booleanizer::ByColumn fit_columns(const Columns& table, const BooleanizeOptions& options) {
  Booleanizer::ByColumn mapping;
  for (const Column& column : table.columns) mapping.columns.push_back(fit_column(column, options));
  return mapping;
}

BitMatrix apply_columns(const Booleanizer::ByColumn& mapping, const Source& source) {
  const auto* table = std::get_if<Columns>(&source.values);
  const auto* bits = std::get_if<BitMatrix>(&source.values);  // every number of this file happens to be 0 or 1
  if (table == nullptr && bits == nullptr) {
    throw DataError(fmt::format("{} holds {}, expected a table of {} columns as in training", source.origin,
                                describe(source), mapping.columns.size()));
  }
  std::vector<std::string> fitted, found = source.feature_names;
  std::size_t features = 0;
  for (const ColumnMapping& column : mapping.columns) {
    fitted.push_back(column.name);
    features += column_features(column);
  }
  if (table != nullptr) {
    found.clear();
    for (const Column& column : table->columns) found.push_back(column.name);
  }
  const std::size_t count = table != nullptr ? table->columns.size() : bits->columns();
  const auto positions = match_columns(fitted, fitted.size(), found, count, source.origin);

  BitMatrix result = [&] {
    try {
      return make_bits(source.rows(), features, source.origin);
    } catch (const DataError& error) {
      throw DataError(error.what() + widest_column(mapping));
    }
  }();
  std::size_t first = 0;
  for (std::size_t c = 0; c < mapping.columns.size(); ++c) {
    const std::string name = column_name(mapping.columns[c], c);
    ColumnApplier applier(mapping.columns[c], name, first, source.origin, result);
    if (table != nullptr) {
      apply_column(applier, mapping.columns[c], name, table->columns[positions[c]], source.origin);
    } else {
      Column column;
      for (std::size_t r = 0; r < bits->rows(); ++r) column.numbers.push_back(bits->get(r, positions[c]));
      apply_column(applier, mapping.columns[c], name, column, source.origin);
    }
    first += column_features(mapping.columns[c]);
  }
  return result;
}

}  // namespace falsum
