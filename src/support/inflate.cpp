#include "support/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "falsum/error.h"
#include "support/format.h"

#ifdef FALSUM_HAVE_LZMA
#include <lzma.h>
#endif

namespace falsum {
namespace {

/// The buffer for pieces of output: small for small files, of which there may be many.
std::vector<std::uint8_t> chunk_for(std::string_view bytes) {
  return std::vector<std::uint8_t>(
      std::clamp<std::size_t>(4 * bytes.size(), std::size_t{1} << 12, std::size_t{1} << 18));
}

[[noreturn]] void fail_damaged(const std::string& what) {
  throw FileError(fmt::format("{} is damaged: its compressed data do not decode", what));
}
[[noreturn]] void fail_truncated(const std::string& what) {
  throw FileError(fmt::format("{} is truncated: its compressed data end too early", what));
}

void append_within(std::string& out, const std::uint8_t* data, std::size_t size, std::uint64_t limit,
                   const std::string& what) {
  if (size > limit - out.size()) {
    throw FileError(fmt::format("{} decompresses to more than the {} bytes allowed", what, limit));
  }
  out.append(reinterpret_cast<const char*>(data), size);
}

// zlib counts its input in 32 bits, so the bytes are handed over in pieces.
class Inflater {
 public:
  Inflater(int window_bits, std::string_view bytes, const std::string& what) : left_(bytes), what_(what) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw FileError("zlib cannot start: out of memory");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Appends one whole stream to `out`.
  void run(std::string& out, std::uint64_t limit) {
    std::vector<std::uint8_t> buffer = chunk_for(left_);
    int status = Z_OK;
    while (status != Z_STREAM_END) {
      refill();
      stream_.next_out = buffer.data();
      stream_.avail_out = static_cast<uInt>(buffer.size());
      status = ::inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) fail_damaged(what_);
      const std::size_t produced = buffer.size() - stream_.avail_out;
      append_within(out, buffer.data(), produced, limit, what_);
      if (status == Z_BUF_ERROR && produced == 0 && stream_.avail_in == 0 && left_.empty()) fail_truncated(what_);
    }
  }
  std::string_view rest() { return {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in + left_.size()}; }
  void restart() { inflateReset(&stream_); }

 private:
  void refill() {
    if (stream_.avail_in > 0 || left_.empty()) return;
    const std::size_t size = std::min<std::size_t>(left_.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(left_.data()));
    stream_.avail_in = static_cast<uInt>(size);
    left_.remove_prefix(size);
  }
  z_stream stream_{};
  std::string_view left_;
  const std::string& what_;
};

}  // namespace

bool looks_like_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }
bool looks_like_xz(std::string_view bytes) {
  return bytes.substr(0, 6) == std::string_view(
                                   "\xfd"
                                   "7zXZ\0",
                                   6);
}

std::string gunzip(std::string_view bytes, const std::string& what, std::uint64_t limit) {
  std::string out;
  Inflater inflater(15 + 16, bytes, what);  // 15: largest window, 16: gzip header and checksum
  for (;;) {
    inflater.run(out, limit);
    const std::string_view rest = inflater.rest();
    if (rest.find_first_not_of('\0') == std::string_view::npos) return out;
    if (!looks_like_gzip(rest)) throw FileError(fmt::format("{} is damaged: bytes that are not gzip follow", what));
    inflater.restart();
  }
}

std::string inflate_raw(std::string_view bytes, std::uint64_t size, const std::string& what) {
  // Deflate compresses at most 1032 to 1, so a larger claim is false and nothing is reserved for it.
  if (size / 1032 > bytes.size()) fail_damaged(what);
  std::string out;
  out.reserve(size);
  Inflater(-15, bytes, what).run(out, size);
  if (out.size() != size) fail_damaged(what);
  return out;
}

#ifdef FALSUM_HAVE_LZMA
std::string unxz(std::string_view bytes, const std::string& what, std::uint64_t limit) {
  lzma_stream stream = LZMA_STREAM_INIT;
  struct End {
    lzma_stream& stream;
    ~End() { lzma_end(&stream); }
  } end{stream};
  constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;  // enough for xz -9
  if (lzma_stream_decoder(&stream, kMemory, LZMA_CONCATENATED) != LZMA_OK) {
    throw FileError("liblzma cannot start: out of memory");
  }
  stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  stream.avail_in = bytes.size();
  std::vector<std::uint8_t> buffer = chunk_for(bytes);
  std::string out;
  for (lzma_ret status = LZMA_OK; status != LZMA_STREAM_END;) {
    stream.next_out = buffer.data();
    stream.avail_out = buffer.size();
    status = lzma_code(&stream, LZMA_FINISH);
    if (status == LZMA_BUF_ERROR) fail_truncated(what);
    if (status != LZMA_OK && status != LZMA_STREAM_END) fail_damaged(what);
    append_within(out, buffer.data(), buffer.size() - stream.avail_out, limit, what);
  }
  return out;
}
#else
std::string unxz(std::string_view, const std::string& what, std::uint64_t) {
  throw FileError(fmt::format("{} is xz-compressed and this build reads no xz: run xz -d on it first", what));
}
#endif

}  // namespace falsum
