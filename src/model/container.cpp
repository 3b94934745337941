#include "model/container.h"

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/bytes.h"

namespace falsum {
namespace {

constexpr std::string_view kMagic{"FALSUM\x1a\n", 8};
constexpr std::uint32_t kVersion = 1;
constexpr std::string_view kEnd = "END ";
// What zstd can gain: a block of 128 KB that repeats one byte takes 4 bytes. A larger claim is a lie, and nothing is
// allocated for it.
constexpr std::uint64_t kMostGain = (std::uint64_t{128} << 10) / 4;

std::string kind_name(std::uint32_t kind) {
  return kind == static_cast<std::uint32_t>(FileKind::kModel)        ? "model"
         : kind == static_cast<std::uint32_t>(FileKind::kCheckpoint) ? "checkpoint"
                                                                     : "file of an unknown kind";
}

}  // namespace

ContainerWriter::ContainerWriter(FileKind kind, std::size_t expected) {
  ByteWriter writer;
  writer.raw(kMagic.data(), kMagic.size());
  writer.u32(kVersion);
  writer.u32(static_cast<std::uint32_t>(kind));
  bytes_.reserve(expected);
  bytes_ += writer.bytes();
}

void ContainerWriter::section(std::string_view tag, std::string_view payload) {
  const std::size_t start = bytes_.size();
  ByteWriter head;
  head.raw(tag.data(), 4);
  head.u64(payload.size());
  bytes_ += head.bytes();
  bytes_ += payload;
  ByteWriter checksum;
  checksum.u64(XXH64(bytes_.data() + start, bytes_.size() - start, 0));
  bytes_ += checksum.bytes();
}

std::string ContainerWriter::finish() {
  section(kEnd, "");
  return std::move(bytes_);
}

Container::Container(std::string_view bytes, FileKind kind, std::initializer_list<std::string_view> known,
                     const std::string& what)
    : what_(what) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    throw FileError(fmt::format("{} is not a falsum {}", what, kind_name(static_cast<std::uint32_t>(kind))));
  }
  ByteReader reader(bytes, what);
  reader.raw(kMagic.size());
  const std::uint32_t version = reader.u32();
  if (version == 0) reader.fail("there is no format version 0");
  if (version > kVersion) {
    throw FileError(fmt::format("{} needs a falsum that reads format version {}, and falsum {} reads up to version {}",
                                what, version, falsum::version(), kVersion));
  }
  const std::uint32_t found = reader.u32();
  if (found != static_cast<std::uint32_t>(kind)) {
    throw FileError(fmt::format("{} is a falsum {}, not a {}", what, kind_name(found),
                                kind_name(static_cast<std::uint32_t>(kind))));
  }
  while (true) {
    const std::size_t start = bytes.size() - reader.left();
    const std::string_view tag = reader.raw(4);
    const std::uint64_t length = reader.u64();
    const std::string_view payload = reader.raw(length);
    const std::uint64_t computed = XXH64(bytes.data() + start, 12 + payload.size(), 0);
    if (reader.u64() != computed) reader.fail(fmt::format("the checksum of section {} is wrong", sections_.size() + 1));
    if (tag == kEnd) {
      if (length != 0) reader.fail("its last section is not empty");
      break;
    }
    const bool optional = tag[0] >= 'a' && tag[0] <= 'z';
    if (!optional && std::find(known.begin(), known.end(), tag) == known.end()) {
      throw FileError(fmt::format(
          "{} has a required section {:?} that falsum {} (format version {}) does not know: it needs a later "
          "version",
          what, tag, falsum::version(), kVersion));
    }
    sections_.emplace_back(tag, payload);
  }
  reader.expect_end();
}

std::string_view Container::section(std::string_view tag) const {
  for (const auto& [name, payload] : sections_) {
    if (name == tag) return payload;
  }
  throw FileError(fmt::format("{} is damaged: it has no section {}", what_, tag));
}

std::vector<std::string_view> Container::sections(std::string_view tag) const {
  std::vector<std::string_view> found;
  for (const auto& [name, payload] : sections_) {
    if (name == tag) found.push_back(payload);
  }
  return found;
}

std::string pack(std::string_view plain, int level) {
  ByteWriter writer;
  writer.varint(plain.size());
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), level);
  if (ZSTD_isError(size)) throw FileError(fmt::format("compression failed: {}", ZSTD_getErrorName(size)));
  writer.raw(packed.data(), size);
  return writer.take();
}

std::uint64_t unpacked_size(std::string_view packed, std::uint64_t limit, const std::string& what) {
  ByteReader reader(packed, what);
  const std::uint64_t size = reader.varint();
  if (size > limit) reader.fail(fmt::format("it claims {} bytes where at most {} can be", size, limit));
  if (size / kMostGain > reader.left()) reader.fail(fmt::format("{} bytes cannot hold {}", reader.left(), size));
  return size;
}

std::string unpack(std::string_view packed, std::uint64_t limit, const std::string& what) {
  const std::uint64_t size = unpacked_size(packed, limit, what);
  ByteReader reader(packed, what);
  reader.varint();
  const std::string_view frame = reader.raw(reader.left());
  std::string plain;
  try {
    plain.resize(size);
  } catch (const std::bad_alloc&) {
    throw FileError(fmt::format("{} needs {} bytes of memory, more than there is", what, size));
  }
  const std::size_t result = ZSTD_decompress(plain.data(), plain.size(), frame.data(), frame.size());
  if (ZSTD_isError(result) || result != size) reader.fail("its compressed part cannot be read");
  return plain;
}

}  // namespace falsum
