#include "support/file_kind.h"

#include "support/bytes.h"

namespace falsum {

std::optional<std::uint32_t> kind_of(std::string_view first_bytes) {
  if (!first_bytes.starts_with(kMagic) || first_bytes.size() < 16) return std::nullopt;
  ByteReader reader(first_bytes.substr(12), "");
  return reader.u32();
}

std::string_view name_of_kind(std::uint32_t kind) {
  switch (static_cast<FileKind>(kind)) {
    case FileKind::kModel:
      return "model";
    case FileKind::kCheckpoint:
      return "checkpoint";
    case FileKind::kRows:
      return "file of rows";
  }
  return "file of an unknown kind";
}

}  // namespace falsum
