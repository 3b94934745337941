#include "export/vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "falsum/predictor.h"
#include "support/random.h"

namespace falsum {
namespace {

constexpr std::size_t kMadeRows = 30, kDataRows = 16, kRawRows = 16;

class Draws {
 public:
  std::uint64_t below(std::uint64_t count) { return (state_ = mix64(state_ + 0x9e3779b97f4a7c15ULL)) % count; }
  bool often(double share) { return static_cast<double>(below(1000000)) < share * 1e6; }

 private:
  std::uint64_t state_ = 64;
};

double true_share(const Model& model, std::size_t feature) {
  return model.truth_shares().empty() ? 0.5 : model.truth_shares()[feature] / 65535.0;
}

void put(BitMatrix& bits, std::size_t row, std::size_t column, bool on) {
  std::uint64_t& word = bits.row(row)[column / 64];
  const std::uint64_t bit = std::uint64_t{1} << (column % 64);
  word = on ? word | bit : word & ~bit;
}

/// Makes the clause true of a row, of one patch of it where there are patches. Positions of patches are not changed: if
/// the clause wants others than this patch has, it may stay false.
void make_true(const Lowered& lowered, const LoweredClause& clause, Draws& draws, BitMatrix& bits, std::size_t row) {
  if (!lowered.patches) {
    for (const std::uint32_t literal : clause.literals)
      put(bits, row, lowered.feature_of(literal), !lowered.is_negated(literal));
    return;
  }
  const PatchShape& shape = *lowered.patches;
  const std::size_t down = draws.below(shape.down()), across = draws.below(shape.across());
  for (const std::uint32_t literal : clause.literals) {
    if (lowered.feature_of(literal) < shape.position_features()) continue;
    const std::size_t bit = lowered.feature_of(literal) - shape.position_features();
    const std::size_t run = shape.columns * shape.channels;
    const std::size_t pixel =
        (down * shape.row_stride + bit / run) * shape.image_columns + across * shape.column_stride;
    put(bits, row, pixel * shape.channels + bit % run, !lowered.is_negated(literal));
  }
}

/// A row with features as often true as in training, and some clauses made true.
void fill_row(const Lowered& lowered, Draws& draws, BitMatrix& bits, std::size_t row) {
  for (std::size_t k = 0; k < lowered.features; ++k) {
    if (draws.often(true_share(lowered.model, k))) bits.set(row, k);
  }
  if (lowered.clauses.empty()) return;
  for (std::uint64_t some = draws.below(4); some > 0; --some) {
    make_true(lowered, lowered.clauses[draws.below(lowered.clauses.size())], draws, bits, row);
  }
}

/// A value of a column that has about the features that begin at `first`.
RawValue value_like(const Booleanizer::ColumnMapping& column, const BitMatrix& bits, std::size_t row, std::size_t first,
                    Draws& draws) {
  if (draws.below(12) == 0) return {};
  if (column.boolean) return bits.get(row, first) ? 1.0 : 0.0;
  if (column.categorical) {
    for (std::size_t i = 0; i < column.categories.size(); ++i) {
      if (bits.get(row, first + i)) return column.categories[i];
    }
    return "no category of training";
  }
  if (column.thresholds.empty()) return 0.0;
  std::size_t reached = column.thresholds.size();
  while (reached > 0 && !bits.get(row, first + reached - 1)) --reached;
  if (reached == 0) return std::nextafter(column.thresholds[0], -std::numeric_limits<double>::infinity());
  return column.thresholds[reached - 1];
}

std::size_t features_of(const Booleanizer::ColumnMapping& column) {
  return (column.boolean ? 1 : column.thresholds.size() + column.categories.size()) + (column.missing ? 1 : 0);
}

/// Raw values with about the features of this row. Empty for models of bits.
std::vector<RawValue> values_like(const Booleanizer& booleanizer, const BitMatrix& bits, std::size_t row,
                                  Draws& draws) {
  std::vector<RawValue> values;
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
    std::size_t first = 0;
    for (const Booleanizer::ColumnMapping& column : table->columns) {
      values.push_back(value_like(column, bits, row, first, draws));
      first += features_of(column);
    }
  } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer.mapping())) {
    for (std::size_t pixel = 0; pixel < levels->pixels; ++pixel) {
      double value = 0;
      for (std::size_t t = 0; t < levels->thresholds.size(); ++t) {
        const int beyond = static_cast<int>(draws.below(2));  // at the threshold the feature is still false
        if (bits.get(row, t * levels->pixels + pixel)) value = levels->thresholds[t] + beyond;
      }
      values.push_back(value);
    }
  } else if (const auto* words = std::get_if<Booleanizer::Words>(&booleanizer.mapping())) {
    constexpr const char* kBetween[] = {" ", ", ", ". ", " - ", "\n", "\t(", " unheard-of "};
    std::string text;
    for (std::size_t k = 0; k < words->vocabulary.size(); ++k) {
      if (bits.get(row, k)) text += words->vocabulary[k] + kBetween[draws.below(std::size(kBetween))];
    }
    values.push_back(text);
  }
  return values;
}

