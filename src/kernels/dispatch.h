// Which kernel sets this computer can run. Separate from kernels.h, since the files compiled for a newer CPU hold no
// standard containers.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace falsum {

/// The kernel sets this CPU can run, slowest first. "scalar" is always among them.
std::vector<const Kernels*> supported_kernels();

/// By name, or the fastest for "auto". An unknown or unsupported name is a ConfigError.
const Kernels& find_kernels(const std::string& name);

}  // namespace falsum
