// MappedFile: the bytes of a file, read by the system when they are first touched, and given back to it when memory is
// short: a file may be larger than the memory. The file must not be shortened meanwhile (writing by renaming, as
// NewFile does, leaves the mapped one as it was).
//
// Where files cannot be mapped (Windows) its bytes are read into memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace falsum {

class MappedFile {
 public:
  /// Throws FileError for a missing or unreadable file, and for one that is no regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::string read_;  // the bytes, where files cannot be mapped
};

enum class Advice {
  kSequential,  // from the beginning to the end: read far ahead
  kRandom,      // here and there: read nothing ahead
  kSoon,        // begin to read it now, without waiting
  kOver,        // not needed for now: its pages may go
};
/// Tells the system how some bytes of a mapped file will be used; only speed depends on it.
void advise(std::string_view bytes, Advice advice);

}  // namespace falsum
