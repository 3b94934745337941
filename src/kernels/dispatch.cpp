#include "kernels/dispatch.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "falsum/cpu.h"
#include "falsum/error.h"

namespace falsum {

// One for each source file of a set.
namespace scalar {
extern const Kernels kKernels;
}
#if defined(__x86_64__)
namespace avx2_tables {
extern const Kernels kKernels;
}
namespace avx2_aes {
extern const Kernels kKernels;
}
namespace avx2_vaes {
extern const Kernels kKernels;
}
namespace avx512_aes {
extern const Kernels kKernels;
}
namespace avx512_vaes {
extern const Kernels kKernels;
}
#elif FALSUM_NEON
namespace neon_tables {
extern const Kernels kKernels;
}
namespace neon_aes {
extern const Kernels kKernels;
}
#endif

namespace {

struct KernelSet {
  const Kernels* kernels;
  const char* description;
  bool supported;
};

#if defined(__x86_64__)
bool has_vaes() {  // __builtin_cpu_supports() of clang 14 does not know it
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c >> 9 & 1) != 0;
}
#elif FALSUM_NEON
bool has_aes() {
#if defined(__APPLE__)
  return true;
#elif defined(__linux__)
  return (getauxval(AT_HWCAP) & HWCAP_AES) != 0;
#else
  return false;
#endif
}
#endif

std::vector<KernelSet> all_sets() {
  std::vector<KernelSet> sets = {{&scalar::kKernels, "portable C++, any CPU", true}};
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  const bool aes = __builtin_cpu_supports("aes"), vaes = aes && has_vaes();
  const bool vbmi = __builtin_cpu_supports("avx512vbmi");
  sets.push_back({&avx2_tables::kKernels, "AVX2, 32 automata an instruction; draws by tables", avx2});
  sets.push_back({&avx2_aes::kKernels, "AVX2; draws with AES, 16 bytes an instruction", avx2 && aes});
  sets.push_back({&avx2_vaes::kKernels, "AVX2; draws with VAES, 32 bytes", avx2 && vaes});
  sets.push_back({&avx512_aes::kKernels, "AVX-512 BW, 64 automata an instruction; draws with AES", avx512 && aes});
  sets.push_back({&avx512_vaes::kKernels, "AVX-512 BW; draws with VAES, 64 bytes", avx512 && vaes && vbmi});
#elif FALSUM_NEON
  sets.push_back({&neon_tables::kKernels, "NEON, 16 automata an instruction; draws by tables", true});
  sets.push_back({&neon_aes::kKernels, "NEON; draws with AES, 16 bytes an instruction", has_aes()});
#endif
  return sets;
}

}  // namespace

std::vector<const Kernels*> supported_kernels() {
  std::vector<const Kernels*> kernels;
  for (const KernelSet& set : all_sets()) {
    if (set.supported) kernels.push_back(set.kernels);
  }
  return kernels;
}

const Kernels& find_kernels(const std::string& name) {
  const std::vector<const Kernels*> sets = supported_kernels();
  if (name == "auto") return *sets.back();
  for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
    const std::string full = (*set)->name;
    if (name == full || name == full.substr(0, full.find('+'))) return **set;
  }
  std::string names = "auto";
  for (const Kernels* set : sets) names += std::string(", ") + set->name;
  throw ConfigError("kernels must be one of " + names + " on this CPU, got " + name);
}

std::vector<KernelSetInfo> list_kernel_sets() {
  const std::string best = supported_kernels().back()->name;
  std::vector<KernelSetInfo> infos;
  for (const KernelSet& set : all_sets()) {
    infos.push_back({set.kernels->name, set.description, set.supported, set.kernels->name == best});
  }
  return infos;
}

}  // namespace falsum
