// Pack: data of any kind as a file of packed rows (packed_rows.h), for data that do not fit into memory, or that are
// learned many times.
//
//   falsum::pack("clicks.csv", "clicks.falsum-rows");
//   falsum::pack("new-clicks.csv", "new.falsum-rows", {.like = "clicks.falsum-rows"});
//
// The file has the rows, targets and names that training from the data would make, so the model is the same, byte for
// byte. Plain CSV and SVMlight files are read in parts; other files, built-in data sets and texts are read whole.
//
// Memory while packing: a part; 4 bytes a row for labels, 8 more for weights and where rows are sparse; and 8 bytes a
// row while thresholds are chosen, for one column at a time. Numbers of a table wait in an unnamed file beside the
// target, 8 bytes each (4 for categories), since thresholds need all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "falsum/booleanizer.h"
#include "falsum/schema.h"
#include "falsum/source.h"

namespace falsum {

struct PackOptions {
  LoadOptions load = {};  // its task is what the labels are for
  BooleanizeOptions booleanize = {};
  /// A model or a file of packed rows: data are read and made Boolean as its data were, so that a model can be tested
  /// on them. Empty: as new training data.
  std::string like = {};
  /// Sees every part before it is packed: for checks, and to show progress.
  std::function<void(const Source& part)> seen = {};
};

struct PackReport {
  std::uint64_t rows = 0, bytes = 0;
  bool sparse = false, labelled = false;
  std::vector<std::string> outputs;  // the names of the classes or labels
  std::string origin;
  Schema schema;
  Booleanizer booleanizer;
  ReadingReport reading;
};

PackReport pack(const std::string& data, const std::string& path, const PackOptions& options = {});

/// Packs data that a program has in parts.
class Packer {
 public:
  /// How data were read and made Boolean before.
  struct Like {
    Booleanizer booleanizer;
    Schema schema;
  };
  /// `path` is written when it is finished. Without `like` the booleanizer is fitted to the data.
  Packer(const std::string& path, Task task, const BooleanizeOptions& options = {},
         const std::optional<Like>& like = std::nullopt);
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  /// The next rows. All parts have the same kind of values and the same columns; texts come in one part, unless the
  /// booleanizer is known. All parts have labels, or none has; likewise weights.
  void add(const Source& part);
  /// The last call. `rest`: schema, origin and notes; its rows and labels are not used. `labels_settled`: they are
  /// spelled as they are to be kept.
  PackReport finish(const Source& rest, bool labels_settled = false);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace falsum
