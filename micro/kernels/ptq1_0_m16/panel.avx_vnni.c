/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens; digits are unpacked to bytes once for all of them: ptq1_0/gemm.h.
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/ptq1_0_m16/layout.h"

#include "micro/kernels/ptq1_0/gemm.h"

const struct kernel SELF = GEMM_KERNEL("ptq1_0_m16.lanes.avx_vnni");
