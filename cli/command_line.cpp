#include "command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cctype>

#include "falsum/error.h"
#include "report.h"

namespace falsum::cli {

namespace {

/// CLI11 begins some of its sentences with a capital; ours follow "falsum: ". Names like DATA stay.
std::string as_clause(std::string sentence) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (sentence.size() > 1 && is_lower(sentence[1])) {
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  }
  return sentence;
}

std::string in_lines(const std::string& help) { return wrap(help, 70); }

}  // namespace

Argument Argument::required() const { return Argument(option_->required()); }

Argument Argument::type_name(const std::string& name) const { return Argument(option_->type_name(name)); }

Argument Argument::group(const std::string& heading) const { return Argument(option_->group(heading)); }

Argument Argument::description(const std::string& help) const { return Argument(option_->description(in_lines(help))); }

Argument Argument::value_is_optional() const { return Argument(option_->expected(0, 1)); }

Argument Argument::excludes(const Argument& other) const { return Argument(option_->excludes(other.option_)); }

bool Argument::given() const { return option_->count() > 0; }

Argument Verb::add_text(const std::string& names, std::string& value, const std::string& help) const {
  return Argument(app_->add_option(names, value, in_lines(help)));
}

Argument Verb::add_text(const std::string& names, const std::function<void(const std::string&)>& take,
                        const std::string& help) const {
  return Argument(app_->add_option_function<std::string>(names, take, in_lines(help)));
}

Argument Verb::add_texts(const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
                         const std::string& help) const {
  CLI::Option* option = app_->add_option_function<std::vector<std::string>>(names, take, in_lines(help));
  return Argument(option->take_all()->allow_extra_args(false));  // the word after its value may be DATA
}

Argument Verb::add_flag(const std::string& names, bool& value, const std::string& help) const {
  return Argument(app_->add_flag(names, value, in_lines(help)));
}

Argument Verb::add_flag(const std::string& names, const std::function<void()>& when_given,
                        const std::string& help) const {
  return Argument(app_->add_flag_callback(names, when_given, in_lines(help)));
}

bool Verb::given() const { return app_->parsed(); }

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version,
                         const std::string& examples)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("-V,--version", version);
  app_->get_formatter()->column_width(28);
  app_->footer(examples);
  app_->require_subcommand(0, 1);
  app_->option_defaults()->take_last();  // of an option that is repeated, as in most commands
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add_verb(const std::string& name, const std::string& description) {
  CLI::App* verb = app_->add_subcommand(name, description);
  verb->footer("");
  return Verb(verb);
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& request) {  // --help, --version
    return app_->exit(request);
  } catch (const CLI::ArgumentMismatch& error) {  // "--clauses: 1 required N missing"
    const std::string text = error.what();
    throw ConfigError(text.substr(0, text.find(':')) + " takes exactly one value (see falsum --help)");
  } catch (const CLI::ParseError& error) {
    throw ConfigError(as_clause(error.what()) + " (see falsum --help)");
  }
}

std::string CommandLine::help() const { return app_->help(); }

}  // namespace falsum::cli
