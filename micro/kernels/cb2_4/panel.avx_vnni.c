/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 8 rows by four tokens, of panels whose values are looked up once for all tokens.
 */
#include "micro/kernels/cb2_4/layout.h"

#include "micro/kernels/gemm_group_scales_avx_vnni.h"

#include "micro/kernels/gemm_codebooks.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("cb2_4.codebook.avx_vnni");
