// The kernel sets compiled in, and which of them this CPU supports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace falsum {

struct KernelSetInfo {
  std::string name;  // "scalar", "avx2+vaes", "neon+aes", ...: a value of --kernels
  std::string description;
  bool supported = false;  // by this CPU
  bool chosen = false;     // the choice of "auto" here
};
std::vector<KernelSetInfo> list_kernel_sets();

std::string cpu_name();
unsigned cpu_cores();             // cores this process may use
std::uint64_t physical_memory();  // bytes of this computer or container; 0 if unknown

std::string_view version();

}  // namespace falsum
