#include "model/container.h"

#include <xxhash.h>
#define ZSTD_STATIC_LINKING_ONLY  // contexts that use our own memory
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "falsum/cpu.h"
#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::uint32_t kVersion = 2;  // the latest that is read
constexpr std::string_view kEnd = "END ";
// The highest ratio of zstd: a block of 128 KB that repeats one byte takes 4 bytes. A larger claim is false, and
// nothing is allocated for it.
constexpr std::uint64_t kMostGain = (std::uint64_t{128} << 10) / 4;

/// zstd needs megabytes for a short time: large blocks, each with its size in front.
constexpr std::size_t kSizeBytes = 64;
void* zstd_new(void* /*opaque*/, std::size_t bytes) try {
  LargeAllocator<std::byte> allocator;
  bytes += kSizeBytes;
  std::byte* const block = allocator.allocate(bytes);
  std::memcpy(block, &bytes, sizeof bytes);
  return block + kSizeBytes;
} catch (const std::bad_alloc&) {
  return nullptr;
}
void zstd_delete(void* /*opaque*/, void* address) {
  if (address == nullptr) return;
  std::byte* const block = static_cast<std::byte*>(address) - kSizeBytes;
  std::size_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  LargeAllocator<std::byte>().deallocate(block, bytes);
}
constexpr ZSTD_customMem kZstdMemory = {zstd_new, zstd_delete, nullptr};

}  // namespace

ContainerStream::ContainerStream(FileKind kind, std::uint32_t version, ByteSink sink) : sink_(std::move(sink)) {
  ByteWriter writer;
  writer.raw(kMagic.data(), kMagic.size());
  writer.u32(version);
  writer.u32(static_cast<std::uint32_t>(kind));
  sink_(writer.bytes());
}

void ContainerStream::section(std::string_view tag, std::string_view payload) {
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(), &XXH64_freeState);
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  ByteWriter head, checksum;
  head.raw(tag.data(), 4);
  head.u64(payload.size());
  for (const std::string_view part : {std::string_view(head.bytes()), payload}) {
    XXH64_update(state.get(), part.data(), part.size());
    sink_(part);
  }
  checksum.u64(XXH64_digest(state.get()));
  sink_(checksum.bytes());
}

void ContainerStream::finish() { section(kEnd, ""); }

std::string ContainerWriter::finish() {
  stream_.finish();
  return std::string(bytes_);  // without the unused room
}

Container::Container(std::string_view bytes, FileKind kind, std::initializer_list<std::string_view> known,
                     const std::string& what)
    : what_(what) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    throw FileError(fmt::format("{} is not a falsum {}", what, name_of_kind(static_cast<std::uint32_t>(kind))));
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
    throw FileError(fmt::format("{} is a falsum {}, not a {}", what, name_of_kind(found),
                                name_of_kind(static_cast<std::uint32_t>(kind))));
  }
  while (true) {
    const std::size_t start = bytes.size() - reader.left();
    std::string_view tag = reader.raw(4);
    const std::uint64_t length = reader.u64();
    const std::string_view payload = reader.raw(length);
    const std::uint64_t computed = XXH64(bytes.data() + start, 12 + payload.size(), 0);
    if (reader.u64() != computed) reader.fail(fmt::format("the checksum of section {} is wrong", sections_.size() + 1));
    if (tag == kEnd) {
      if (length != 0) reader.fail("its last section is not empty");
      break;
    }
    if (tag == "TRUE") tag = "true";  // optional, but falsum 0.1.0 wrote it in capitals, like a required tag
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

std::string_view pack(std::string_view plain, int level, RawBytes& room) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx_advanced(kZstdMemory),
                                                                     &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ByteWriter head;
  head.varint(plain.size());
  const std::size_t most = ZSTD_compressBound(plain.size());
  room.clear();  // growing would copy the old bytes
  room.resize(head.bytes().size() + most);
  char* const packed = &room.front().value;
  char* const frame = std::copy(head.bytes().begin(), head.bytes().end(), packed);
  const std::size_t size = ZSTD_compressCCtx(context.get(), frame, most, plain.data(), plain.size(), level);
  if (ZSTD_isError(size)) throw FileError(fmt::format("compression failed: {}", ZSTD_getErrorName(size)));
  return {packed, head.bytes().size() + size};
}

LargeBytes pack(std::string_view plain, int level) {
  RawBytes room;
  return LargeBytes(pack(plain, level, room));
}

std::uint64_t unpacked_size(std::string_view packed, std::uint64_t limit, const std::string& what) {
  ByteReader reader(packed, what);
  const std::uint64_t size = reader.varint();
  if (size > limit) reader.fail(fmt::format("it claims {} bytes where at most {} can be", size, limit));
  if (size / kMostGain > reader.left()) reader.fail(fmt::format("{} bytes cannot hold {}", reader.left(), size));
  return size;
}

LargeBytes unpack(std::string_view packed, std::uint64_t limit, const std::string& what) {
  const std::uint64_t size = unpacked_size(packed, limit, what);
  ByteReader reader(packed, what);
  reader.varint();
  const std::string_view frame = reader.raw(reader.left());
  LargeBytes plain;
  try {
    plain.resize(size);
  } catch (const std::bad_alloc&) {
    throw FileError(fmt::format("{} needs {} bytes of memory, more than there is", what, size));
  }
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx_advanced(kZstdMemory),
                                                                     &ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  const std::size_t result = ZSTD_decompressDCtx(context.get(), plain.data(), plain.size(), frame.data(), frame.size());
  if (ZSTD_isError(result) || result != size) reader.fail("its compressed part cannot be read");
  return plain;
}

}  // namespace falsum
