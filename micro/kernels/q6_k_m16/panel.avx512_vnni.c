/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, of panels whose codes are unpacked once for all tokens.
 */
#include "micro/kernels/gemm_group_scales_avx512_vnni.h"

#include "micro/kernels/q6_k_m16/unpack.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("q6_k_m16.lanes.avx512_vnni");
