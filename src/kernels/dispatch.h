// Which kernel sets this computer can run. Separate from kernels.h, since the files compiled for a newer CPU hold no
// standard containers.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace falsum {

/// The kernel sets this CPU can run, slowest first. "scalar" is always among them.
std::vector<const Kernels*> supported_kernels();

/// By name; the fastest for "auto", the fastest whose name begins with this for "avx2", "avx512" or "neon". An unknown
/// or unsupported name is a ConfigError.
const Kernels& find_kernels(const std::string& name);

}  // namespace falsum
