// Container: the frame that models and checkpoints share. Little-endian throughout.
//
//   magic "FALSUM\x1a\n" | version u32 | kind u32 |
//   section: tag (4 bytes) | length u64 | payload | XXH64 of tag, length and payload u64 |
//   ... | section "END " of length 0
//
// docs/model_format.md has every byte. The version is the lowest that a reader must know. A section whose tag begins
// with a small letter is optional: a reader that does not know it skips it. A section whose tag begins with a capital
// is required.
//
// Bytes are treated as hostile: lengths are checked against the bytes of the file before they are used.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/bytes.h"
#include "support/file_kind.h"
#include "support/large_block.h"

namespace falsum {

/// Writes sections to a sink. `version`: the lowest that a reader must know.
class ContainerStream {
 public:
  ContainerStream(FileKind kind, std::uint32_t version, ByteSink sink);
  void section(std::string_view tag, std::string_view payload);
  void finish();

 private:
  ByteSink sink_;
};

/// Writes sections to memory.
class ContainerWriter {
 public:
  explicit ContainerWriter(FileKind kind, std::uint32_t version = 1)
      : stream_(kind, version, [this](std::string_view bytes) { bytes_ += bytes; }) {}
  ContainerWriter(const ContainerWriter&) = delete;
  ContainerWriter& operator=(const ContainerWriter&) = delete;
  void section(std::string_view tag, std::string_view payload) { stream_.section(tag, payload); }
  ContainerStream& stream() { return stream_; }
  std::string finish();

 private:
  LargeBytes bytes_;
  ContainerStream stream_;
};

/// The sections of a container in order. Throws FileError unless magic, version, kind, lengths and checksums are
/// correct and every required section is one of `known`.
class Container {
 public:
  Container(std::string_view bytes, FileKind kind, std::initializer_list<std::string_view> known,
            const std::string& what);
  /// The payload of the first section with this tag; throws FileError if there is none.
  std::string_view section(std::string_view tag) const;
  /// All sections with this tag, in order.
  std::vector<std::string_view> sections(std::string_view tag) const;
  const std::string& what() const { return what_; }

 private:
  std::string what_;
  std::vector<std::pair<std::string_view, std::string_view>> sections_;
};

/// zstd, with the plain size in front. The result is in `room`, whose memory is reused.
std::string_view pack(std::string_view plain, int level, RawBytes& room);
LargeBytes pack(std::string_view plain, int level);
/// The plain size; throws FileError for more than `limit` bytes, or more than the packed bytes can hold.
std::uint64_t unpacked_size(std::string_view packed, std::uint64_t limit, const std::string& what);
LargeBytes unpack(std::string_view packed, std::uint64_t limit, const std::string& what);

}  // namespace falsum
