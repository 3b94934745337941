// The conditions of a clause, column by column.
#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "booleanize/mappings.h"
#include "falsum/error.h"
#include "falsum/rules.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};  // no literal: there are at most 2^27

/// Distinct names for the columns: a condition on one column must not look like one on a column of the same name.
std::vector<std::string> distinct(std::vector<std::string> names) {
  std::unordered_map<std::string, std::size_t> times;
  for (const std::string& name : names) ++times[name];
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (times[names[c]] > 1) names[c] = fmt::format("{} (column {})", names[c], c);
  }
  return names;
}

std::string default_name(const Booleanizer& booleanizer, std::size_t column) {
  const std::size_t width = booleanizer.image_width();
  if (width > 0) return fmt::format("pixel {},{}", column / width, column % width);
  const bool pixels = std::holds_alternative<Booleanizer::Levels>(booleanizer.mapping());
  return fmt::format("{}{}", pixels ? "pixel " : "x", column);
}

}  // namespace

/// The condition of a feature on its column.
struct Conditions::Meaning {
  enum class Kind { kTruth, kCategory, kThreshold, kMissing };
  std::size_t column = 0;
  Kind kind = Kind::kTruth;
  std::size_t position = 0;  // among the column's thresholds or categories
};

/// The conditions of a clause on one column: the literals that imply the others, kNone where there is none. A missing
/// value is not true, has no category and is not above any threshold, so every negation holds for it except "not
/// missing".
struct Conditions::Said {
  std::size_t column = 0;
  bool contradiction = false;
  std::uint32_t first = kNone;  // the lowest of the literals
  std::uint32_t truth = kNone, not_true = kNone, missing = kNone, not_missing = kNone;
  std::uint32_t category = kNone, at_least = kNone, below = kNone;
  std::vector<std::uint32_t> other_than = {};  // categories

  bool has_value() const { return truth != kNone || category != kNone || at_least != kNone; }

  void add(std::uint32_t literal, Meaning::Kind kind, bool negated) {
    switch (kind) {
      case Meaning::Kind::kTruth:
        (negated ? not_true : truth) = literal;
        break;
      case Meaning::Kind::kMissing:
        (negated ? not_missing : missing) = literal;
        break;
      case Meaning::Kind::kCategory:
        if (negated) {
          other_than.push_back(literal);
        } else {
          contradiction = contradiction || category != kNone;
          category = literal;
        }
        break;
      case Meaning::Kind::kThreshold:  // literals ascend as their thresholds do: the last lower one, the first upper
                                       // one
        if (!negated) {
          at_least = literal;
        } else if (below == kNone) {
          below = literal;
        }
    }
  }

  /// Removes literals that the others imply, once all literals are known.
  void finish(std::size_t features) {
    const auto negated = [&](std::uint32_t literal) { return static_cast<std::uint32_t>(literal + features); };
    contradiction = contradiction || (truth != kNone && not_true != kNone) || (missing != kNone && has_value()) ||
                    (missing != kNone && not_missing != kNone) ||
                    (category != kNone && std::ranges::count(other_than, negated(category)) > 0) ||
                    (at_least != kNone && below != kNone && negated(at_least) >= below);
    if (missing != kNone) {
      not_true = below = kNone;
      other_than.clear();
    }
    if (category != kNone) other_than.clear();
    if (has_value()) not_missing = kNone;
    first = std::ranges::min(literals());
  }

  /// Whether the literal, which is about this column, holds wherever the others do.
  bool implies(std::uint32_t literal, Meaning::Kind kind, std::size_t features) const {
    const bool negated = literal >= features;
    if (negated && missing != kNone && kind != Meaning::Kind::kMissing) return true;
    switch (kind) {
      case Meaning::Kind::kTruth:
        return literal == (negated ? not_true : truth);
      case Meaning::Kind::kMissing:
        return negated ? not_missing == literal || has_value() : missing == literal;
      case Meaning::Kind::kCategory:
        if (!negated) return category == literal;
        return category != kNone ? category + features != literal : std::ranges::count(other_than, literal) > 0;
      case Meaning::Kind::kThreshold:
        break;
    }
    return negated ? below != kNone && literal >= below : at_least != kNone && literal <= at_least;
  }

  std::vector<std::uint32_t> literals() const {
    std::vector<std::uint32_t> all = other_than;
    for (const std::uint32_t literal : {truth, not_true, missing, not_missing, category, at_least, below}) {
      if (literal != kNone) all.push_back(literal);
    }
    return all;
  }
};

