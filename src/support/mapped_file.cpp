#include "support/mapped_file.h"

#include "falsum/error.h"
#include "support/file.h"
#include "support/format.h"
#include "support/posix.h"

#if !defined(_WIN32)
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#endif

namespace falsum {

#if defined(_WIN32)

MappedFile::MappedFile(const std::string& path) : read_(read_file(path)) { bytes_ = read_; }
MappedFile::~MappedFile() = default;
void advise(std::string_view /*bytes*/, Advice /*advice*/) {}

#else

MappedFile::MappedFile(const std::string& path) {
  const auto fail = [&](const std::string& why) { throw FileError(fmt::format("cannot read {}: {}", path, why)); };
  const auto reason = [] { return std::generic_category().message(errno); };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(reason());
  struct stat info {};
  void* mapped = nullptr;
  std::string problem;
  if (::fstat(fd, &info) != 0) {
    problem = reason();
  } else if (!S_ISREG(info.st_mode)) {
    problem = S_ISDIR(info.st_mode) ? "it is a folder" : "it is not a regular file";
  } else if (info.st_size > 0) {  // nothing cannot be mapped
    mapped = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) problem = reason();
  }
  ::close(fd);
  if (!problem.empty()) fail(problem);
  bytes_ = {static_cast<const char*>(mapped), static_cast<std::size_t>(info.st_size)};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) (void)::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void advise(std::string_view bytes, Advice wanted) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
  if (first == end) return;
  const int advice = wanted == Advice::kSequential ? MADV_SEQUENTIAL
                     : wanted == Advice::kRandom   ? MADV_RANDOM
                     : wanted == Advice::kSoon     ? MADV_WILLNEED
                                                   : MADV_DONTNEED;
  (void)::madvise(reinterpret_cast<void*>(first), end - first, advice);
}

#endif

}  // namespace falsum
