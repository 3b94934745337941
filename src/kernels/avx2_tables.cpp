// AVX2 on a processor, or in a virtual machine, without instructions for AES.
#include "kernels/kernels.h"

#if defined(__AVX2__)
#include <immintrin.h>

namespace falsum::avx2_tables {
namespace {

#include "kernels/avx2_body.h"
//
#include "kernels/table_draws_body.h"
//
#include "kernels/dense_body.h"
#include "kernels/table_body.h"

}  // namespace

extern const Kernels kKernels;
const Kernels kKernels = table("avx2+tables");

}  // namespace falsum::avx2_tables
#endif
