// NEON on AArch64 without the crypto extension (Raspberry Pi 4). Every AArch64 processor has NEON.
#include "kernels/kernels.h"

#if FALSUM_NEON
#include <arm_neon.h>

namespace falsum::neon_tables {
namespace {

#include "kernels/neon_body.h"
//
#include "kernels/table_draws_body.h"
//
#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("neon+tables");

}  // namespace falsum::neon_tables
#endif
