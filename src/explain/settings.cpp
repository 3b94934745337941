#include "explain/settings.h"

#include <algorithm>

#include "booleanize/mappings.h"
#include "support/format.h"

namespace falsum {
namespace {

const Booleanizer::ByColumn* table_of(const Model& model) {
  return model.booleanizer().features() == 0 ? nullptr
                                             : std::get_if<Booleanizer::ByColumn>(&model.booleanizer().mapping());
}

const Booleanizer::Levels* levels_of(const Model& model) {
  return model.booleanizer().features() == 0 ? nullptr
                                             : std::get_if<Booleanizer::Levels>(&model.booleanizer().mapping());
}

/// 0 to `steps` of the first features on, the others off; `size` features in all.
std::vector<std::vector<bool>> ranges(std::size_t steps, std::size_t size) {
  std::vector<std::vector<bool>> values;
  for (std::size_t on = 0; on <= steps; ++on) {
    values.emplace_back(size);
    std::fill_n(values.back().begin(), on, true);
  }
  return values;
}

}  // namespace

Settings::Settings(const Conditions& conditions)
    : conditions_(conditions), model_(conditions.model()), columns_(model_.features()) {
  if (const auto* table = table_of(model_)) {
    columns_ = table->columns.size();
    first_features_ = {0};
    for (const Booleanizer::ColumnMapping& column : table->columns) {
      first_features_.push_back(first_features_.back() + column_features(column));
    }
  } else if (const auto* levels = levels_of(model_)) {
    columns_ = levels->pixels;
  }
}

std::vector<std::uint32_t> Settings::features(std::size_t column) const {
  std::vector<std::uint32_t> features;
  if (!first_features_.empty()) {
    for (std::size_t k = first_features_[column]; k < first_features_[column + 1]; ++k) {
      features.push_back(static_cast<std::uint32_t>(k));
    }
  } else {
    for (std::size_t k = column; k < model_.features(); k += columns_)
      features.push_back(static_cast<std::uint32_t>(k));
  }
  return features;
}

std::vector<std::vector<bool>> Settings::values(std::size_t column) const {
  const auto* table = table_of(model_);
  if (table == nullptr) return ranges(model_.features() / columns_, model_.features() / columns_);
  const Booleanizer::ColumnMapping& mapping = table->columns[column];
  const std::size_t size = column_features(mapping);
  if (size == 0) return {};
  if (mapping.boolean) return ranges(1, size);
  if (!mapping.categorical) return ranges(mapping.thresholds.size(), size);
  std::vector<std::vector<bool>> values;
  for (std::size_t k = 0; k < mapping.categories.size(); ++k) {
    values.emplace_back(size);
    values.back()[k] = true;
  }
  return values;
}

std::string Settings::text(std::size_t column, const std::vector<bool>& value) const {
  const std::vector<std::uint32_t> all = features(column);
  if (const std::optional<PatchShape>& patches =
          model_.patches()) {  // conditions are about a patch, values about a row
    const std::size_t pixel = column / patches->channels, channel = column % patches->channels;
    std::string name = fmt::format("pixel {},{}", pixel / patches->image_columns, pixel % patches->image_columns);
    if (patches->channels > 1) name += fmt::format(",{}", channel);
    return value[0] ? name : "not " + name;
  }
  std::vector<std::uint32_t> literals, negations;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (value[k]) {
      literals.push_back(all[k]);
    } else {
      negations.push_back(static_cast<std::uint32_t>(all[k] + model_.features()));
    }
  }
  literals.insert(literals.end(), negations.begin(), negations.end());
  std::string text;
  for (const std::string& condition : conditions_.of(literals).value_or(std::vector<std::string>{"impossible"})) {
    text += (text.empty() ? "" : " and ") + condition;
  }
  return text;
}

}  // namespace falsum
