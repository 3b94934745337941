// ByteWriter and ByteReader: little-endian values in a byte string. The reader treats its bytes as hostile: before
// anything is allocated, every read is checked against the remaining bytes, and every count against the number of items
// that they can hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "falsum/error.h"

namespace falsum {

/// Receives bytes in order, as they are made.
using ByteSink = std::function<void(std::string_view)>;

/// The number at the start of `bytes`, which must be long enough.
template <class T>
T read_as(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

class ByteWriter {
 public:
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  void u8(std::uint8_t v) { bytes_.push_back(static_cast<char>(v)); }
  void u32(std::uint32_t v) { little_endian(v, 4); }
  void u64(std::uint64_t v) { little_endian(v, 8); }
  void f64(double v) {
    std::uint64_t bits;
    std::memcpy(&bits, &v, sizeof bits);
    u64(bits);
  }
  /// 7 bits a byte, low bits first, top bit set on all but the last.
  void varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) u8(static_cast<std::uint8_t>(v | 0x80));
    u8(static_cast<std::uint8_t>(v));
  }
  /// A signed number: 0, -1, 1, -2, ... as varints 0, 1, 2, 3, ...
  void zigzag(std::int64_t v) { varint(static_cast<std::uint64_t>(v) << 1 ^ static_cast<std::uint64_t>(v >> 63)); }
  /// number(0) .. number(count-1), in batches: young clauses have many.
  template <class Number>
  void varints(std::size_t count, const Number& number) {
    constexpr std::size_t kTogether = 64;
    char some[kTogether * 10];
    for (std::size_t first = 0; first < count; first += kTogether) {
      char* to = some;
      for (std::size_t i = first; i < std::min(first + kTogether, count); ++i) {
        std::uint64_t v = number(i);
        for (; v >= 0x80; v >>= 7) *to++ = static_cast<char>(v | 0x80);
        *to++ = static_cast<char>(v);
      }
      raw(some, static_cast<std::size_t>(to - some));
    }
  }
  void text(std::string_view v) {
    varint(v.size());
    bytes_.append(v);
  }
  void texts(std::span<const std::string> v) {
    varint(v.size());
    for (const std::string& t : v) text(t);
  }
  /// A name and a value. A reader that does not know the name skips the value. fill(ByteWriter&) writes the value.
  template <class Fill>
  void named(std::string_view name, const Fill& fill) {
    ByteWriter value;
    fill(value);
    text(name);
    text(value.bytes());
  }
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }
  void clear() { bytes_.clear(); }  // keeps the memory

 private:
  void little_endian(std::uint64_t v, int size) {
    for (int i = 0; i < size; ++i) u8(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  std::string bytes_;
};

class ByteReader {
 public:
  /// `what` names the thing being read in messages: "model file digits.falsum".
  ByteReader(std::string_view bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(raw(1)[0]); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u64() { return little_endian(8); }
  double f64() {
    const std::uint64_t bits = u64();
    double v;
    std::memcpy(&v, &bits, sizeof v);
    return v;
  }
  std::uint64_t varint() {
    std::uint64_t v = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = u8();
      if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0)) break;  // too large, or not the shortest form
      v |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return v;
    }
    fail("a varint is malformed");
  }
  std::int64_t zigzag() {
    const std::uint64_t v = varint();
    return static_cast<std::int64_t>(v >> 1 ^ (~(v & 1) + 1));
  }
  std::string text() { return std::string(raw(count(1))); }
  std::vector<std::string> texts() {
    std::vector<std::string> v(count(1));
    for (std::string& t : v) t = text();
    return v;
  }
  /// visit(name, ByteReader& value) for every named value until the end. Bytes that `visit` does not read are skipped.
  template <class Visit>
  void each_named(const Visit& visit) {
    while (left() > 0) {
      const std::string name = text();
      ByteReader value(raw(count(1)), what_);
      visit(std::string_view(name), value);
    }
  }
  /// A count of items of at least `item_bytes` each: never more than the remaining bytes can hold.
  std::uint64_t count(std::uint64_t item_bytes) {
    const std::uint64_t n = varint();
    if (n > left() / item_bytes) fail("it ends in the middle of a list");
    return n;
  }
  std::string_view raw(std::uint64_t size) {
    if (size > left()) fail("it ends too early");
    const std::string_view v = bytes_.substr(at_, size);
    at_ += size;
    return v;
  }
  std::size_t left() const { return bytes_.size() - at_; }
  const std::string& what() const { return what_; }
  void expect_end() const {
    if (left() != 0) fail("there are bytes after its end");
  }
  [[noreturn]] void fail(const std::string& why) const { throw FileError(what_ + " is damaged: " + why); }

 private:
  std::uint64_t little_endian(int size) {
    const std::string_view b = raw(size);
    std::uint64_t v = 0;
    for (int i = 0; i < size; ++i) v |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(b[i])) << (8 * i);
    return v;
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string what_;
};

}  // namespace falsum