Conditions::Conditions(const Model& model, std::vector<std::string> column_names)
    : model_(&model), booleanizer_(&model.booleanizer()), columns_(model.features()) {
  static const Booleanizer bare_bits;
  const std::optional<PatchShape>& patches = model.patches();
  if (booleanizer_->features() == 0 || patches) booleanizer_ = &bare_bits;
  const Booleanizer::Mapping& mapping = booleanizer_->mapping();
  std::vector<std::string> names;
  if (patches) {  // where the patch lies, then its bits
    names = {"patch row", "patch column"};
    for (std::string& name : patch_feature_names(*patches)) names.push_back(std::move(name));
    const auto bits = names.begin() + 2;
    names.erase(bits, bits + static_cast<std::ptrdiff_t>(patches->position_features()));
    columns_ = names.size();
  } else if (const auto* table = std::get_if<Booleanizer::ByColumn>(&mapping)) {
    columns_ = table->columns.size();
    first_features_ = {0};
    for (const Booleanizer::ColumnMapping& column : table->columns) {
      names.push_back(column.name);
      first_features_.push_back(first_features_.back() + column_features(column));
    }
  } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&mapping)) {
    columns_ = levels->pixels;
  } else if (const auto* words = std::get_if<Booleanizer::Words>(&mapping)) {
    names = words->vocabulary;
  } else {
    names = std::get<Booleanizer::Bits>(mapping).names;
  }
  if (!column_names.empty()) {
    if (column_names.size() != columns_) {
      throw ConfigError(fmt::format("column_names must have {} names, got {}", columns_, column_names.size()));
    }
    names = std::move(column_names);
  }
  if (names.empty()) return;
  names.resize(columns_);
  for (std::size_t c = 0; c < columns_; ++c) {
    if (names[c].empty()) names[c] = default_name(*booleanizer_, c);
  }
  names_ = distinct(std::move(names));
}

Conditions::Meaning Conditions::meaning(std::size_t feature) const {
  using Kind = Meaning::Kind;
  if (const std::optional<PatchShape>& patches = model_->patches()) {
    const std::size_t rows = patches->down() - 1, positions = patches->position_features();
    if (feature < rows) return {0, Kind::kThreshold, feature};
    if (feature < positions) return {1, Kind::kThreshold, feature - rows};
    return {2 + feature - positions, Kind::kTruth, 0};
  }
  const Booleanizer::Mapping& mapping = booleanizer_->mapping();
  if (std::holds_alternative<Booleanizer::Levels>(mapping)) {
    return {feature % columns_, Kind::kThreshold, feature / columns_};
  }
  const auto* table = std::get_if<Booleanizer::ByColumn>(&mapping);
  if (table == nullptr) return {feature, Kind::kTruth, 0};
  // A column without features begins at the same feature as the next one; the next one is meant.
  const auto next = std::upper_bound(first_features_.begin(), first_features_.end(), feature);
  const auto c = static_cast<std::size_t>(next - first_features_.begin()) - 1;
  const Booleanizer::ColumnMapping& column = table->columns[c];
  const std::size_t position = feature - first_features_[c];
  if (column.missing && feature + 1 == *next) return {c, Kind::kMissing, 0};
  if (column.boolean) return {c, Kind::kTruth, 0};
  if (position < column.thresholds.size()) return {c, Kind::kThreshold, position};
  return {c, Kind::kCategory, position - column.thresholds.size()};
}

std::vector<Conditions::Said> Conditions::read(std::span<const std::uint32_t> clause) const {
  struct Mention {
    Meaning meaning;
    std::uint32_t literal;
  };
  assert(std::ranges::is_sorted(clause) && (clause.empty() || clause.back() < model_->literals()));
  const std::size_t features = model_->literals() / 2;
  std::vector<Mention> mentions;
  mentions.reserve(clause.size());
  for (const std::uint32_t literal : clause) mentions.push_back({meaning(literal % features), literal});
  // Literals of a column together, ascending as before. Features ascend with their columns, and so do negations, except
  // in images: there every grey level begins with the first pixel again.
  const auto by_column = [](const Mention& a, const Mention& b) { return a.meaning.column < b.meaning.column; };
  if (std::holds_alternative<Booleanizer::Levels>(booleanizer_->mapping())) {
    std::stable_sort(mentions.begin(), mentions.end(), by_column);
  } else {
    const auto negations = std::ranges::lower_bound(clause, features) - clause.begin();
    std::inplace_merge(mentions.begin(), mentions.begin() + negations, mentions.end(), by_column);
  }
  std::vector<Said> columns;
  for (const auto& [meaning, literal] : mentions) {
    if (columns.empty() || columns.back().column != meaning.column) columns.push_back({.column = meaning.column});
    columns.back().add(literal, meaning.kind, literal >= features);
  }
  for (Said& said : columns) said.finish(features);
  return columns;
}

bool Conditions::never_true(std::span<const std::uint32_t> clause) const {
  return std::ranges::any_of(read(clause), &Said::contradiction);
}

