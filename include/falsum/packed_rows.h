// PackedRows: a file of rows that are Boolean already, with their labels and with everything that a model needs to know
// of them: schema, booleanizer, names. It is mapped, not read, so it may be larger than the memory; a machine learned
// from it has the bits of one learned from the data that were packed (pack.h).
//
//   Source training = load_source("clicks.falsum-rows");      // like any other data: train(training, options)
//   auto rows = PackedRows::open("clicks.falsum-rows");       // or the parts
//   machine.learn(rows->rows(), rows->targets(), epochs);
//
// Opening reads the whole file once, from the beginning to the end, and checks all of it: checksums, and that every
// row, target and weight is in range. So nothing is learned from a damaged file, and learning checks nothing again. The
// file must not be changed while it is open; packing to the same name is allowed, since it replaces the file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "falsum/rows.h"
#include "falsum/source.h"
#include "falsum/targets.h"

namespace falsum {

class PackedRows {
 public:
  /// Throws FileError for a file that is missing, damaged or none of packed rows.
  static std::shared_ptr<const PackedRows> open(const std::string& path);
  /// Of bytes that the caller keeps, aligned to 8 bytes. `what` names them in messages.
  static std::shared_ptr<const PackedRows> over(std::string_view bytes, const std::string& what);
  ~PackedRows();
  PackedRows(const PackedRows&) = delete;
  PackedRows& operator=(const PackedRows&) = delete;

  /// A view: it must not outlive this object.
  Rows rows() const;
  bool labelled() const;
  Task task() const;  // what the labels are for
  /// A view of the targets: classes and labels by their position in outputs().
  Targets targets() const;
  /// The names of the classes or labels; none for numbers.
  const std::vector<std::string>& outputs() const;
  std::span<const double> weights() const;

  /// Of the data that were packed.
  const std::string& origin() const;
  const Schema& schema() const;
  const ReadingReport& reading() const;
  /// A Booleanizer as it writes itself (booleanizer.h); Booleanizer::of reads it.
  const std::string& booleanizer() const;
  std::uint64_t bytes() const;

 private:
  struct State;
  explicit PackedRows(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace falsum
