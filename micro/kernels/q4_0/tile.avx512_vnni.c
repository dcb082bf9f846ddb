/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch to those of q4_0_m16.
 */
#include "micro/kernels/q4_0/codes_512.h"
#include "micro/kernels/q4_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       4
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("q4_0.blocks16.avx512_vnni");
