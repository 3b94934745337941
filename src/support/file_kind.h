// The first bytes of every file that falsum writes for itself: magic "FALSUM\x1a\n" | version u32 | kind u32.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace falsum {

inline constexpr std::string_view kMagic{"FALSUM\x1a\n", 8};

enum class FileKind : std::uint32_t { kModel = 1, kCheckpoint = 2, kRows = 3 };

/// The kind of falsum file that begins with these bytes (16 are enough), whether it can be read or not; empty for any
/// other file.
std::optional<std::uint32_t> kind_of(std::string_view first_bytes);
/// "model", "checkpoint", "file of rows".
std::string_view name_of_kind(std::uint32_t kind);

}  // namespace falsum
