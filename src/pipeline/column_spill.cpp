#include "pipeline/column_spill.h"

#include <algorithm>
#include <cmath>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {

void ColumnSpill::add_categories(const Column& from, Kept& to) {
  std::vector<std::uint32_t> global(from.categories.size());
  for (std::size_t i = 0; i < global.size(); ++i) {
    const auto [found, is_new] =
        to.known.try_emplace(from.categories[i], static_cast<std::uint32_t>(to.names.categories.size()));
    if (is_new) to.names.categories.push_back(from.categories[i]);
    global[i] = found->second;
  }
  std::vector<std::uint32_t> values = from.category;
  for (std::uint32_t& value : values) {
    to.missing += value == kMissingCategory;
    if (value != kMissingCategory) value = global[value];
  }
  file_.write(values.data(), values.size() * sizeof(std::uint32_t));
}

void ColumnSpill::add_numbers(const Column& from, Kept& to) {
  for (const double number : from.numbers) {
    if (std::isnan(number)) {
      ++to.missing;
      continue;
    }
    to.least = to.any ? std::min(to.least, number) : number;
    to.most = to.any ? std::max(to.most, number) : number;
    to.any = true;
  }
  file_.write(from.numbers.data(), from.numbers.size() * sizeof(double));
}

void ColumnSpill::add(const Columns& part, const std::string& origin) {
  if (parts_.empty()) {
    columns_.resize(part.columns.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Column& names = columns_[c].names;
      names.name = part.columns[c].name;
      names.categorical = part.columns[c].categorical;
      names.kind = part.columns[c].kind;
    }
  }
  if (part.columns.size() != columns_.size()) {
    throw DataError(fmt::format("{}, rows from {} on: {} columns, and those before have {}", origin, rows_,
                                part.columns.size(), columns_.size()));
  }
  Part kept{part.rows, {}};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& from = part.columns[c];
    Kept& to = columns_[c];
    if (from.name != to.names.name || from.categorical != to.names.categorical || from.kind != to.names.kind) {
      throw DataError(fmt::format("{}, rows from {} on: column {:?} holds {}, and was {:?} of {} before", origin, rows_,
                                  from.name, name_of(from.categorical ? ColumnKind::kCategory : from.kind),
                                  to.names.name,
                                  name_of(to.names.categorical ? ColumnKind::kCategory : to.names.kind)));
    }
    kept.places.push_back(file_.size());
    from.categorical ? add_categories(from, to) : add_numbers(from, to);
  }
  rows_ += part.rows;
  parts_.push_back(std::move(kept));
}

void ColumnSpill::read(const Part& part, std::size_t c, std::size_t first, std::size_t count, Column& to) const {
  if (to.categorical) {
    const std::size_t before = to.category.size();
    to.category.resize(before + count);
    file_.read(part.places[c] + first * sizeof(std::uint32_t), to.category.data() + before,
               count * sizeof(std::uint32_t));
  } else {
    const std::size_t before = to.numbers.size();
    to.numbers.resize(before + count);
    file_.read(part.places[c] + first * sizeof(double), to.numbers.data() + before, count * sizeof(double));
    if (columns_[c].divide_by == 1) return;
    for (std::size_t r = before; r < to.numbers.size(); ++r) to.numbers[r] /= columns_[c].divide_by;
  }
}

Column ColumnSpill::column(std::size_t c) const {
  Column column = columns_.at(c).names;
  if (column.categorical) {  // only what fitting looks at
    if (columns_[c].missing > 0) column.category.push_back(kMissingCategory);
    return column;
  }
  column.numbers.reserve(rows_);
  for (const Part& part : parts_) read(part, c, 0, part.rows, column);
  return column;
}

Columns ColumnSpill::rows_of(const Part& part, std::size_t first, std::size_t count) const {
  Columns rows{count, {}};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    rows.columns.push_back(columns_[c].names);
    read(part, c, first, count, rows.columns.back());
  }
  return rows;
}

void pack_spilled(const ColumnSpill& spill, const Booleanizer& booleanizer, PackedWriter& to) {
  constexpr std::uint64_t kBitsTogether = std::uint64_t{1} << 24;
  const std::size_t together = std::max<std::uint64_t>(kBitsTogether / booleanizer.features(), 64);
  spill.for_each_rows(together, [&](Columns rows) {
    Source part;
    part.values = std::move(rows);
    to.add(booleanizer.transform(part));
  });
}

void ColumnSpill::summarise(Schema& schema) const {
  std::size_t feature = 0;
  for (ColumnSchema& column : schema.columns) {
    if (column.role != ColumnRole::kFeature) continue;
    const Kept& kept = columns_.at(feature++);
    column.missing = kept.missing;
    if (kept.names.categorical) {
      column.distinct = kept.names.categories.size();
    } else if (kept.any) {
      column.least = kept.least;
      column.most = kept.most;
    }
  }
}

}  // namespace falsum
