// What is allocated and not yet freed, counted exactly: linked with live_bytes.cpp a program counts every malloc, new,
// aligned allocation and mmap of all its threads. The allocator's own figures (mallinfo2) have in them what it keeps
// back for the threads, and the system's (resident) all that was ever freed and not given back. For glibc.
#pragma once

#include <cstdint>

namespace falsum::bench {

std::uint64_t live_bytes();

}  // namespace falsum::bench
