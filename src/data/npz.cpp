// NPZ: a zip file of NPY members, stored (numpy.savez) or deflated (numpy.savez_compressed). Features are
// the member X, x, data or features, labels y, labels or targets; files with x_train, y_train, x_test and
// y_test are read by split. Sizes are taken from the central directory at the end of the file, since NumPy
// leaves those in front of each member blank; every checksum is verified.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <map>

#include "data/formats.h"
#include "falsum/error.h"
#include "support/bytes.h"
#include "support/inflate.h"

namespace falsum {
namespace {

struct Member {
  std::uint32_t method = 0, checksum = 0;
  std::uint64_t compressed = 0, size = 0, header_at = 0;
};

std::uint32_t u16(ByteReader& reader) {
  const std::uint32_t low = reader.u8();
  return low | static_cast<std::uint32_t>(reader.u8()) << 8;
}

constexpr std::uint32_t kBlank = 0xffffffff;  // "see the 64-bit extra field"

/// The 64-bit sizes, which are there in this order for each 32-bit one that is blank.
void read_wide_sizes(ByteReader extra, Member& member) {
  while (extra.left() >= 4) {
    const std::uint32_t id = u16(extra);
    const std::uint32_t length = u16(extra);
    ByteReader field(extra.raw(length), extra.what());
    if (id != 1) continue;
    for (std::uint64_t* value : {&member.size, &member.compressed, &member.header_at}) {
      if (*value == kBlank) *value = field.u64();
    }
  }
}

std::map<std::string, Member> read_directory(std::string_view bytes, const std::string& path) {
  constexpr std::string_view kEndMark("PK\x05\x06", 4);
  const std::size_t end_at = bytes.rfind(kEndMark);
  if (end_at == std::string_view::npos) throw FileError(fmt::format("{} is truncated: it has no zip directory", path));
  ByteReader end(bytes.substr(end_at + 4), path);
  end.raw(4);
  u16(end);
  const std::uint32_t count = u16(end);
  end.u32();
  const std::uint64_t directory_at = end.u32();
  end.raw(u16(end));  // the archive's comment
  if (directory_at > bytes.size()) end.fail("its zip directory is beyond its end");

  std::map<std::string, Member> members;
  ByteReader reader(bytes.substr(directory_at), path);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (reader.raw(4) != "PK\x01\x02") reader.fail("its zip directory does not parse");
    Member member;
    reader.raw(4);
    const std::uint32_t flags = u16(reader);
    if (flags & 1) throw DataError(fmt::format("{} is encrypted", path));
    member.method = u16(reader);
    reader.u32();
    member.checksum = reader.u32();
    member.compressed = reader.u32();
    member.size = reader.u32();
    const std::uint32_t name = u16(reader), extra = u16(reader), comment = u16(reader);
    reader.raw(8);
    member.header_at = reader.u32();
    const std::string key(reader.raw(name));
    read_wide_sizes(ByteReader(reader.raw(extra), path), member);
    reader.raw(comment);
    members.emplace(key, member);
  }
  return members;
}

std::string extract(std::string_view bytes, const Member& member, const std::string& what) {
  if (member.header_at > bytes.size()) throw FileError(fmt::format("{} is damaged: it is beyond the end", what));
  ByteReader reader(bytes.substr(member.header_at), what);
  if (reader.raw(4) != "PK\x03\x04") reader.fail("its zip header does not parse");
  reader.raw(22);
  const std::uint32_t name = u16(reader), extra = u16(reader);
  reader.raw(name);
  reader.raw(extra);
  if (member.size > kMaxDecompressedBytes) {
    throw FileError(fmt::format("{} has {} bytes; at most {} are allowed", what, member.size, kMaxDecompressedBytes));
  }
  const std::string_view stored = reader.raw(member.compressed);
  std::string content;
  if (member.method == 0) {
    if (member.size != member.compressed) reader.fail("its sizes differ");
    content = stored;
  } else if (member.method == 8) {
    content = inflate_raw(stored, member.size, what);
  } else {
    throw DataError(fmt::format("{} uses zip method {}; 0 (stored) and 8 (deflated) are read", what, member.method));
  }
  const uLong checksum =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (checksum != member.checksum) reader.fail("its checksum does not match");
  return content;
}

}  // namespace

bool looks_like_npz(std::string_view bytes) {
  return bytes.starts_with(std::string_view("PK\x03\x04", 4)) || bytes.starts_with(std::string_view("PK\x05\x06", 4));
}

Source load_npz(std::string_view bytes, const std::string& path, const LoadOptions& options) {
  const std::map<std::string, Member> members = read_directory(bytes, path);
  const auto find = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto found = members.find(std::string(name) + ".npy");
      if (found != members.end()) return found;
    }
    return members.end();
  };
  const bool train = options.split == Split::kTrain;
  auto features = find({"X", "x", "data", "features"});
  auto labels = find({"y", "labels", "targets"});
  if (features == members.end()) {
    features = train ? find({"X_train", "x_train"}) : find({"X_test", "x_test"});
    labels = train ? find({"y_train"}) : find({"y_test"});
  }
  if (features == members.end()) {
    std::vector<std::string> names;
    names.reserve(members.size());
    for (const auto& member : members) names.push_back(member.first);
    throw DataError(fmt::format("{} has no member X, x, data or features; it has {}", path,
                                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  const std::string feature_what = fmt::format("{} in {}", features->first, path);
  const std::string feature_bytes = extract(bytes, features->second, feature_what);
  const NpyArray array = parse_npy(feature_bytes, feature_what);
  if (!options.labelled) return npy_source(array, nullptr, feature_what, options);
  if (labels == members.end()) throw DataError(fmt::format("{} has no member y, labels or targets", path));
  const std::string label_what = fmt::format("{} in {}", labels->first, path);
  const std::string label_bytes = extract(bytes, labels->second, label_what);
  const NpyArray label_array = parse_npy(label_bytes, label_what);
  return npy_source(array, &label_array, feature_what, options);
}

}  // namespace falsum