/// The values of one row of a source whose shape is that of the booleanizer.
std::vector<RawValue> values_of(const Booleanizer& booleanizer, const Source& source, std::size_t row) {
  std::vector<RawValue> values;
  if (const auto* table = std::get_if<Columns>(&source.values)) {
    const auto* mapping = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping());
    if (mapping == nullptr || mapping->columns.size() != table->columns.size()) return values;
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      const Column& column = table->columns[c];
      if (column.name != mapping->columns[c].name || column.categorical != mapping->columns[c].categorical) return {};
      if (column.categorical) {
        const std::uint32_t category = column.category[row];
        values.push_back(category == kMissingCategory ? RawValue() : RawValue(column.categories[category]));
      } else {
        values.push_back(std::isnan(column.numbers[row]) ? RawValue() : RawValue(column.numbers[row]));
      }
    }
  } else if (const auto* images = std::get_if<GreyImages>(&source.values)) {
    if (!std::holds_alternative<Booleanizer::Levels>(booleanizer.mapping())) return values;
    for (std::size_t i = 0; i < images->pixels; ++i)
      values.push_back(double{1} * images->values[row * images->pixels + i]);
  } else if (const auto* documents = std::get_if<Documents>(&source.values)) {
    values.push_back(documents->texts[row]);
  }
  return values;
}

Column column_of(const Booleanizer::ColumnMapping& mapping, const std::vector<std::vector<RawValue>>& raw,
                 std::size_t c) {
  Column column;
  column.name = mapping.name;
  column.categorical = mapping.categorical;
  for (const std::vector<RawValue>& row : raw) {
    if (!mapping.categorical) {
      const double* const number = std::get_if<double>(&row[c]);
      column.numbers.push_back(number != nullptr ? *number : std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const std::string* const text = std::get_if<std::string>(&row[c]);
    if (text == nullptr) {
      column.category.push_back(kMissingCategory);
      continue;
    }
    auto at = std::ranges::find(column.categories, *text);
    if (at == column.categories.end()) at = column.categories.insert(at, *text);
    column.category.push_back(static_cast<std::uint32_t>(at - column.categories.begin()));
  }
  return column;
}

BitMatrix bits_of(const Booleanizer& booleanizer, const std::vector<std::vector<RawValue>>& raw) {
  Source source;
  source.origin = "the test vectors";
  if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
    Columns columns{.rows = raw.size(), .columns = {}};
    for (std::size_t c = 0; c < table->columns.size(); ++c)
      columns.columns.push_back(column_of(table->columns[c], raw, c));
    source.values = std::move(columns);
  } else if (std::holds_alternative<Booleanizer::Levels>(booleanizer.mapping())) {
    GreyImages images{.rows = raw.size(), .pixels = raw.front().size(), .values = {}};
    for (const std::vector<RawValue>& row : raw) {
      for (const RawValue& value : row) images.values.push_back(static_cast<std::uint8_t>(std::get<double>(value)));
    }
    source.values = std::move(images);
  } else {
    Documents documents;
    for (const std::vector<RawValue>& row : raw) documents.texts.push_back(std::get<std::string>(row.front()));
    source.values = std::move(documents);
  }
  return booleanizer.transform(source);
}

std::vector<std::size_t> spread(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < std::min(rows, most); ++i) some.push_back(i * rows / std::min(rows, most));
  return some;
}

}  // namespace

TestVectors make_vectors(const Lowered& lowered, const Source* data) {
  const Booleanizer& booleanizer = lowered.model.booleanizer();
  Draws draws;
  TestVectors vectors;
  const std::vector<std::size_t> from_data =
      data != nullptr ? spread(data->rows(), kDataRows) : std::vector<std::size_t>();
  vectors.rows = BitMatrix(2 + kMadeRows + from_data.size(), lowered.features);
  for (std::size_t k = 0; k < lowered.features; ++k) vectors.rows.set(1, k);
  for (std::size_t i = 0; i < kMadeRows; ++i) fill_row(lowered, draws, vectors.rows, 2 + i);
  if (!from_data.empty()) {
    const BitMatrix bits = booleanizer.transform(*data);
    for (std::size_t i = 0; i < from_data.size(); ++i)
      std::ranges::copy(bits.row(from_data[i]), vectors.rows.row(2 + kMadeRows + i).begin());
  }
  const Predictor predictor(lowered.model);
  vectors.votes = predictor.votes(vectors.rows);

  for (std::size_t i = 0; i < kRawRows && booleanizer.features() > 0; ++i) {
    std::vector<RawValue> values = values_like(booleanizer, vectors.rows, 2 + i, draws);
    if (!values.empty()) vectors.raw.push_back(std::move(values));
  }
  for (const std::size_t row : from_data) {
    std::vector<RawValue> values = values_of(booleanizer, *data, row);
    if (!values.empty()) vectors.raw.push_back(std::move(values));
  }
  if (!vectors.raw.empty()) {
    vectors.raw_bits = bits_of(booleanizer, vectors.raw);
    vectors.raw_votes = predictor.votes(vectors.raw_bits);
  }
  return vectors;
}

}  // namespace falsum
