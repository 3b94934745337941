#include "data/encoding.h"

#include <rapidcheck.h>

#include "data/data_files.h"

namespace falsum::encoding_test {
namespace {

using testing_data::expect_error;

std::string utf8(std::string_view bytes, std::string* encoding = nullptr) {
  std::string name, converted;
  const std::string text(to_utf8(bytes, "t.csv", name, converted));
  if (encoding != nullptr) *encoding = name;
  return text;
}

/// Any character: a code up to 0x10ffff that is no half of a pair.
std::uint32_t arbitrary_code() {
  const auto code = *rc::gen::oneOf(
      rc::gen::inRange<std::uint32_t>(0, 0x80), rc::gen::inRange<std::uint32_t>(0x80, 0xd800),
      rc::gen::inRange<std::uint32_t>(0xe000, 0x10000), rc::gen::inRange<std::uint32_t>(0x10000, 0x110000));
  return code;
}

std::string utf16(const std::vector<std::uint32_t>& codes, bool little) {
  std::string bytes = little ? "\xff\xfe" : "\xfe\xff";
  const auto unit = [&](std::uint32_t u) {
    const char low = static_cast<char>(u & 0xff), high = static_cast<char>(u >> 8);
    bytes += little ? low : high;
    bytes += little ? high : low;
  };
  for (const std::uint32_t code : codes) {
    if (code >= 0x10000) {
      unit(0xd800 + ((code - 0x10000) >> 10));
      unit(0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
      unit(code);
    }
  }
  return bytes;
}

TEST(Encoding, Utf16BecomesTheSameTextInUtf8) {
  EXPECT_TRUE(rc::check("both byte orders, all characters", [] {
    const auto count = *rc::gen::inRange(0, 30);
    std::vector<std::uint32_t> codes;
    std::string expected;
    for (int i = 0; i < count; ++i) {
      codes.push_back(arbitrary_code());
      append_utf8(expected, codes.back());
    }
    check_utf8(expected, "t.csv");
    for (const bool little : {true, false}) {
      std::string encoding;
      RC_ASSERT(utf8(utf16(codes, little), &encoding) == expected);
      RC_ASSERT(encoding == (little ? "utf-16le" : "utf-16be"));
    }
  }));
}

TEST(Encoding, AByteOrderMarkIsNoPartOfTheText) {
  std::string encoding;
  EXPECT_EQ(utf8("\xef\xbb\xbf"
                 "a,\xc3\xa6",
                 &encoding),
            "a,\xc3\xa6");
  EXPECT_EQ(encoding, "utf-8");
  EXPECT_EQ(utf8(""), "");
}

TEST(Encoding, WhatIsNotUtf8NamesLineAndByte) {
  expect_error<DataError>([] { utf8("a,b\nbl\xe5,2\n"); }, {"t.csv, line 2: byte 3 (0xe5) is not UTF-8"});
  for (const std::string wrong : {"\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                  "\xf5\x80\x80\x80", "\xff", "\xc3\xc3", "\xe2\x82"}) {
    for (const std::string before : {"", "1234567", "12345678", "\xc3\xa6"}) {
      expect_error<DataError>([&] { utf8("x" + before + wrong); }, {"line 1", "not UTF-8"});
      expect_error<DataError>([&] { utf8("x" + before + wrong + "\nmore text"); }, {"line 1", "not UTF-8"});
    }
  }
}

TEST(Encoding, DamagedUtf16IsRefused) {
  const auto bytes = [](std::initializer_list<unsigned> values) {
    std::string text = "\xff\xfe";
    for (const unsigned value : values) text += static_cast<char>(value);
    return text;
  };
  expect_error<DataError>([&] { utf8(bytes({'a', 0, 'b'})); }, {"middle of a character"});
  expect_error<DataError>([&] { utf8(bytes({'\n', 0, 0x00, 0xd8, 'b', 0})); }, {"line 2", "not UTF-16"});
  expect_error<DataError>([&] { utf8(bytes({0x00, 0xdc})); }, {"line 1", "not UTF-16"});
  expect_error<DataError>([&] { utf8(bytes({0x00, 0xd8})); }, {"line 1", "not UTF-16"});
}

TEST(Encoding, ArbitraryBytesAreUtf8OrRefused) {
  EXPECT_TRUE(rc::check("what comes out is UTF-8", [](const std::string& bytes) {
    try {
      check_utf8(utf8(bytes), "again");
    } catch (const DataError& error) {
      RC_ASSERT(std::string(error.what()).find("again") == std::string::npos);
    }
  }));
}

}  // namespace
}  // namespace falsum::encoding_test
