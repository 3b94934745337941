// RowStream: rows one by one as they arrive, for a model that predicts each row at once: lines of CSV or SVMlight, read
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
  /// Reads `file`, which stays open. The format of the schema must be CSV, SVMlight, data frame or unknown (falsum
  /// 0.1); throws DataError for others, whose rows are not lines. options.schema must be set and outlive the stream.
  RowStream(std::FILE* file, const std::string& path, const LoadOptions& options);
  ~RowStream();

  /// The next row as a Source of one row, or of no row if the row was skipped (BadRows::kSkip). Empty at the end.
  std::optional<Source> next();

 private:
  std::optional<Source> next_sparse();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace falsum
