// Decompression of untrusted bytes. Every function has a limit for its output before it starts. A stream that is
// damaged, ends early or exceeds the limit is a FileError that names `what` (the file). Compressed data are read whole;
// only the output grows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace falsum {

/// No data file may decompress to more than this.
inline constexpr std::uint64_t kMaxDecompressedBytes = std::uint64_t{8} << 30;

bool looks_like_gzip(std::string_view bytes);
bool looks_like_xz(std::string_view bytes);

/// All members of a gzip file, one after the other; zero padding after the last is allowed.
std::string gunzip(std::string_view bytes, const std::string& what, std::uint64_t limit = kMaxDecompressedBytes);

/// An xz file. Without liblzma at build time this is a FileError that says to run `xz -d` first.
std::string unxz(std::string_view bytes, const std::string& what, std::uint64_t limit = kMaxDecompressedBytes);

/// A raw deflate stream (a zip member) of exactly `size` bytes.
std::string inflate_raw(std::string_view bytes, std::uint64_t size, const std::string& what);

}  // namespace falsum
