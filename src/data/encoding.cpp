#include "data/encoding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "falsum/error.h"
#include "support/format.h"

namespace falsum {
namespace {

/// Bytes of the UTF-8 character at the front of `text`, or 0 if it is none: too short, overlong or a surrogate.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f)) return 0;
  if ((lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) > 0x8f)) return 0;
  return length;
}

std::string from_utf16(std::string_view bytes, bool little, const std::string& what) {
  if (bytes.size() % 2 != 0) throw DataError(fmt::format("{} is UTF-16 and ends in the middle of a character", what));
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]), second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(little ? first | second << 8 : second | first << 8);
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  std::size_t line = 1;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code == '\n') ++line;
    if (code >= 0xd800 && code <= 0xdfff) {  // half of a pair, or damaged
      const std::uint32_t low = code <= 0xdbff && i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (low < 0xdc00 || low > 0xdfff) {
        throw DataError(fmt::format("{}, line {}: byte {} is not UTF-16", what, line, i + 2));
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      i += 2;
    }
    append_utf8(text, code);
  }
  return text;
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xf00 >> (more + 1) & 0xff) | code >> (6 * more));
  for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> (6 * k) & 0x3f));
}

void check_utf8(std::string_view text, const std::string& what, std::size_t line) {
  for (std::size_t i = 0; i < text.size();) {
    std::uint64_t eight = 0;  // almost all text is ASCII
    if (i + 8 <= text.size()) {
      std::memcpy(&eight, text.data() + i, 8);
      if ((eight & 0x8080808080808080) == 0) {
        i += 8;
        continue;
      }
    }
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      const std::string_view before = text.substr(0, i);
      const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
      line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
      throw DataError(
          fmt::format("{}, line {}: byte {} ({:#04x}) is not UTF-8; convert the file first, for example from Latin-1 "
                      "with iconv -f latin1 -t utf-8",
                      what, line, i - start + 1, static_cast<unsigned char>(text[i])));
    }
    i += length;
  }
}

std::string_view to_utf8(std::string_view bytes, const std::string& what, std::string& encoding,
                         std::string& converted) {
  encoding = "utf-8";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    const bool little = bytes[0] == '\xff';
    encoding = little ? "utf-16le" : "utf-16be";
    converted = from_utf16(bytes.substr(2), little, what);
    return converted;
  }
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  check_utf8(bytes, what);
  return bytes;
}

}  // namespace falsum
