// Models and checkpoints for a fuzzer, which guesses no checksum and writes no zstd. The first byte chooses:
//
//   even   the rest is a file; its checksums are made right
//   odd    the rest is sections in plain: tag (4 bytes), length (2 bytes), payload; those that are packed in a file
//          are packed here
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/container.h"
#include "support/bytes.h"

namespace falsum::fuzz {

inline std::string with_checksums(std::string_view original) {
  std::string bytes(original);
  for (std::size_t at = 16; bytes.size() >= at + 20;) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      length |= std::uint64_t{static_cast<std::uint8_t>(bytes[at + 4 + i])} << (8 * i);
    }
    if (length > bytes.size() - at - 20) break;
    ByteWriter sum;
    sum.u64(XXH64(bytes.data() + at, 12 + length, 0));
    std::copy(sum.bytes().begin(), sum.bytes().end(), bytes.begin() + static_cast<std::ptrdiff_t>(at + 12 + length));
    at += 20 + length;
  }
  return bytes;
}

inline std::string container_of(std::string_view input, FileKind kind, std::initializer_list<std::string_view> packed) {
  if (input.empty()) return "";
  const bool plain = input[0] & 1;
  input.remove_prefix(1);
  if (!plain) return with_checksums(input);
  ContainerWriter writer(kind);
  while (input.size() >= 6) {
    const std::string_view tag = input.substr(0, 4);
    const std::size_t length = static_cast<std::uint8_t>(input[4]) + 256u * static_cast<std::uint8_t>(input[5]);
    const std::string_view payload = input.substr(6, length);
    input.remove_prefix(6 + payload.size());
    const bool pack_it = std::find(packed.begin(), packed.end(), tag) != packed.end();
    writer.section(tag, pack_it ? std::string(pack(payload, 1)) : std::string(payload));
  }
  return writer.finish();
}

}  // namespace falsum::fuzz
