#include "kernels/dispatch.h"

#include "falsum/cpu.h"
#include "falsum/error.h"

namespace falsum {

extern const Kernels kScalarKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#elif FALSUM_NEON
extern const Kernels kNeonKernels;
#endif

namespace {

struct KernelSet {
  const Kernels* kernels;
  const char* description;
  bool supported;
};

std::vector<KernelSet> all_sets() {
  std::vector<KernelSet> sets = {{&kScalarKernels, "portable C++, any CPU", true}};
#if defined(__x86_64__)
  sets.push_back({&kAvx2Kernels, "AVX2, 32 automata an instruction",
                  __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")});
  sets.push_back({&kAvx512Kernels, "AVX-512 BW, 64 automata an instruction",
                  __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")});
#elif FALSUM_NEON
  sets.push_back({&kNeonKernels, "NEON, 16 automata an instruction", true});
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
  if (name == "auto") return *supported_kernels().back();
  std::string names = "auto";
  for (const KernelSet& set : all_sets()) {
    if (name == set.kernels->name && set.supported) return *set.kernels;
    if (set.supported) names += std::string(", ") + set.kernels->name;
  }
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
