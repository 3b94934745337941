// Errors that the caller can fix. Every message is one sentence that names the problem, the value found and the allowed
// values; the command line prints it and exits with code 2. Our own mistakes are asserts, never exceptions.
#pragma once

#include <stdexcept>

namespace falsum {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A parameter is outside its range: "threshold must be at least 1, got 0".
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// The data cannot be used: a wrong number of columns, an unseen label, a NaN.
class DataError : public Error {
 public:
  using Error::Error;
};

/// A file cannot be read, written or understood: missing, truncated, damaged, disk full.
class FileError : public Error {
 public:
  using Error::Error;
};

}  // namespace falsum
