/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens, of panels whose codes are unpacked once for all tokens: a group of 32 columns is scaled at a time.
 */
#include "micro/kernels/q4_k_m16/layout.h"

#define GEMM_CODES 1
#include "micro/kernels/gemm_group_scales_avx_vnni.h"

#include "micro/kernels/k_quant_gemm.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("q4_0_m16.offset.avx_vnni");
