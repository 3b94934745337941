#include "data/infer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/dialect.h"
#include "data/formats.h"
#include "data/observed.h"
#include "data/records.h"
#include "data/values.h"
#include "falsum/error.h"

namespace falsum {
namespace {

std::string names_text(const std::vector<std::string>& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 10);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? ", ..." : "");
}

class Inference {
 public:
  Inference(std::string_view text, const std::string& path, const LoadOptions& options, const DetectedDialect& detected,
            bool final)
      : text_(text),
        path_(path),
        options_(options),
        width_(detected.width),
        marks_(options.missing.value_or(usual_missing_marks())),
        final_(final) {
    result_.schema.format = DataFormat::kCsv;
    result_.schema.dialect = detected.dialect;
    result_.schema.missing_marks = options.missing.value_or(usual_missing_marks());
  }

  /// False if quotes are broken in this dialect and nothing is known.
  bool observe() {
    RecordReader reader(text_, result_.schema.dialect);
    std::vector<std::string_view> cells;
    bool found = reader.next(cells);
    if (!found) throw DataError(fmt::format("{} is empty", path_));
    while (found && result_.preamble_records < kMostPreamble &&
           (is_preamble(cells, width_) || (is_comment(cells) && comment_follows(reader)))) {
      ++result_.preamble_records;
      found = reader.next(cells);
    }
    if (!found) throw DataError(fmt::format("{} has no rows", path_));
    if (!reader.problem().empty() && !pass_over(reader)) return false;
    result_.preamble_lines = reader.line() - 1;
    if (width_ == 0) width_ = cells.size();
    result_.header_is_shorter = cells.size() + 1 == width_ && options_.header.value_or(true) &&
                                std::none_of(cells.begin(), cells.end(), [](auto c) { return readings_of(c) != 0; });
    if (!result_.header_is_shorter) check_width(reader, cells.size());
    for (const std::string_view cell : cells) first_.emplace_back(cell);
    if (result_.header_is_shorter) first_.insert(first_.begin(), "");
    columns_.resize(width_);
    first_line_ = reader.line();
    while (reader.next(cells)) {
      if (is_no_row(cells, width_, options_.labelled)) continue;
      if (!reader.problem().empty()) {
        if (!pass_over(reader)) return false;
        continue;
      }
      if (cells.size() != width_) {
        check_width(reader, cells.size());
        continue;
      }
      for (std::size_t c = 0; c < width_; ++c) {
        columns_[c].like_first += cells[c] == first_[c];
        columns_[c].add(cells[c], reader.line(), marks_);
      }
      ++rows_;
    }
    return true;
  }

  Inferred decide() {
    Schema& schema = result_.schema;
    schema.dialect.header = options_.header.value_or(result_.header_is_shorter || is_header(first_, columns_, marks_));
    if (!schema.dialect.header) {
      for (std::size_t c = 0; c < width_; ++c) {
        columns_[c].add_first(first_[c], first_line_, marks_);
      }
      ++rows_;
    }
    std::vector<std::string> names(width_);
    if (schema.dialect.header) names = first_;
    if (rows_ == 0) throw DataError(fmt::format("{} has no rows", path_));
    for (const std::string& column : options_.number) {
      columns_[find_column(schema.dialect.header ? names : no_names_, width_, column, path_)].is_number = true;
    }
    if (options_.decimal != '\0') {
      schema.dialect.numbers = format_with_decimal(options_.decimal);
    } else {
      schema.dialect.numbers = choose_format(columns_, schema.dialect.delimiter, result_.notes);
    }
    schema.columns.resize(width_);
    for (std::size_t c = 0; c < width_; ++c) describe(c, names[c]);
    choose_roles(names);
    for (std::size_t c = 0; c < width_; ++c) look_for_oddities(c);
    return std::move(result_);
  }

 private:
  /// Skips a damaged record if that is allowed. False: its quotes may be valid in another dialect.
  bool pass_over(const RecordReader& reader) const {
    if (!final_ && reader.problem().find("quote") != std::string::npos) return false;
    if (options_.bad_rows == BadRows::kSkip) return true;
    throw DataError(fmt::format("{}, line {}: {}", path_, reader.line(), reader.problem()));
  }

