/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens; digits are unpacked to bytes once for all of them: ptq1_0/gemm.h.
 */
#include "micro/kernels/ptq1_0_m16/layout.h"

#define GEMM_IS_512
#include "micro/kernels/ptq1_0/gemm.h"

const struct kernel SELF = GEMM_KERNEL("ptq1_0_m16.lanes.avx512_vnni");
