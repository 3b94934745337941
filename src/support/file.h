// Whole files in and out. Writing goes to a temporary file in the same folder, is flushed to disk and
// then renamed over the target, so that a reader, a crash or a full disk never meets half a file. Where the
// file system has files without a name (Linux, O_TMPFILE), a process killed while writing leaves nothing behind.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace falsum {

/// The bytes of a file; a missing, unreadable or oversized one is a FileError.
std::string read_file(const std::string& path);

/// As read_file, decompressed if the bytes begin like gzip. A truncated or damaged stream is a
/// FileError; more than 8 GiB of output is refused.
std::string read_file_maybe_gzip(const std::string& path);

/// Replaces `path` by `bytes`, or leaves it exactly as it was and throws FileError.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// A file on its way to `path`, piece by piece; if it is given up before it is in place, all is as it was. Whatever
/// goes wrong is a FileError.
///
/// Once `hurry` says so, a large file is left to the system to bring to the disk, which can take it many seconds: it is
/// there for everybody at once, and a power cut within them leaves what was there before, if that is kept. Nothing else
/// may be brought to the disk after it is in place by who is in a hurry: a file system with a journal (ext4) would
/// bring this one there first.
class NewFile {
 public:
  explicit NewFile(const std::string& path, std::function<bool()> hurry = {});
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) noexcept;
  ~NewFile();

  void write(std::string_view bytes);  // on any thread, one at a time
  enum class Before { kGoes, kIsKept };
  /// As the last call. What was at `path` before can stay at previous_path(path).
  void put_in_place(Before before = Before::kGoes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// As write_file_atomically, and what was at `path` before stays at previous_path(path). At every moment `path` is the
/// old file or the new one. `hurry`: see NewFile.
void write_file_keeping_previous(const std::string& path, std::string_view bytes,
                                 const std::function<bool()>& hurry = {});

/// Where a file is, or would be made, behind all symbolic links: the links stay when it is written.
std::string real_path(const std::string& path);
/// Beside the real file.
std::string previous_path(const std::string& path);
std::string replaced_path(const std::string& path);
/// What is at `path`, or else at previous_path(path), stays at replaced_path(path) too.
void keep_replaced(const std::string& path);

/// Throws FileError now if write_file_atomically(path) would fail for lack of a folder or permission, or because the
/// name is too long, so that hours of learning do not end in an unwritable file.
void check_writable(const std::string& path);

/// Waits until the file is on the disk, if whoever wrote it was in a hurry; where that cannot be, it does nothing.
void bring_to_disk(const std::string& path);

/// Removes the temporary files that killed processes left in the folder of `path`. Those of another computer or
/// container (folders can be shared) may be of a process that lives, and go when they are a day old.
void remove_leftovers(const std::string& path);

}  // namespace falsum
