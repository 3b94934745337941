// ColumnSpill: the parts of a table, kept in an unnamed file until the last has come: thresholds need all numbers of a
// column. Then columns are read one at a time to fit them, and rows again in order.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/packed_writer.h"
#include "falsum/booleanizer.h"
#include "falsum/source.h"
#include "support/file.h"

namespace falsum {

class ColumnSpill {
 public:
  explicit ColumnSpill(const std::string& beside) : file_(beside) {}

  /// Throws DataError unless the columns are those of the first part.
  void add(const Columns& part, const std::string& origin);
  std::uint64_t rows() const { return rows_; }
  std::size_t columns() const { return columns_.size(); }

  /// Numbers of a column are divided by this when they are read again: seconds become days.
  void divide(std::size_t c, double by) { columns_.at(c).divide_by = by; }
  std::uint64_t missing(std::size_t c) const { return columns_.at(c).missing; }
  /// All values of a column. Of categories: their names in order of first appearance, and whether one is missing.
  Column column(std::size_t c) const;
  /// visit(Columns) for all rows in order, at most `most` at a time.
  template <class Visit>
  void for_each_rows(std::size_t most, const Visit& visit) const {
    for (const Part& part : parts_) {
      for (std::size_t first = 0; first < part.rows; first += most) {
        visit(rows_of(part, first, std::min<std::size_t>(most, part.rows - first)));
      }
    }
  }
  /// Fills in the statistics of the features of a schema.
  void summarise(Schema& schema) const;

 private:
  struct Kept {    // of a column
    Column names;  // without values; the categories of all parts
    std::unordered_map<std::string, std::uint32_t> known;
    std::uint64_t missing = 0;
    double least = 0, most = 0, divide_by = 1;
    bool any = false;  // a number
  };
  struct Part {  // its columns one after the other, each with 8 bytes a number or 4 bytes a category
    std::uint64_t rows = 0;
    std::vector<std::uint64_t> places;  // of each column in the file
  };
  void add_categories(const Column& from, Kept& to);
  void add_numbers(const Column& from, Kept& to);
  void read(const Part& part, std::size_t c, std::size_t first, std::size_t count, Column& to) const;
  Columns rows_of(const Part& part, std::size_t first, std::size_t count) const;

  ScratchFile file_;
  std::vector<Kept> columns_;
  std::vector<Part> parts_;
  std::uint64_t rows_ = 0;
};

/// Makes all rows Boolean and writes them, some at a time.
void pack_spilled(const ColumnSpill& spill, const Booleanizer& booleanizer, PackedWriter& to);

}  // namespace falsum
