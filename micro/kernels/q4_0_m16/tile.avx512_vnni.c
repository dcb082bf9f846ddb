/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored.
 */
#include "micro/kernels/q4_0/codes_512.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx512_vnni");
