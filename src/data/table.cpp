#include "data/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "data/dialect.h"
#include "data/formats.h"
#include "data/infer.h"
#include "data/values.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// A name and the number of its earlier occurrences.
using Occurrence = std::pair<std::string, std::size_t>;

template <class Names>
std::map<Occurrence, std::size_t> positions_of(const Names& names) {
  std::map<std::string, std::size_t> times;
  std::map<Occurrence, std::size_t> positions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name(names[i]);
    positions.emplace(Occurrence(name, times[name]++), i);
  }
  return positions;
}

}  // namespace

TableReader::TableReader(const Schema& schema, const LoadOptions& options, std::string path)
    : schema_(schema),
      options_(options),
      path_(std::move(path)),
      numbers_(schema.dialect.numbers),
      marks_(
          options.missing.value_or(schema.format == DataFormat::kCsv ? schema.missing_marks : usual_missing_marks())),
      header_(options.header.value_or(schema.dialect.header)),
      at_(schema.columns.size(), kNowhere) {
  if (options.decimal != '\0') numbers_ = format_with_decimal(options.decimal);
}

TableReader::Part TableReader::begin(const std::vector<std::string_view>& cells) {
  const std::size_t features = schema_.count(ColumnRole::kFeature);
  const bool named = std::any_of(schema_.columns.begin(), schema_.columns.end(),
                                 [](const ColumnSchema& column) { return !column.name.empty(); });
  const bool preamble =
      ++seen_ <= kMostPreamble && features > 1 && is_preamble(cells, std::max<std::size_t>(features, 2));
  if (named && options_.header.value_or(true) && match_names(cells, preamble)) {
    width_ = cells.size();
    prepare();
    return Part::kHeader;
  }
  if (preamble) return Part::kPreamble;
  if (options_.header == true) {  // names that training did not know: by position
    match_positions(cells.size());
    prepare();
    return Part::kHeader;
  }
  const bool values = std::any_of(cells.begin(), cells.end(), [](auto cell) { return readings_of(cell) != 0; });
  if (named && header_ && options_.header != false && !values && !could_be_row(cells)) {
    for (const ColumnSchema& column : schema_.columns) {
      if (column.role == ColumnRole::kFeature && !column.name.empty()) {
        throw DataError(
            fmt::format("{} has no column {:?}, nor any other of the {} that the model was trained on; its first "
                        "line has {} columns; --no-header reads them in the order of training",
                        path_, column.name, features, cells.size()));
      }
    }
  }
  match_positions(cells.size());
  prepare();
  return Part::kRow;
}

void TableReader::require_begun() const {
  if (begun_) return;
  if (seen_ == 0) throw DataError(fmt::format("{} is empty", path_));
  throw DataError(
      fmt::format("{} has no line that names the columns or is a row of {} features; --delimiter says what stands "
                  "between cells",
                  path_, schema_.count(ColumnRole::kFeature)));
}

void TableReader::begin_at_rows() {
  for (std::size_t c = 0; c < at_.size(); ++c) {
    at_[c] = c;
    if (schema_.columns[c].role == ColumnRole::kLabel) label_at_ = c;
  }
  width_ = at_.size();
  if (!options_.weight.empty()) {
    std::vector<std::string> names;
    for (const ColumnSchema& column : schema_.columns) names.push_back(column.name);
    weight_at_ = find_column(names, width_, options_.weight, path_);
  }
  prepare();
}

/// True if the cells name every needed column. Throws DataError if they name only some of them, unless this record need
/// not be the header.
bool TableReader::match_names(const std::vector<std::string_view>& cells, bool perhaps) {
  const auto found = positions_of(cells);
  std::map<std::string, std::size_t> times;
  std::vector<char> used(cells.size());
  const ColumnSchema* absent = nullptr;
  std::size_t matched = 0;
  for (std::size_t c = 0; c < at_.size(); ++c) {
    const ColumnSchema& column = schema_.columns[c];
    const auto place = found.find({column.name, times[column.name]++});
    if (place != found.end()) {
      at_[c] = place->second;
      used[place->second] = 1;
      if (column.role == ColumnRole::kLabel) label_at_ = place->second;
      matched += !column.name.empty();
    } else if (column.role == ColumnRole::kFeature && absent == nullptr) {
      absent = &column;
    }
  }
  if (matched == 0 || (absent != nullptr && perhaps)) {
    at_.assign(at_.size(), kNowhere);
    label_at_.reset();
    return false;
  }
  if (absent != nullptr) {
    throw DataError(fmt::format("{} has no column {}, one of the {} that the model was trained on", path_,
                                absent->name.empty() ? "without a name" : fmt::format("{:?}", absent->name),
                                schema_.count(ColumnRole::kFeature)));
  }
  const std::vector<std::string> names(cells.begin(), cells.end());
  if (!options_.label.empty()) {
    const auto named = std::find(names.begin(), names.end(), options_.label);
    if (named != names.end() || options_.labelled) label_at_ = find_column(names, cells.size(), options_.label, path_);
    if (label_at_) used[*label_at_] = 1;
  }
  for (const std::string& column : options_.ignore) used[find_column(names, cells.size(), column, path_)] = 1;
  std::vector<std::size_t> extra;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!used[i] && !cells[i].empty()) extra.push_back(i);
  }
  // A schema without a label (of a data frame, or of falsum 0.1): the label is the one remaining column.
  if (extra.size() == 1 && !label_at_ && !options_.no_label && schema_.label_at() == schema_.columns.size()) {
    label_at_ = extra[0];
    extra.clear();
  }
  if (!extra.empty()) {
    throw DataError(fmt::format("{} has a column {:?}, which was not there in training; --ignore leaves it out", path_,
                                cells[extra[0]]));
  }
  if (options_.labelled && !label_at_) {
    const std::size_t label = schema_.label_at();
    throw DataError(label < schema_.columns.size()
                        ? fmt::format("{} has no column {}, the label in training", path_,
                                      column_title(schema_.columns[label].name, label))
                        : fmt::format("{} has no column for the labels; --label names it", path_));
  }
  may_be_shifted_ = !schema_.columns.empty() && schema_.columns[0].name.empty() &&
                    schema_.columns[0].role == ColumnRole::kIgnored && at_[0] == kNowhere;
  return true;
}

