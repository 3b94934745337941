#include <cstring>
#include <vector>

#include "data/packed_format.h"
#include "falsum/packed_rows.h"
#include "fuzz.h"

namespace falsum::fuzz {
namespace {

/// Bytes behind the magic number, with checksums that fit: else nothing else of the file would ever be looked at.
/// One input in eight stays as it is.
std::vector<std::uint64_t> rows_file(std::string_view bytes) {
  const std::size_t sums =
      packed::padded(packed::kHead + (bytes.size() > packed::kFoot ? bytes.size() - packed::kFoot : 0));
  const std::size_t foot = sums + 8, size = foot + packed::kFoot;
  std::vector<std::uint64_t> words(size / 8);
  char* const all = reinterpret_cast<char*>(words.data());
  std::memcpy(all, packed::head().data(), packed::kHead);
  const std::string_view start = bytes.substr(0, bytes.size() - std::min<std::size_t>(bytes.size(), packed::kFoot));
  std::memcpy(all + packed::kHead, start.data(), start.size());
  const std::string_view end = bytes.substr(start.size());
  std::memcpy(all + foot, end.data(), end.size());
  if (one_in(8, bytes)) return words;
  std::memcpy(all + size - kMagic.size(), kMagic.data(), kMagic.size());
  words[sums / 8] = packed::checksum({all, sums});
  words[foot / 8 + 8] = packed::checksum({all + sums, 8});
  words[foot / 8 + 9] = packed::checksum({all + foot, 72});
  return words;
}

void use_rows(const PackedRows& file) {
  const Rows rows = file.rows();
  std::size_t features = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (rows.is_sparse()) {
      for (const std::uint32_t k : rows.sparse(r)) features += k < rows.columns();
    } else {
      for (const std::uint64_t word : rows.packed(r)) features += word != 0;
    }
  }
  if (rows.is_sparse() && features != rows.sparse().features.size()) __builtin_trap();
  if (file.labelled() && file.targets().size() != rows.rows()) __builtin_trap();
  Booleanizer::of(file);
}

}  // namespace
}  // namespace falsum::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::uint64_t> words = falsum::fuzz::rows_file(falsum::fuzz::bytes_of(data, size));
  try {
    falsum::fuzz::use_rows(
        *falsum::PackedRows::over({reinterpret_cast<const char*>(words.data()), 8 * words.size()}, "fuzz"));
  } catch (const falsum::Error&) {
  }
  return 0;
}
