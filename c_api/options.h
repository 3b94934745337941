// An option as C programs see it: a name, a sentence, and text in and out.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct falsum_options;

namespace falsum::c_api {

struct NamedOption {
  std::string name, help;
  std::function<void(falsum_options& options, const std::string& text)> set;  // ConfigError leaves them as they were
  std::function<std::string(const falsum_options& options)> get;
};

/// Those that say how a file is to be read, named as on the command line.
std::vector<NamedOption> reading_options();

}  // namespace falsum::c_api
