#include "support/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "falsum/error.h"
#include "support/inflate.h"
#include "support/posix.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 30;
constexpr std::size_t kChunk = std::size_t{1} << 20;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(const char* verb, const std::string& path, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", verb, path, reason(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  /// Network file systems report a full disk only here, so the result counts.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

/// 0, or the errno of the write that failed.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), kChunk));
    if (n < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

/// Devices and pipes (/dev/stdout, /dev/full) cannot be replaced, only written to.
void write_directly(const std::string& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) fail("write", path, errno);
  if (const int error = write_all(file.get(), bytes)) fail("write", path, error);
  if (file.close() != 0) fail("write", path, errno);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// A symbolic link keeps pointing where it did: what is replaced is the file behind it.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

enum class Target { kMissing, kRegular, kDevice };

Target look_at(const std::string& path, mode_t* mode = nullptr) {
  struct stat info {};
  if (path.empty()) throw FileError("cannot write a file without a name");
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return Target::kMissing;
    fail("write", path, errno);
  }
  if (S_ISDIR(info.st_mode)) throw FileError(fmt::format("cannot write {}: it is a folder", path));
  if (mode != nullptr) *mode = info.st_mode & 07777;
  return S_ISREG(info.st_mode) ? Target::kRegular : Target::kDevice;
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Calls make(name), which returns an error, with names beside `path` until one is free; `name` is empty when it fails.
template <class Make>
std::error_code free_name(const std::string& path, std::string& name, Make&& make) {
  std::error_code error;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
    error = make(name);
    if (!error) return error;
    if (error != std::errc::file_exists) break;
  }
  name.clear();
  return error;
}

/// A file beside `path` to write to: one without a name where there are such, so that it vanishes with a killed
/// process.
struct Temporary {
  explicit Temporary(const std::string& path) : target(path) {
#ifdef O_TMPFILE
    // Naming it later goes through /proc.
    if (::access("/proc/self/fd", X_OK) == 0) {
      fd = ::open(folder_of(path).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    }
    if (fd >= 0) return;
#endif
    error = free_name(path, name, [&](const std::string& candidate) {
      fd = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return fd < 0 ? last_error() : std::error_code();
    });
  }
  std::error_code give_name() {
#ifdef O_TMPFILE
    if (name.empty()) {
      const std::string source = fmt::format("/proc/self/fd/{}", fd);
      return free_name(target, name, [&](const std::string& candidate) {
        const int failed = ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, candidate.c_str(), AT_SYMLINK_FOLLOW);
        return failed ? last_error() : std::error_code();
      });
    }
#endif
    return {};
  }
  const std::string& target;
  std::string name;
  int fd = -1;
  std::error_code error;
};

/// before_renaming(path) is called when the new file is complete and on the disk.
template <class BeforeRenaming>
void write_replacing(const std::string& path, std::string_view bytes, BeforeRenaming&& before_renaming) {
  mode_t mode = 0;
  const Target target = look_at(path, &mode);
  if (target == Target::kDevice) return write_directly(path, bytes);
  if (target == Target::kRegular && ::access(path.c_str(), W_OK) != 0) fail("write", path, errno);

  const std::string final_path = behind_links(path);
  Temporary temporary(final_path);
  if (temporary.fd < 0) fail("write", path, temporary.error.value());
  Descriptor file(temporary.fd);
  const auto check = [&](int error) {
    if (error == 0) return;
    if (!temporary.name.empty()) ::unlink(temporary.name.c_str());
    fail("write", path, error);
  };
  if (target == Target::kRegular) (void)::fchmod(file.get(), mode);  // an overwritten file keeps its permissions
  check(write_all(file.get(), bytes));
  check(::fsync(file.get()) != 0 ? errno : 0);
  check(temporary.give_name().value());
  check(file.close() != 0 ? errno : 0);
  try {
    before_renaming(final_path);
  } catch (...) {
    ::unlink(temporary.name.c_str());
    throw;
  }
  std::error_code error;
  std::filesystem::rename(temporary.name, final_path, error);  // also where rename() does not replace a file
  check(error.value());

  // The new name reaches the disk with the folder. Some file systems refuse this; the data are safe anyway.
  Descriptor folder(::open(folder_of(final_path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) (void)::fsync(folder.get());
}

}  // namespace

std::string read_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) fail("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail("read", path, errno);
  if (S_ISDIR(info.st_mode)) throw FileError(fmt::format("cannot read {}: it is a folder", path));
  const auto oversized = [&] {
    return FileError(fmt::format("cannot read {}: it is larger than the {} bytes allowed", path, kMaxFileBytes));
  };
  std::string bytes;
  if (S_ISREG(info.st_mode)) {
    if (static_cast<std::uint64_t>(info.st_size) > kMaxFileBytes) throw oversized();
    bytes.reserve(static_cast<std::size_t>(info.st_size) + 1);  // + 1: the read that meets the end needs room
  }
  // Sizes of pipes are not known and files can grow, so the end is where read() says it is.
  for (std::size_t size = 0;;) {
    if (size > kMaxFileBytes) throw oversized();
    bytes.resize(std::max(bytes.capacity(), size + 4096));
    const ssize_t n = ::read(file.get(), bytes.data() + size, std::min(bytes.size() - size, kChunk));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path, errno);
    size += static_cast<std::size_t>(n);
    if (n == 0) {
      bytes.resize(size);
      return bytes;
    }
    if (size == bytes.size()) bytes.reserve(size * 2);
  }
}

std::string read_file_maybe_gzip(const std::string& path) {
  std::string bytes = read_file(path);
  return looks_like_gzip(bytes) ? gunzip(bytes, path) : bytes;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_replacing(path, bytes, [](const std::string&) {});
}

void write_file_keeping_previous(const std::string& path, std::string_view bytes) {
  write_replacing(path, bytes, [](const std::string& final_path) {
    const std::string previous = previous_path(final_path);
    std::string name;
    std::error_code error = free_name(previous, name, [&](const std::string& candidate) {
      std::error_code linking;
      std::filesystem::create_hard_link(final_path, candidate, linking);
      return linking;
    });
    if (error == std::errc::no_such_file_or_directory) return;  // the first generation
    // A file system without links: the bytes themselves, then.
    if (error) return write_file_atomically(previous, read_file(final_path));
    std::filesystem::rename(name, previous, error);
    ::unlink(name.c_str());  // renaming a file to another name of its own does nothing, and leaves both
    if (error) fail("write", previous, error.value());
  });
}

std::string previous_path(const std::string& path) { return path + ".previous"; }

void check_writable(const std::string& path) {
  const Target target = look_at(path);
  if (target != Target::kMissing && ::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
  if (target == Target::kDevice) return;
  const std::string folder = folder_of(behind_links(path));
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    throw FileError(fmt::format("cannot write {}: folder {}: {}", path, folder, reason(errno)));
  }
  if (!S_ISDIR(info.st_mode)) throw FileError(fmt::format("cannot write {}: {} is not a folder", path, folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw FileError(fmt::format("cannot write {}: folder {}: {}", path, folder, reason(errno)));
  }
}

}  // namespace falsum
