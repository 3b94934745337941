// The words after "falsum": the verbs, their arguments, and what is wrong with a call. CLI11 does the work, and
// command_line.cpp alone includes it: its templates take longer to compile than the rest of a verb. So there is one
// function for each kind of argument that a verb has, and all values are text; verbs turn it into numbers themselves
// (parse_number.h).
//
// Whatever an argument is bound to must outlive the parsing.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace falsum::cli {

/// One argument of a verb. A handle: copies are the same argument.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument required() const;
  /// What stands for the value in the help: "FILE".
  Argument type_name(const std::string& name) const;
  /// The heading it stands under in the help; under none ("") it is not shown.
  Argument group(const std::string& heading) const;
  Argument description(const std::string& help) const;
  /// The value may be left out, and is empty then.
  Argument value_is_optional() const;
  /// Only one of the two can be given.
  Argument excludes(const Argument& other) const;

  bool given() const;

 private:
  CLI::Option* option_;
};

/// One of falsum's commands. A handle as well. Names are "DATA" for what goes by its place, "--test" or "-o,--output".
/// Of an option that is repeated the last one counts. Long help is broken into lines.
class Verb {
 public:
  explicit Verb(CLI::App* app) : app_(app) {}

  Argument add_text(const std::string& names, std::string& value, const std::string& help) const;
  /// `take` is called with the value while parsing, and may throw.
  Argument add_text(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& help) const;
  /// All values count, one after each mention of the name.
  Argument add_texts(const std::string& names, const std::function<void(const std::vector<std::string>&)>& take,
                     const std::string& help) const;
  Argument add_flag(const std::string& names, bool& value, const std::string& help) const;
  Argument add_flag(const std::string& names, const std::function<void()>& when_given,
                    const std::string& help = "") const;

  /// The user asked for it.
  bool given() const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  /// `version` answers --version, `examples` end the help.
  CommandLine(const std::string& name, const std::string& description, const std::string& version,
              const std::string& examples);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Verb add_verb(const std::string& name, const std::string& description);

  /// Gives all arguments their values. An exit code if that was all, since --help or --version were asked for and
  /// answered on stdout. Throws ConfigError for a call that is wrong.
  std::optional<int> parse(int argc, char** argv);

  std::string help() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace falsum::cli
