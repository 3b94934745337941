// The bytes of a file of packed rows (docs/rows_format.md has the table), shared by its reader and its writer:
//
//   head   4096 bytes: magic, version, kind, zeros; so that the rows begin on a page
//   rows   packed: words of 64 features, row after row; or sparse: the true features of all rows, 4 bytes each
//   starts of sparse rows: rows + 1 numbers
//   targets: a class for each row, a number for each row, or rows of packed labels; or nothing
//   weights of the rows, or nothing
//   notes  named values: origin, outputs, schema, booleanizer, how the data were read
//   sums   XXH64 of every block of 1 MiB from the head to the notes
//   foot   88 bytes: sizes, from which every place above follows, and checksums of the sums and of itself
//
// Every part begins at a multiple of 8 bytes. What is known only after the last row is at the end, so that the file is
// written in one pass.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "falsum/error.h"
#include "support/bytes.h"
#include "support/file_kind.h"

namespace falsum::packed {

inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint64_t kHead = 4096, kBlock = std::uint64_t{1} << 20, kFoot = 88;
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;  // of a part: sums of parts cannot overflow

enum class Form : std::uint64_t { kPacked = 0, kSparse = 1 };
enum class TargetForm : std::uint64_t { kNone = 0, kClasses = 1, kLabels = 2, kNumbers = 3 };

inline std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }
inline std::uint64_t checksum(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

/// The foot, and the places that follow from it.
struct RowsLayout {
  std::uint64_t rows = 0, columns = 0, entries = 0, outputs = 0, notes = 0;  // notes: bytes
  Form form = Form::kPacked;
  TargetForm targets = TargetForm::kNone;
  bool weights = false;

  std::uint64_t words_per_row() const { return (columns + 63) / 64; }
  std::uint64_t label_words() const { return (outputs + 63) / 64; }
  std::uint64_t row_bytes() const { return form == Form::kPacked ? rows * words_per_row() * 8 : padded(entries * 4); }
  std::uint64_t start_bytes() const { return form == Form::kPacked ? 0 : (rows + 1) * 8; }
  std::uint64_t target_bytes() const {
    return targets == TargetForm::kClasses   ? padded(rows * 4)
           : targets == TargetForm::kNumbers ? rows * 8
           : targets == TargetForm::kLabels  ? rows * label_words() * 8
                                             : 0;
  }
  std::uint64_t weight_bytes() const { return weights ? rows * 8 : 0; }

  std::uint64_t starts_at() const { return kHead + row_bytes(); }
  std::uint64_t targets_at() const { return starts_at() + start_bytes(); }
  std::uint64_t weights_at() const { return targets_at() + target_bytes(); }
  std::uint64_t notes_at() const { return weights_at() + weight_bytes(); }
  std::uint64_t sums_at() const { return notes_at() + padded(notes); }
  std::uint64_t blocks() const { return (sums_at() + kBlock - 1) / kBlock; }
  std::uint64_t foot_at() const { return sums_at() + 8 * blocks(); }

  std::string foot(std::uint64_t checksum_of_sums) const {
    ByteWriter writer;
    for (const std::uint64_t value :
         {rows, columns, static_cast<std::uint64_t>(form), static_cast<std::uint64_t>(targets), entries, outputs,
          std::uint64_t{weights}, notes, checksum_of_sums}) {
      writer.u64(value);
    }
    writer.u64(checksum(writer.bytes()));
    writer.raw(kMagic.data(), kMagic.size());
    return writer.take();
  }
};

inline std::string head() {
  ByteWriter writer;
  writer.raw(kMagic.data(), kMagic.size());
  writer.u32(kVersion);
  writer.u32(static_cast<std::uint32_t>(FileKind::kRows));
  std::string bytes = writer.take();
  bytes.resize(kHead);
  return bytes;
}

}  // namespace falsum::packed
