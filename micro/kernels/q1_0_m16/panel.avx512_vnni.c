/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens; codes are unpacked to bytes once for all of them: gemm_fields.h.
 */
#include "micro/kernels/q1_0_m16/layout.h"

#define GEMM_IS_512
#include "micro/kernels/gemm_fields.h"

const struct kernel SELF = GEMM_KERNEL("q1_0_m16.lanes.avx512_vnni");
