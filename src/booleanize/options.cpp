#include <algorithm>

#include "booleanize/mappings.h"
#include "falsum/booleanize_options.h"
#include "falsum/error.h"
#include "support/format.h"
#include "support/limits.h"

namespace falsum {
namespace {

constexpr BooleanizeOptionInfo kOptionTable[] = {
    {"levels", &BooleanizeOptions::levels, 1, 4, "", DataKind::kImages, "grey thresholds, each a feature per pixel"},
    {"quantiles", &BooleanizeOptions::quantiles, 1, 255, "", DataKind::kTables,
     "largest number of thresholds of a numeric column"},
    {"vocabulary", &BooleanizeOptions::vocabulary, 1, kMaxFeatures, "", DataKind::kText,
     "largest number of words and phrases to keep"},
    {"phrases", &BooleanizeOptions::phrases, 1, kMostPhrases, "", DataKind::kText,
     "largest number of words in a phrase; 2 adds features such as \"not good\""},
    {"select", &BooleanizeOptions::select, 0, 0, "frequent|chi2", DataKind::kText,
     "which words are kept: the most frequent, or (chi2) those most associated with the labels or numbers"},
};

bool is_choice(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find('|'), choices.size());
    if (choices.substr(0, end) == value) return true;
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return false;
}

}  // namespace

DataKind data_kind(const Booleanizer& booleanizer) {
  const std::string kind = booleanizer.kind();
  return kind == "words"                                     ? DataKind::kText
         : kind == "levels" || booleanizer.image_width() > 0 ? DataKind::kImages
         : kind == "columns"                                 ? DataKind::kTables
                                                             : DataKind::kBits;
}

DataKind data_kind(const Source& source) {
  if (source.image_width > 0 || std::holds_alternative<GreyImages>(source.values)) return DataKind::kImages;
  if (std::holds_alternative<Columns>(source.values)) return DataKind::kTables;
  if (std::holds_alternative<Documents>(source.values)) return DataKind::kText;
  return DataKind::kBits;
}

std::string_view name_of(DataKind kind) {
  switch (kind) {
    case DataKind::kImages:
      return "images";
    case DataKind::kTables:
      return "tables";
    case DataKind::kText:
      return "text";
    case DataKind::kBits:
      break;
  }
  return "bits";
}

std::span<const BooleanizeOptionInfo> booleanize_option_table() { return kOptionTable; }

void validate(const BooleanizeOptions& options) {
  for (const BooleanizeOptionInfo& option : kOptionTable) {
    if (const auto* text = std::get_if<std::string BooleanizeOptions::*>(&option.field)) {
      if (is_choice(option.choices, options.**text)) continue;
      throw ConfigError(fmt::format("{} must be one of {}, got {}", option.name, range_text(option), options.**text));
    }
    const std::int64_t value = std::holds_alternative<int BooleanizeOptions::*>(option.field)
                                   ? options.*std::get<int BooleanizeOptions::*>(option.field)
                                   : std::int64_t{options.*std::get<std::uint32_t BooleanizeOptions::*>(option.field)};
    if (value >= option.least && value <= option.most) continue;
    throw ConfigError(fmt::format("{} must be from {}, got {}", option.name, range_text(option), value));
  }
}

std::string range_text(const BooleanizeOptionInfo& option) {
  if (option.choices.empty()) return fmt::format("{} to {}", option.least, option.most);
  std::string choices(option.choices);
  for (std::size_t i = choices.find('|'); i != std::string::npos; i = choices.find('|', i)) choices.replace(i, 1, ", ");
  return choices;
}

std::string default_text(const BooleanizeOptionInfo& option) {
  const BooleanizeOptions defaults;
  return std::visit([&](auto field) { return fmt::format("{}", defaults.*field); }, option.field);
}

std::string booleanize_options_markdown() {
  std::string text = "| option | acts on | default | allowed | what it is |\n|---|---|---|---|---|\n";
  for (const BooleanizeOptionInfo& option : kOptionTable) {
    text += fmt::format("| `--{}` | {} | {} | {} | {} |\n", option.name, name_of(option.data), default_text(option),
                        range_text(option), option.help);
  }
  return text;
}

}  // namespace falsum
