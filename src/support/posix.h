// The POSIX calls that we use for files, and their replacements on Windows: the only place that knows the difference.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#if !defined(_WIN32)

#include <unistd.h>

#else

#include <io.h>
#include <process.h>

#undef stat
#undef fstat
#undef X_OK
#define stat _stat64  // sizes of 64 bits: the structure and the function
#define fstat _fstat64
#define X_OK 0                                // a visible folder can always be searched
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)  // bytes are bytes
#define O_DIRECTORY 0                         // a folder cannot be opened, and need not be

inline int fsync(int fd) { return _commit(fd); }
inline int fchmod(int /*fd*/, mode_t /*mode*/) { return 0; }

#endif
