/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, of panels whose values are looked up once for all tokens.
 */
#include "micro/kernels/cb3/layout.h"

#include "micro/kernels/gemm_group_scales_avx512_vnni.h"

#include "micro/kernels/gemm_codebooks.h"

const struct kernel SELF = GEMM_GROUP_SCALES_KERNEL("cb3.codebook.avx512_vbmi_vnni");
