/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens: codes are unpacked once for all tokens, and half a group of 32 columns is scaled at a time.
 */
#include "micro/kernels/q4_k/layout.h"

#define GEMM_CODES 1
#include "micro/kernels/gemm_group_scales_avx2.h"

#include "micro/kernels/k_quant_gemm.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("q4_k.reference.avx2");