  /// Of several comments only the last can have the names of the columns.
  static bool comment_follows(RecordReader reader) {
    std::vector<std::string_view> cells;
    return reader.next(cells) && is_comment(cells);
  }

  void check_width(const RecordReader& reader, std::size_t found) const {
    if (found == width_) return;
    if (options_.bad_rows == BadRows::kSkip && columns_.size() == width_) return;
    throw DataError(fmt::format("{}, line {}: expected {} columns, found {}", path_, reader.line(), width_, found));
  }

  void describe(std::size_t c, const std::string& name) {
    ColumnSchema& column = result_.schema.columns[c];
    column.name = name;
    column.kind = kind_of(columns_[c], result_.schema.dialect.numbers);
    column.missing = columns_[c].missing;
    column.distinct = column.kind == ColumnKind::kCategory ? columns_[c].distinct.size() : 0;
  }

  void choose_roles(const std::vector<std::string>& names) {
    Schema& schema = result_.schema;
    const std::vector<std::string>& searched = schema.dialect.header ? names : no_names_;
    const auto at = [&](const std::string& column) { return find_column(searched, width_, column, path_); };
    const auto note_left_out = [&](std::size_t c, const char* why) {
      schema.columns[c].role = ColumnRole::kIgnored;
      result_.notes.push_back(fmt::format("column {} is left out: {}", column_title(names[c], c), why));
    };
    std::vector<char> kept(width_);
    for (const auto* list : {&options_.number, &options_.category}) {
      for (const std::string& column : *list) kept[at(column)] = 1;
    }
    std::optional<std::size_t> label;
    if (!options_.label.empty()) label = at(options_.label);
    for (std::size_t c = 0; c < width_; ++c) {
      if (kept[c] || label == c) continue;
      if (columns_[c].values == 0 && c + 1 == width_ && !names[c].empty() && options_.labelled && !label) {
        throw DataError(
            fmt::format("{} has its label in the last column, {:?}, which has no value in any row; --label names "
                        "another column",
                        path_, names[c]));
      }
      if (columns_[c].values == 0) {
        note_left_out(c, "it has no value in any row");
      } else if (schema.dialect.header && is_index(names[c], c, columns_[c])) {
        note_left_out(c, "it has no name and only numbers the rows, or names them");
      }
    }
    if (!options_.weight.empty()) {
      const std::size_t c = at(options_.weight);
      if (label == c)
        throw DataError(fmt::format("{} has column {} for its labels, which cannot hold weights too", path_,
                                    column_title(names[c], c)));
      schema.columns[c].role = ColumnRole::kIgnored;
      result_.notes.push_back(fmt::format("column {} has the weights of the rows", column_title(names[c], c)));
    }
    for (const std::string& column : options_.ignore) schema.columns[at(column)].role = ColumnRole::kIgnored;
    for (const std::string& column : options_.number) schema.columns[at(column)].kind = ColumnKind::kNumber;
    for (const std::string& column : options_.category) schema.columns[at(column)].kind = ColumnKind::kCategory;
    if (!label && options_.labelled) {
      for (std::size_t c = width_; c > 0 && !label; --c) {
        if (schema.columns[c - 1].role == ColumnRole::kFeature) label = c - 1;
      }
    }
    if (label) {
      schema.columns[*label].role = ColumnRole::kLabel;
      label_was_chosen_ = options_.label.empty();
    }
    if (schema.count(ColumnRole::kFeature) == 0) {
      throw DataError(fmt::format("{} has no column besides the label", path_));
    }
  }