std::optional<std::vector<std::uint32_t>> Conditions::essence(std::span<const std::uint32_t> clause) const {
  std::vector<std::uint32_t> literals;
  for (const Said& said : read(clause)) {
    if (said.contradiction) return std::nullopt;
    const std::vector<std::uint32_t> more = said.literals();
    literals.insert(literals.end(), more.begin(), more.end());
  }
  std::sort(literals.begin(), literals.end());
  return literals;
}

template <class Visit>
void Conditions::for_each_feature_of(std::size_t column, const Visit& visit) const {
  if (const std::optional<PatchShape>& patches = model_->patches()) {
    const std::size_t rows = patches->down() - 1, positions = patches->position_features();
    if (column >= 2) return visit(positions + column - 2);
    for (std::size_t k = column == 0 ? 0 : rows; k < (column == 0 ? rows : positions); ++k) visit(k);
  } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer_->mapping())) {
    for (std::size_t level = 0; level < levels->thresholds.size(); ++level) visit(level * columns_ + column);
  } else if (first_features_.empty()) {
    visit(column);
  } else {
    for (std::size_t k = first_features_[column]; k < first_features_[column + 1]; ++k) visit(k);
  }
}

std::vector<std::uint32_t> Conditions::implied(std::span<const std::uint32_t> clause) const {
  const std::size_t features = model_->literals() / 2;
  std::vector<std::uint32_t> literals;
  for (const Said& said : read(clause)) {
    for_each_feature_of(said.column, [&](std::size_t feature) {
      const Meaning::Kind kind = meaning(feature).kind;
      for (const std::size_t literal : {feature, feature + features}) {
        const auto asked = static_cast<std::uint32_t>(literal);
        if (said.implies(asked, kind, features)) literals.push_back(asked);
      }
    });
  }
  std::ranges::sort(literals);
  return literals;
}

std::optional<std::vector<std::string>> Conditions::of(std::span<const std::uint32_t> clause) const {
  std::vector<Said> columns = read(clause);
  if (std::ranges::any_of(columns, &Said::contradiction)) return std::nullopt;
  std::ranges::sort(columns, {}, &Said::first);
  std::vector<std::string> conditions;
  for (const Said& said : columns) tell(said, conditions);
  return conditions;
}

void Conditions::tell(const Said& said, std::vector<std::string>& conditions) const {
  const std::string column = name(said.column);
  if (said.missing != kNone) {
    conditions.push_back(column + " is missing");
    return;
  }
  const std::size_t before = conditions.size();
  const char* const unless =
      may_miss(said.column) && !said.has_value() && said.not_missing == kNone ? " or missing" : "";
  if (said.truth != kNone) conditions.push_back(column);
  if (said.not_true != kNone) conditions.push_back(fmt::format("not {}{}", column, unless));
  if (said.category != kNone) conditions.push_back(fmt::format("{} = {}", column, value_text(said.category)));
  for (const std::uint32_t literal : said.other_than) {
    conditions.push_back(fmt::format("{} != {}{}", column, value_text(literal), unless));
  }
  // Pixels are compared by ">" and everything else by ">=".
  const bool pixels = std::holds_alternative<Booleanizer::Levels>(booleanizer_->mapping());
  const char* const upper = pixels ? "<=" : "<";
  if (said.at_least != kNone && said.below != kNone) {
    conditions.push_back(fmt::format("{} {} {} {} {}", value_text(said.at_least), pixels ? "<" : "<=", column, upper,
                                     value_text(said.below)));
  } else if (said.at_least != kNone) {
    conditions.push_back(fmt::format("{} {} {}", column, pixels ? ">" : ">=", value_text(said.at_least)));
  } else if (said.below != kNone) {
    conditions.push_back(fmt::format("{} {} {}{}", column, upper, value_text(said.below), unless));
  }
  if (conditions.size() == before) conditions.push_back(column + " is not missing");
}

/// The value that a literal compares its column with.
std::string Conditions::value_text(std::uint32_t literal) const {
  const Meaning asked = meaning(literal % (model_->literals() / 2));
  if (model_->patches()) return fmt::format("{}", asked.position + 1);
  const Booleanizer::Mapping& mapping = booleanizer_->mapping();
  if (const auto* levels = std::get_if<Booleanizer::Levels>(&mapping)) {
    return fmt::format("{}", levels->thresholds[asked.position]);
  }
  const Booleanizer::ColumnMapping& column = std::get<Booleanizer::ByColumn>(mapping).columns[asked.column];
  if (asked.kind == Meaning::Kind::kCategory) return column.categories[asked.position];
  return falsum::value_text(column.unit, column.thresholds[asked.position]);
}

std::string Conditions::name(std::size_t column) const {
  return names_.empty() ? default_name(*booleanizer_, column) : names_[column];
}

bool Conditions::may_miss(std::size_t column) const {
  const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer_->mapping());
  return table != nullptr && table->columns[column].missing;
}

}  // namespace falsum
