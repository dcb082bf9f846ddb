/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are brought into the order of q4_0_m16 in scratch, once for all tokens.
 */
#include "micro/kernels/q4_0/codes_512.h"
#include "micro/kernels/q4_0_4x8/layout.h"

#include "micro/kernels/gemm_interleave_chunks.h"

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx512_vnni");
