// Bytes for a page: compressed, as text, and their digest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace falsum {

/// Raw deflate, as DecompressionStream("deflate-raw") of browsers reads it.
std::string deflated(std::string_view bytes);
/// SHA-256 (FIPS 180-4), 32 bytes: how a content security policy names a script.
std::string sha256(std::string_view bytes);

/// Unsigned numbers of 7 bits a byte, lowest first.
void add_number(std::string& bytes, std::uint64_t value);

}  // namespace falsum
