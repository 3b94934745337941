// Whole files in and out. Writing goes to a temporary file in the same folder, is flushed to disk and
// then renamed over the target, so that a reader never sees half a file, even after a crash or with a full disk. Where
// the file system supports unnamed files (Linux, O_TMPFILE), a process killed while writing leaves nothing behind.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace falsum {

/// The bytes of a file. Throws FileError for a missing, unreadable or oversized file.
std::string read_file(const std::string& path);

/// Like read_file, decompressed if the bytes begin like gzip. Throws FileError for a truncated or damaged stream and
/// for more than 8 GiB of output.
std::string read_file_maybe_gzip(const std::string& path);

/// Replaces the contents of `path` by `bytes`, or leaves them unchanged and throws FileError.
void write_file_atomically(const std::string& path, std::string_view bytes);

/// A file that is written to `path` in pieces. If it is destroyed before it is put in place, `path` is unchanged. Every
/// failure is a FileError.
///
/// Once `hurry` returns true, a large file is not flushed: the system writes it to disk later, which can take many
/// seconds. All processes see the new file at once; a power cut within these seconds leaves the previous file, if that
/// is kept. A caller in a hurry must not flush another file after this one is in place: a journaling file system (ext4)
/// would flush this one first.
class NewFile {
 public:
  explicit NewFile(const std::string& path, std::function<bool()> hurry = {});
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) noexcept;
  ~NewFile();

  void write(std::string_view bytes);  // on any thread, one at a time
  enum class Before { kGoes, kIsKept };
  /// The last call. The old file at `path` can be kept at previous_path(path).
  void put_in_place(Before before = Before::kGoes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file without a name in the folder of `beside`, for what does not fit into memory; it goes with this object.
/// Failures name `beside`: it is the disk of that file that is full.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& beside);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  std::uint64_t size() const { return size_; }
  /// At the end.
  void write(const void* data, std::size_t bytes);
  void read(std::uint64_t from, void* to, std::size_t bytes) const;

 private:
  std::string beside_, name_;  // the name: only where the system has no unnamed files
  int fd_ = -1;
  std::uint64_t size_ = 0;
};

/// Like write_file_atomically, and keeps the old file at previous_path(path). At every moment `path` is the old file or
/// the new one. `hurry`: see NewFile.
void write_file_keeping_previous(const std::string& path, std::string_view bytes,
                                 const std::function<bool()>& hurry = {});

/// Where a file is, or would be created, after following all symbolic links: writing keeps the links.
std::string real_path(const std::string& path);
/// Beside the real file.
std::string previous_path(const std::string& path);
std::string replaced_path(const std::string& path);
/// Keeps the file at `path`, or else the one at previous_path(path), at replaced_path(path) too.
void keep_replaced(const std::string& path);

/// Throws FileError now if write_file_atomically(path) would fail for a missing folder, missing permission or too long
/// a name, so that hours of learning do not end in an unwritable file.
void check_writable(const std::string& path);

/// Waits until the file is on disk, if it was written in a hurry; does nothing where this is not possible.
void bring_to_disk(const std::string& path);

/// Removes the temporary files that killed processes left in the folder of `path`. Files of another computer or
/// container (folders can be shared) may belong to a running process, so they are removed when they are a day old.
void remove_leftovers(const std::string& path);

}  // namespace falsum
