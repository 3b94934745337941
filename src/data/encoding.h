// The bytes of a text file as UTF-8: a byte order mark is removed, UTF-16 with a byte order mark is converted, and
// anything else is an error that names line and byte.
#pragma once

#include <string>
#include <string_view>

namespace falsum {

/// Text as UTF-8: part of `bytes`, or of `converted` where they are UTF-16. `encoding` becomes "utf-8", "utf-16le" or
/// "utf-16be".
std::string_view to_utf8(std::string_view bytes, const std::string& what, std::string& encoding,
                         std::string& converted);

/// DataError that names line and byte unless all of `text` is UTF-8. `line` is the number of its first line.
void check_utf8(std::string_view text, const std::string& what, std::size_t line = 1);

/// Appends one character to UTF-8 text; the code must be at most 0x10ffff.
void append_utf8(std::string& text, std::uint32_t code);

}  // namespace falsum