  void look_for_oddities(std::size_t c) {
    const ColumnSchema& column = result_.schema.columns[c];
    const Observed& observed = columns_[c];
    if (column.role == ColumnRole::kIgnored) return;
    const std::string title = column_title(column.name, c),
                      flag = column.name.empty() ? std::to_string(c) : column.name;
    const auto note = [&](std::string sentence) { result_.notes.push_back(std::move(sentence)); };
    if (column.role == ColumnRole::kLabel) {
      if (label_was_chosen_ && column.kind == ColumnKind::kNumber && observed.mostly_distinct() &&
          options_.task == Task::kClassification) {
        note(
            fmt::format("the label {} has {} different numbers, and each is a class; --label names another column, "
                        "--task regression learns numbers",
                        title, observed.distinct.size()));
      }
      return;
    }
    const bool forced = std::find(options_.category.begin(), options_.category.end(), flag) != options_.category.end();
    if (column.kind == ColumnKind::kCategory && !forced) {
      if (observed.numbers * 10 >= observed.values * 8 && observed.numbers < observed.values) {
        note(fmt::format(
            "column {} is read as categories: {} of its {} values are numbers, but not {:?} in line {}; "
            "--missing +{} makes that a missing value",
            title, observed.numbers, observed.values, observed.odd_cell, observed.odd_line, observed.odd_cell));
      } else if (observed.numbers == observed.values) {
        note(fmt::format(
            "column {} is read as categories, since its numbers are written in another way than the others, "
            "as {:?}; --decimal says how numbers are written",
            title, *observed.distinct.begin()));
      } else if (observed.mostly_distinct()) {
        note(fmt::format(
            "column {} has {}{} different texts in {} rows, and each becomes a feature; --ignore {} leaves it "
            "out",
            title, observed.distinct.size() >= Observed::kCounted ? "more than " : "", observed.distinct.size(),
            observed.values, flag));
      }
    }
    if (observed.distinct.size() == 1 && observed.missing == 0 && observed.values > 1) {
      note(fmt::format("column {} has the same value in all rows and tells nothing", title));
    }
    if (column.kind == ColumnKind::kNumber && observed.counts_up && observed.values >= 10) {
      note(fmt::format("column {} numbers the rows from {} on; --ignore {} leaves it out", title, observed.first_number,
                       flag));
    }
  }

  std::string_view text_;
  const std::string& path_;
  const LoadOptions& options_;
  std::size_t width_;
  MissingMarks marks_;
  Inferred result_;
  std::vector<std::string> first_;  // the first record after the preamble
  std::size_t first_line_ = 0;
  std::vector<Observed> columns_;
  std::uint64_t rows_ = 0;
  bool final_;  // no other dialect will be tried
  bool label_was_chosen_ = false;
  const std::vector<std::string> no_names_;
};

}  // namespace

std::string column_title(const std::string& name, std::size_t position) {
  return name.empty() ? std::to_string(position) : fmt::format("{:?}", name);
}

std::size_t find_column(const std::vector<std::string>& names, std::size_t width, const std::string& column,
                        const std::string& path) {
  const auto named = std::find(names.begin(), names.end(), column);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  long long position = 0;
  const auto parsed = std::from_chars(column.data(), column.data() + column.size(), position);
  if (parsed.ec == std::errc() && parsed.ptr == column.data() + column.size()) {
    const auto count = static_cast<long long>(width);
    if (position >= -count && position < count) {
      return static_cast<std::size_t>(position < 0 ? position + count : position);
    }
    throw DataError(fmt::format("{} has {} columns and none called or numbered {}: allowed are {} to {}", path, width,
                                column, -count, count - 1));
  }
  throw DataError(fmt::format(
      "{} has no column {:?}; {}", path, column,
      names.empty() ? "it has no header, so columns go by position, 0 for the first" : "it has " + names_text(names)));
}

Inferred infer_table(std::string_view text, const std::string& path, const LoadOptions& options) {
  const DetectedDialect detected = detect_dialect(text, options);
  Inference inference(text, path, options, detected, detected.dialect.backslash);
  if (inference.observe()) return inference.decide();
  DetectedDialect escaped = detected;
  escaped.dialect.backslash = true;
  LoadOptions strict = options;
  strict.bad_rows = BadRows::kRefuse;
  try {
    Inference again(text, path, strict, escaped, true);
    again.observe();
    return again.decide();
  } catch (const DataError&) {  // not an escape, but a broken quote
  }
  Inference last(text, path, options, detected, true);
  last.observe();
  return last.decide();
}

}  // namespace falsum
