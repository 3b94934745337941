// PackedWriter: writes a file of packed rows (packed_format.h) in one pass, rows as they come. Memory: a block, and
// 8 bytes a row where rows are sparse.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/packed_format.h"
#include "falsum/rows.h"
#include "falsum/source.h"
#include "falsum/targets.h"
#include "support/file.h"

namespace falsum {

class PackedWriter {
 public:
  PackedWriter(const std::string& path, bool sparse);

  /// Rows of the form that was asked for. Packed rows have the same number of columns in all calls.
  void add(const Rows& rows);
  /// A sparse row, ascending.
  void add(std::span<const std::uint32_t> row);
  std::uint64_t rows() const { return layout_.rows; }
  bool sparse() const { return layout_.form == packed::Form::kSparse; }

  struct Rest {
    std::uint64_t columns = 0;
    const Targets* targets = nullptr;  // none: rows without labels
    std::vector<std::string> outputs;  // the names of the classes or labels
    std::vector<double> weights;       // of the rows, or none
    std::string origin, booleanizer;
    Schema schema;
    ReadingReport reading;
  };
  /// The last call: writes the rest and puts the file in place. Returns its bytes.
  std::uint64_t finish(const Rest& rest);

 private:
  template <class Item>
  void write(std::span<const Item> items) {
    write(std::string_view(reinterpret_cast<const char*>(items.data()), items.size_bytes()));
  }
  void write(std::string_view bytes);
  void pad();
  void write_targets(const Targets& targets, std::size_t outputs);
  void end_block();

  NewFile file_;
  packed::RowsLayout layout_;
  std::vector<std::uint64_t> starts_ = {0};
  std::string block_;
  std::uint64_t written_ = 0;
  std::vector<std::uint64_t> sums_;
};

}  // namespace falsum
