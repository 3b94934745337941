#include "machine_options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "parse_number.h"
#include "report.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

template <typename T>
T bound(double value) {
  // The table holds bounds as doubles, which cannot hold the largest integers exactly.
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::lowest())) return std::numeric_limits<T>::lowest();
  return static_cast<T>(value);
}

/// Given as a word, not as a number.
template <typename T>
constexpr bool kIsName = std::is_same_v<T, std::string> || std::is_enum_v<T>;

template <typename T>
std::string range_of(const OptionInfo& info) {
  const T least = bound<T>(info.least);
  const T most = bound<T>(info.most);
  const char* const open = info.may_be_auto ? "auto, or " : "";
  if (most == std::numeric_limits<T>::max()) return fmt::format("{}{} or more", open, least);
  return fmt::format("{}{}..{}", open, least, most);
}

template <typename T>
T parse_as(const OptionInfo& info, const std::string& text) {
  if constexpr (std::is_convertible_v<AutoValue, T>) {
    if (info.may_be_auto && text == "auto") return kAutomatic;
  }
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_enum_v<T>) {
    return named<T>(text);
  } else {
    return parse_number<T>(std::string(info.name), text, range_text(info));
  }
}

std::string shown(const Options& options, const OptionInfo& info) {
  return std::visit(
      [&](auto field) -> std::string {
        const auto& value = options.*field;
        using T = std::remove_cvref_t<decltype(value)>;
        if (is_auto(value)) return "auto";
        if constexpr (std::is_same_v<T, std::string>) {
          return value;
        } else if constexpr (std::is_same_v<T, bool>) {
          return value ? "on" : "off";
        } else if constexpr (std::is_enum_v<T>) {
          return std::string(name_of(value));
        } else {
          return fmt::format("{}", value);
        }
      },
      info.field);
}

std::string help_of(const OptionInfo& info, const Options& defaults, std::string_view lead = "") {
  const std::string range = range_text(info);
  const std::string facts = range.empty() ? "" : range + "; ";
  return fmt::format("{}{} ({}default {})", lead, info.help, facts, shown(defaults, info));
}

}  // namespace

std::string range_text(const OptionInfo& info) {
  return std::visit(
      [&](auto field) -> std::string {
        using T = std::remove_cvref_t<decltype(std::declval<Options>().*field)>;
        if constexpr (kIsName<T>) {
          return std::string(info.choices);
        } else if constexpr (std::is_same_v<T, bool>) {
          return "";
        } else {
          return range_of<T>(info);
        }
      },
      info.field);
}

void MachineOptions::add(const Verb& verb, std::initializer_list<std::string_view> names) {
  for (const OptionInfo& info : option_table()) {
    if (names.size() != 0 && std::find(names.begin(), names.end(), info.name) == names.end()) continue;
    std::visit(
        [&](auto field) {
          using T = std::remove_cvref_t<decltype(options.*field)>;
          if constexpr (std::is_same_v<T, bool>) {
            add_switch(verb, info, field);
          } else {
            std::string flags = "--" + flag_name(info);
            if (!info.flag.empty()) flags = "-" + std::string(info.flag) + "," + flags;
            const Argument option = verb.add_text(
                flags,
                [this, &info, field](const std::string& text) {
                  const std::size_t colon = text.find(':');
                  if (info.name != "specificity" || colon == text.npos) {
                    options.*field = parse_as<T>(info, text);
                  } else {  // a range: -s 2:10
                    options.*field = parse_as<T>(info, text.substr(0, colon));
                    options.specificity_to = parse_as<double>(*find_option("specificity_to"), text.substr(colon + 1));
                  }
                },
                help_of(info, options));
            option.type_name(kIsName<T> ? "NAME" : "N");
            added_.emplace(info.name, option);
          }
        },
        info.field);
  }
}

void MachineOptions::add_switch(const Verb& verb, const OptionInfo& info, bool Options::*field) {
  const bool standard = options.*field;
  const std::string name = flag_name(info);
  for (const bool value : {true, false}) {
    const Argument option =
        verb.add_flag((value ? "--" : "--no-") + name, [this, field, value] { options.*field = value; });
    // Help lists only the flag that changes the default.
    if (value == standard) {
      option.group("");
    } else {
      option.description(help_of(info, options, standard ? "switch off: " : "switch on: "));
    }
    added_.emplace(info.name, option);
  }
}

bool MachineOptions::given(std::string_view name) const {
  const auto [first, last] = added_.equal_range(name);
  return std::any_of(first, last, [](const auto& entry) { return entry.second.given(); });
}

Json value_of(const Options& options, const OptionInfo& info) {
  return std::visit(
      [&](auto field) {
        if (is_auto(options.*field)) return Json("auto");
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(options.*field)>>) {
          return Json(name_of(options.*field));
        } else {
          return Json(options.*field);
        }
      },
      info.field);
}

std::string specificity_text(const Options& options) {
  return options.specificity_to == 0 ? fmt::format("{}", options.specificity)
                                     : fmt::format("{}:{}", options.specificity, options.specificity_to);
}

std::string unusual_options(const Options& options) {
  std::string text = options.boost ? "" : ", not boosted";
  if (options.sharded) text += ", sharded";
  for (const OptionInfo* info : options_of(OptionScope::kMachine)) {
    const bool told = std::ranges::any_of(
        std::initializer_list<std::string_view>{"clauses", "threshold", "specificity", "specificity_to", "states",
                                                "seed", "boost", "sharded"},
        [&](std::string_view name) { return name == info->name; });
    if (!told && shown(options, *info) != shown(neutral_options(), *info)) {
      text += fmt::format(", {} {}", flag_name(*info), shown(options, *info));
    }
  }
  return text;
}

void add_machine_options(Json& json, const Options& options) {
  for (const OptionInfo* info : options_of(OptionScope::kMachine)) {
    json[info->name] = value_of(options, *info);
  }
}

}  // namespace falsum::cli
