// Whole files in and out. Writing goes to a temporary file in the same folder, is flushed to disk and
// then renamed over the target, so that a reader, a crash or a full disk never meets half a file. Where the
// file system has files without a name (Linux, O_TMPFILE), a process killed while writing leaves nothing behind.
#pragma once

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

/// As write_file_atomically, and what was at `path` before stays at previous_path(path). At every moment `path` is the
/// old file or the new one.
void write_file_keeping_previous(const std::string& path, std::string_view bytes);
std::string previous_path(const std::string& path);

/// Throws FileError now if write_file_atomically(path) would fail for lack of a folder or permission,
/// so that hours of learning do not end in an unwritable file.
void check_writable(const std::string& path);

}  // namespace falsum
