#include "support/file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "falsum/error.h"
#include "support/format.h"
#include "support/inflate.h"
#include "support/posix.h"

namespace falsum {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 30;
constexpr std::size_t kChunk = std::size_t{1} << 20;       // of one read or write; Windows counts its bytes in 32 bits
constexpr std::size_t kSoonOnDisk = std::size_t{8} << 20;  // bytes that a disk takes within half a second
constexpr std::size_t kPiece = std::size_t{2} << 20;       // between two checks of hurry, even on a slow disk

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(const char* verb, const std::string& path, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", verb, path, reason(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  /// Network file systems report a full disk only here, so the result must be checked.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
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

/// Eight digits for the scope of process numbers: this computer since it was started, and its container.
std::string where_we_run() {
  std::string text;
#if defined(__linux__)
  if (Descriptor boot(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)); boot.ok()) {
    char id[64];
    if (const ssize_t size = ::read(boot.get(), id, sizeof id); size > 0)
      text.append(id, static_cast<std::size_t>(size));
  }
  std::error_code error;
  text += std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
#elif !defined(_WIN32)
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) == 0) text = host;
#endif
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return fmt::format("{:08x}", hash);
}

constexpr std::string_view kTemporaryStart = "falsum-", kTemporaryEnd = ".tmp";

/// A short name, whatever the length of the target's name: falsum-<where we run>-<process>-<number>.tmp
std::string temporary_name(const std::string& beside, int number) {
  static const std::string where = where_we_run();
  const std::string name =
      fmt::format("{}{}-{}-{}{}", kTemporaryStart, where, static_cast<long>(::getpid()), number, kTemporaryEnd);
  return (std::filesystem::path(folder_of(beside)) / name).string();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Was this temporary file left by a process that has ended?
bool is_left_over(const std::filesystem::directory_entry& entry) {
  std::string name = entry.path().filename().string();
  if (!name.starts_with(kTemporaryStart) || !name.ends_with(kTemporaryEnd)) return false;
  name = name.substr(kTemporaryStart.size(), name.size() - kTemporaryStart.size() - kTemporaryEnd.size());
  const std::size_t first = name.find('-'), second = name.find('-', first + 1);
  if (first != 8 || second == std::string::npos) return false;
  const std::string process = name.substr(first + 1, second - first - 1);
  if (name.find_first_not_of("0123456789abcdef") != first || !is_number(process) || !is_number(name.substr(second + 1)))
    return false;
  std::error_code error;
  if (!entry.is_regular_file(error)) return false;
#if !defined(_WIN32)
  if (name.substr(0, first) == where_we_run()) {
    return ::kill(static_cast<pid_t>(std::stoll(process)), 0) != 0 && errno == ESRCH;
  }
#endif
  const auto written = entry.last_write_time(error);
  return !error && std::filesystem::file_time_type::clock::now() - written > std::chrono::hours(24);
}

/// Calls make(name), which returns an error, with names beside `path` until one is free; `name` is empty when it fails.
template <class Make>
std::error_code free_name(const std::string& path, std::string& name, Make&& make) {
  std::error_code error;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = temporary_name(path, attempt);
    error = make(name);
    if (!error) return error;
    if (error != std::errc::file_exists) break;
  }
  name.clear();
  return error;
}

