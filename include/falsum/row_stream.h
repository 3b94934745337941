// RowStream: rows one by one as they arrive, for a model that is to answer each at once: lines of CSV or SVMlight, read
// by the schema of the model.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "falsum/source.h"

namespace falsum {

class RowStream {
 public:
  /// Reads `file`, which stays open. The schema must say CSV, SVMlight, a data frame or nothing (falsum 0.1); DataError
  /// for others, whose rows do not come as lines. options.schema must be set and outlive the stream.
  RowStream(std::FILE* file, const std::string& path, const LoadOptions& options);
  ~RowStream();

  /// The next row as a Source of one row; of no row if it was left out (BadRows::kSkip). Nothing at the end.
  std::optional<Source> next();

 private:
  std::optional<Source> next_sparse();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace falsum
