// The words after "falsum": the verbs, their arguments, and errors in a call. CLI11 does the work, and only
// command_line.cpp includes it: its templates take longer to compile than the rest of a verb. So there is one function
// for each kind of argument that a verb has, and all values are text; verbs turn it into numbers themselves
// (parse_number.h).
//
// The variable that an argument is bound to must outlive the parsing.
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
  /// The placeholder of the value in the help: "FILE".
  Argument type_name(const std::string& name) const;
  /// Its heading in the help; an argument without one ("") is not shown.
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

/// One of falsum's commands. A handle as well. Names are "DATA" for positional arguments, "--test" or "-o,--output". If
/// an option is repeated, the last one counts. Long help is broken into lines.
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

  /// Whether the user called this verb.
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

  /// Sets the values of all arguments. Returns an exit code if --help or --version was given and answered on stdout.
  /// Throws ConfigError for a wrong call.
  std::optional<int> parse(int argc, char** argv);

  std::string help() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace falsum::cli