/// A file beside `path` to write to: without a name where the system supports it, so that it vanishes with a killed
/// process.
struct Temporary {
  void open_beside(const std::string& path, int access = O_WRONLY) {
    target = path;
#ifdef O_TMPFILE
    // Naming it later goes through /proc.
    if (::access("/proc/self/fd", X_OK) == 0) {
      fd = ::open(folder_of(path).c_str(), access | O_TMPFILE | O_CLOEXEC, 0666);
    }
    if (fd >= 0) return;
#endif
    error = free_name(path, name, [&](const std::string& candidate) {
      fd = ::open(candidate.c_str(), access | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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
  std::string target, name;
  int fd = -1;
  std::error_code error;
};

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
  // Sizes of pipes are unknown and files can grow, so only read() determines the end.
  for (std::size_t size = 0;;) {
    if (size > kMaxFileBytes) throw oversized();
    bytes.resize(std::max(bytes.capacity(), size + 4096));
    const ssize_t n =
        ::read(file.get(), bytes.data() + size, static_cast<unsigned>(std::min(bytes.size() - size, kChunk)));
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

namespace {

/// `kept` becomes another name of the file; an old file of that name is replaced.
void keep_as(const std::string& path, const std::string& kept) {
  std::string name;
  std::error_code error = free_name(kept, name, [&](const std::string& candidate) {
    std::error_code linking;
    std::filesystem::create_hard_link(path, candidate, linking);
    return linking;
  });
  if (error == std::errc::no_such_file_or_directory) return;  // there is nothing to keep
  // A file system without links: copy the bytes.
  if (error) return write_file_atomically(kept, read_file(path));
  std::filesystem::rename(name, kept, error);
  ::unlink(name.c_str());  // renaming a file to another name of its own does nothing, and leaves both
  if (error) fail("write", kept, error.value());
}

}  // namespace

struct NewFile::State {
  State(const std::string& asked, std::function<bool()> asked_to_hurry)
      : path(asked), hurry(std::move(asked_to_hurry)), target(look_at(path, &mode)) {
    if (target == Target::kDevice) {  // and pipes (/dev/stdout, /dev/full): they cannot be replaced, only written to
      file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
      check(!file.ok());
      return;
    }
    check(target == Target::kRegular ? ::access(path.c_str(), W_OK) : 0);
    final_path = real_path(path);
    temporary.open_beside(final_path);
    file = Descriptor(temporary.fd);
    if (!file.ok()) fail("write", path, temporary.error.value());
    if (target == Target::kRegular) (void)::fchmod(file.get(), mode);  // an overwritten file keeps its permissions
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    file = Descriptor(-1);  // some systems remove no file that is open
    if (!temporary.name.empty()) ::unlink(temporary.name.c_str());
  }

  void check(int failed) const {
    if (failed != 0) fail("write", path, errno);
  }
  bool in_a_hurry() const { return hurry && bytes > kSoonOnDisk && hurry(); }
  void sync() {
    check(::fsync(file.get()));
    to_sync = 0;
  }

  const std::string path;
  const std::function<bool()> hurry;
  mode_t mode = 0;
  const Target target;
  std::string final_path;
  Temporary temporary;
  Descriptor file{-1};
  std::size_t bytes = 0, to_sync = 0;  // written; of these not yet flushed
};

NewFile::NewFile(const std::string& path, std::function<bool()> hurry)
    : state_(std::make_unique<State>(path, std::move(hurry))) {}
NewFile::NewFile(NewFile&&) noexcept = default;
NewFile& NewFile::operator=(NewFile&&) noexcept = default;
NewFile::~NewFile() = default;

void NewFile::write(std::string_view bytes) {
  State& state = *state_;
  while (!bytes.empty()) {
    // Flush in pieces, so that a change of hurry takes effect soon.
    if (state.hurry && state.to_sync >= kPiece && state.target != Target::kDevice && !state.hurry()) state.sync();
    const ssize_t n = ::write(state.file.get(), bytes.data(), static_cast<unsigned>(std::min(bytes.size(), kChunk)));
    if (n < 0 && errno == EINTR) continue;
    state.check(n < 0);
    bytes.remove_prefix(static_cast<std::size_t>(n));
    state.bytes += static_cast<std::size_t>(n);
    state.to_sync += static_cast<std::size_t>(n);
  }
}

void NewFile::put_in_place(Before before) {
  State& state = *state_;
  if (state.target == Target::kDevice) return state.check(state.file.close());
  if (!state.in_a_hurry()) state.sync();
  if (const std::error_code error = state.temporary.give_name()) fail("write", state.path, error.value());
  state.check(state.file.close());
  if (before == Before::kIsKept) keep_as(state.final_path, previous_path(state.final_path));
  std::error_code error;
  // Also where rename() does not replace a file.
  std::filesystem::rename(state.temporary.name, state.final_path, error);
  if (error) fail("write", state.path, error.value());
  state.temporary.name.clear();

  if (state.in_a_hurry()) return;
  // The new name reaches the disk with the folder. Some file systems refuse this; the data are safe anyway.
  Descriptor folder(::open(folder_of(state.final_path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) (void)::fsync(folder.get());
}

ScratchFile::ScratchFile(const std::string& beside) : beside_(beside) {
  Temporary file;
  file.open_beside(real_path(beside), O_RDWR);
  if (file.fd < 0) fail("write", beside_, file.error.value());
  fd_ = file.fd;
  name_ = file.name;
}

ScratchFile::~ScratchFile() {
  ::close(fd_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void ScratchFile::write(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  if (::lseek(fd_, static_cast<off_t>(size_), SEEK_SET) < 0) fail("write", beside_, errno);
  for (std::size_t left = bytes; left > 0;) {
    const ssize_t n = ::write(fd_, from, static_cast<unsigned>(std::min(left, kChunk)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", beside_, errno);
    from += n;
    left -= static_cast<std::size_t>(n);
  }
  size_ += bytes;
}

void ScratchFile::read(std::uint64_t from, void* to, std::size_t bytes) const {
  char* at = static_cast<char*>(to);
  if (::lseek(fd_, static_cast<off_t>(from), SEEK_SET) < 0) fail("read", beside_, errno);
  for (std::size_t left = bytes; left > 0;) {
    const ssize_t n = ::read(fd_, at, static_cast<unsigned>(std::min(left, kChunk)));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("read", beside_, n < 0 ? errno : EIO);
    at += n;
    left -= static_cast<std::size_t>(n);
  }
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.put_in_place();
}

void write_file_keeping_previous(const std::string& path, std::string_view bytes, const std::function<bool()>& hurry) {
  NewFile file(path, hurry);
  file.write(bytes);
  file.put_in_place(NewFile::Before::kIsKept);
}

std::string real_path(const std::string& path) {
  std::filesystem::path at(path);
  std::error_code error;
  constexpr int kMostLinks = 40;  // the system's own limit
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(at, error); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(at, error);
    if (error) return path;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  const std::filesystem::path folder = std::filesystem::canonical(folder_of(at.string()), error);
  return error ? at.string() : (folder / at.filename()).string();
}

std::string previous_path(const std::string& path) { return real_path(path) + ".previous"; }
std::string replaced_path(const std::string& path) { return real_path(path) + ".replaced"; }

void keep_replaced(const std::string& path) {
  const std::string newest = real_path(path);
  keep_as(std::filesystem::exists(newest) ? newest : previous_path(path), replaced_path(path));
}

void bring_to_disk(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;  // opening a pipe would count as reading it
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.ok()) (void)::fsync(file.get());
}

void remove_leftovers(const std::string& path) {
  std::error_code error;
  std::filesystem::directory_iterator entries(folder_of(real_path(path)), error), end;
  for (; !error && entries != end; entries.increment(error)) {
    std::error_code removing;
    if (is_left_over(*entries)) std::filesystem::remove(entries->path(), removing);
  }
}

void check_writable(const std::string& path) {
  const Target target = look_at(path);
  if (target != Target::kMissing && ::access(path.c_str(), W_OK) != 0) fail("write", path, errno);
  if (target == Target::kDevice) return;
  const std::string folder = folder_of(real_path(path));
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    throw FileError(fmt::format("cannot write {}: folder {}: {}", path, folder, reason(errno)));
  }
  if (!S_ISDIR(info.st_mode)) throw FileError(fmt::format("cannot write {}: {} is not a folder", path, folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw FileError(fmt::format("cannot write {}: folder {}: {}", path, folder, reason(errno)));
  }
  // In a folder whose own path is nearly as long as paths can be.
  if (::stat(temporary_name(real_path(path), 0).c_str(), &info) != 0 && errno == ENAMETOOLONG)
    fail("write", path, errno);
}

}  // namespace falsum