/// Without names: all columns of training, or all but the label, or only the features.
void TableReader::match_positions(std::size_t width) {
  if (!options_.ignore.empty()) {
    throw DataError(fmt::format("{} has no names that the model knows, so --ignore {} cannot be applied", path_,
                                options_.ignore.front()));
  }
  const std::size_t all = schema_.columns.size(), features = schema_.count(ColumnRole::kFeature);
  const std::size_t label = schema_.label_at();
  const bool knows_label = label < all;
  const std::size_t ignored = all - features - (knows_label ? 1 : 0);
  width_ = width;
  if (!knows_label && width == features + 1 && !options_.no_label) {  // the schema of a data frame, or of falsum 0.1
    label_at_ = options_.label.empty() ? width - 1 : find_column({}, width, options_.label, path_);
    for (std::size_t c = 0; c < all; ++c) at_[c] = c < *label_at_ ? c : c + 1;
    return;
  }
  const bool without_label = knows_label && !options_.labelled && width == all - 1;
  if (without_label && ignored == 1 && !options_.no_label) {
    throw DataError(
        fmt::format("{} has {} columns without names where training had {}, and which one is left out cannot be "
                    "told; a header tells",
                    path_, width, all));
  }
  const bool with_ignored = width == all || without_label;
  const bool with_label = knows_label && (width == all || (!without_label && width == features + 1));
  if (width != (with_ignored ? all - (without_label ? 1 : 0) : features + (with_label ? 1 : 0))) {
    throw DataError(fmt::format("{} has {} columns, expected {} as in training", path_, width,
                                !knows_label        ? fmt::format("{}", all)
                                : options_.labelled ? fmt::format("{} with the label", all)
                                                    : fmt::format("{}, or {} without the label", all, all - 1)));
  }
  std::size_t cell = 0;
  for (std::size_t c = 0; c < all; ++c) {
    const ColumnRole role = schema_.columns[c].role;
    if ((role == ColumnRole::kLabel && !with_label) || (role == ColumnRole::kIgnored && !with_ignored)) continue;
    if (role == ColumnRole::kLabel) label_at_ = cell;
    at_[c] = cell++;
  }
  if (options_.labelled && !label_at_) {
    throw DataError(fmt::format("{} has no column for the labels: it has {} columns, and the model takes {} features",
                                path_, width, features));
  }
  if (label_at_ && !options_.label.empty() && find_column({}, width, options_.label, path_) != *label_at_) {
    throw DataError(fmt::format("{} has its label in column {} as in training, which --label {} contradicts", path_,
                                *label_at_, options_.label));
  }
}

/// Whether this record reads as values of the columns of training, in their order.
bool TableReader::could_be_row(const std::vector<std::string_view>& cells) const {
  const std::size_t all = schema_.columns.size(), features = schema_.count(ColumnRole::kFeature), width = cells.size();
  const bool knows_label = schema_.label_at() < all;
  const bool without_label = knows_label && width == all - 1;
  const bool with_ignored = width == all || without_label;
  const bool with_label = knows_label && !without_label && (width == all || width == features + 1);
  if (!with_ignored && width != features && width != features + 1) return false;
  if (without_label && all - features == 2) return true;  // which column is left out is asked elsewhere
  std::size_t typed = 0, cell = 0;
  for (const ColumnSchema& column : schema_.columns) {
    if (column.role == ColumnRole::kLabel && !with_label) continue;
    if (column.role == ColumnRole::kIgnored && !with_ignored) continue;
    const std::string_view text = cells[cell++];
    if (column.role != ColumnRole::kFeature || column.kind == ColumnKind::kCategory || marks_.contains(text)) continue;
    if (!parse_value(text, column.kind, numbers_)) return false;
    ++typed;
  }
  return typed > 0;
}

