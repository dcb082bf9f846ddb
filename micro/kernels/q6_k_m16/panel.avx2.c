/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens, of panels whose codes are unpacked once for all tokens.
 */
#include "micro/kernels/gemm_group_scales_avx2.h"

#include "micro/kernels/q6_k_m16/unpack.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("q6_k.reference.avx2");
