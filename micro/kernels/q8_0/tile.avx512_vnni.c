/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens: blocks of 16 rows are interleaved in scratch; bytes are made unsigned for all tokens of a tile.
 */
#include "micro/kernels/q8_0/codes_512.h"
#include "micro/kernels/q8_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       8
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("q8_0_m16.offset.avx512_vnni");