/// The columns are found; all following records are rows.
void TableReader::prepare() {
  begun_ = true;
  for (std::size_t c = 0; c < at_.size(); ++c) {
    if (schema_.columns[c].role != ColumnRole::kFeature) continue;
    Reader reader;
    reader.at = at_[c];
    reader.schema = schema_.columns[c];
    reader.column.name = reader.schema.name;
    reader.column.kind = reader.schema.kind;
    reader.column.categorical = reader.schema.kind == ColumnKind::kCategory;
    readers_.push_back(std::move(reader));
  }
}

/// Adds a row, or returns why it cannot be read.
std::optional<std::string> TableReader::add(const std::vector<std::string_view>& cells) {
  if (may_be_shifted_ && cells.size() == width_ + 1) {
    for (Reader& reader : readers_) ++reader.at;
    if (label_at_) ++*label_at_;
    ++width_;
  }
  may_be_shifted_ = false;
  if (cells.size() != width_) return fmt::format("expected {} columns, found {}", width_, cells.size());
  const bool want_label = options_.labelled && label_at_.has_value();
  const bool no_label = want_label && marks_.contains(cells[*label_at_]);
  if (no_label && !(options_.task == Task::kMultilabel && cells[*label_at_].empty())) {
    return cells[*label_at_].empty()
               ? std::string("the label is missing")
               : fmt::format("the label is missing ({} counts as missing; --missing says what does)",
                             cells[*label_at_]);
  }
  std::optional<double> weight;
  if (weight_at_) {
    const std::string_view cell = cells[*weight_at_];
    if (!marks_.contains(cell)) weight = parse_value(cell, ColumnKind::kNumber, numbers_);
    if (!weight || !std::isfinite(*weight) || *weight < 0) {
      return fmt::format("column {}: the weight of a row must be finite and at least 0, got {:?}",
                         column_title(schema_.columns[*weight_at_].name, *weight_at_), cell);
    }
  }
  // First the checks that can fail, so that a skipped row leaves nothing behind.
  values_.assign(readers_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const Reader& reader = readers_[i];
    const std::string_view cell = cells[reader.at];
    if (reader.column.categorical || marks_.contains(cell)) continue;
    const std::optional<double> value = parse_value(cell, reader.schema.kind, numbers_);
    if (!value || !std::isfinite(*value)) {
      return fmt::format("column {}: the value is {:?}, but {}", column_title(reader.schema.name, reader.at), cell,
                         value                                        ? "a number must be finite"
                         : reader.schema.kind == ColumnKind::kNumber  ? "the column holds numbers"
                         : reader.schema.kind == ColumnKind::kBoolean ? "the column holds true and false"
                                                                      : "the column holds dates or times");
    }
    values_[i] = *value;
  }
  if (weight == 0.0) {  // as if the row were not there
    ++without_weight_;
    return std::nullopt;
  }
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    Reader& reader = readers_[i];
    if (!reader.column.categorical) {
      reader.column.numbers.push_back(values_[i]);
      continue;
    }
    const std::string_view cell = cells[reader.at];
    if (marks_.contains(cell)) {
      reader.column.category.push_back(kMissingCategory);
      continue;
    }
    const auto found = reader.known.try_emplace(std::string(cell), reader.column.categories.size());
    if (found.second) reader.column.categories.emplace_back(cell);
    reader.column.category.push_back(found.first->second);
  }
  if (want_label) labels_.emplace_back(cells[*label_at_]);
  if (weight) weights_.push_back(*weight);
  ++rows_;
  return std::nullopt;
}

void TableReader::row(const RecordReader& records, const std::vector<std::string_view>& cells) {
  if (is_no_row(cells, width_, options_.labelled)) return;
  std::optional<std::string> problem;
  if (records.problem().empty()) {
    problem = add(cells);
  } else {
    problem = records.problem();
  }
  ++all_rows_;
  if (!problem) return;
  std::string sentence =
      fmt::format("{}, line {}{} {}", path_, records.line(), problem->starts_with("column") ? "," : ":", *problem);
  if (options_.bad_rows == BadRows::kRefuse) throw DataError(sentence);
  report_.skipped.push_back(all_rows_ - 1);
  if (report_.first_problem.empty()) report_.first_problem = std::move(sentence);
}

Source TableReader::take() {
  Source source;
  Columns table{rows_, {}};
  bool named = false;
  for (Reader& reader : readers_) {
    named = named || !reader.column.name.empty();
    Column empty;
    empty.name = reader.column.name;
    empty.kind = reader.column.kind;
    empty.categorical = reader.column.categorical;
    table.columns.push_back(std::exchange(reader.column, std::move(empty)));
    reader.known.clear();
  }
  if (named) {
    for (const Column& column : table.columns) source.feature_names.push_back(column.name);
  }
  source.labels = std::exchange(labels_, {});
  source.weights = std::exchange(weights_, {});
  source.values = std::move(table);
  source.schema = schema_;
  source.reading = std::exchange(report_, {});
  rows_ = 0;
  return source;
}

}  // namespace falsum
