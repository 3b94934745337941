// Options by name and as text. One list of all of them: the machine's from option_table(), those of booleanizing from
// booleanize_option_table(), those of reading files from reading_options.cpp. A new row in a table needs nothing here.
#include "options.h"

#include <type_traits>

#include "falsum/booleanize_options.h"
#include "handles.h"
#include "text_values.h"

namespace falsum::c_api {
namespace {

/// What the machine's options may be, for the message about text that is no number at all.
std::string allowed_text(const OptionInfo& info) {
  return info.name == "seed" ? "0 to 2^64 - 1"
                             : fmt::format("{}{} to {}", info.may_be_auto ? "auto, or " : "", info.least, info.most);
}

/// Options of booleanizing have no "auto".
template <class Info>
bool may_be_auto(const Info& info) {
  if constexpr (requires { info.may_be_auto; }) return info.may_be_auto;
  return false;
}

template <class Options>
std::string text_of(const Options& options, const auto& info) {
  return std::visit([&](auto field) { return is_auto(options.*field) ? std::string("auto") : to_text(options.*field); },
                    info.field);
}

template <class Options>
void set_text(Options& options, const auto& info, const std::string& text, const std::string& allowed) {
  Options changed = options;
  std::visit(
      [&](auto field) {
        using Value = std::remove_cvref_t<decltype(changed.*field)>;
        if constexpr (std::is_convertible_v<AutoValue, Value>) {
          if (may_be_auto(info) && text == "auto") return void(changed.*field = kAutomatic);
        }
        changed.*field = from_text<Value>(std::string(info.name), text, allowed);
      },
      info.field);
  validate(changed);
  options = std::move(changed);
}

std::vector<NamedOption> make_list() {
  std::vector<NamedOption> list;
  for (const OptionInfo& info : option_table()) {
    list.push_back({std::string(info.name), fmt::format("{} (default {})", info.help, default_text(info)),
                    [&info](falsum_options& options, const std::string& text) {
                      set_text(options.machine, info, text, allowed_text(info));
                    },
                    [&info](const falsum_options& options) { return text_of(options.machine, info); }});
  }
  for (const BooleanizeOptionInfo& info : booleanize_option_table()) {
    list.push_back(
        {std::string(info.name),
         fmt::format("{}: {} ({}; default {})", name_of(info.data), info.help, range_text(info), default_text(info)),
         [&info](falsum_options& options, const std::string& text) {
           set_text(options.booleanize, info, text, range_text(info));
         },
         [&info](const falsum_options& options) { return text_of(options.booleanize, info); }});
  }
  list.push_back(
      {"calibration",
       "falsum_train_file: temperature, fitted to rows that machines of the same options do not learn from, or none "
       "(default temperature)",
       [](falsum_options& options, const std::string& text) {
         if (text != "temperature" && text != "none")
           throw ConfigError(fmt::format("calibration must be temperature or none, got {}", text));
         options.calibrate = text == "temperature";
       },
       [](const falsum_options& options) { return std::string(options.calibrate ? "temperature" : "none"); }});
  for (NamedOption& option : reading_options()) list.push_back(std::move(option));
  return list;
}

const std::vector<NamedOption>& all_options() {
  static const std::vector<NamedOption> kList = make_list();
  return kList;
}

/// By its name, as the library or as the command writes it: max_memory or max-memory.
const NamedOption& needed_option(const char* name) {
  std::string wanted = needed_text(name, "name");
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  for (const NamedOption& option : all_options()) {
    if (option.name == wanted) return option;
  }
  throw ConfigError(fmt::format("there is no option \"{}\" (falsum_option_names lists them)", wanted));
}

}  // namespace

const falsum_options& or_defaults(const falsum_options* options) {
  static const falsum_options kDefaults;
  return options == nullptr ? kDefaults : *options;
}

std::string option_text(const Options& options, const char* name) {
  std::string wanted = needed_text(name, "name");
  std::replace(wanted.begin(), wanted.end(), '-', '_');
  const OptionInfo* info = find_option(wanted);
  if (info == nullptr) throw ConfigError(fmt::format("there is no option \"{}\" of machines", wanted));
  return text_of(options, *info);
}

}  // namespace falsum::c_api

using namespace falsum;
using namespace falsum::c_api;

int falsum_options_new(falsum_options** options) {
  return give_handle(options, "options", [] { return falsum_options(); });
}

int falsum_options_set(falsum_options* options, const char* name, const char* value) {
  return guarded([&] {
    falsum_options& changed = needed(options, "options");
    const NamedOption& option = needed_option(name);
    option.set(changed, needed_text(value, "value"));
    changed.given.insert(option.name);
  });
}

int falsum_options_get(const falsum_options* options, const char* name, char** value) {
  return give_text(value, "value", [&] {
    const NamedOption& option = needed_option(name);
    return option.get(needed(options, "options"));
  });
}

void falsum_options_free(falsum_options* options) { delete options; }

int falsum_option_names(falsum_texts** names) {
  return give_handle(names, "names", [] {
    falsum_texts list;
    for (const NamedOption& option : all_options()) list.texts.push_back(option.name);
    return list;
  });
}

int falsum_option_help(const char* name, char** help) {
  return give_text(help, "help", [&] { return needed_option(name).help; });
}
