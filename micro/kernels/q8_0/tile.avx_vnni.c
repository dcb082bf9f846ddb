/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are interleaved in scratch; bytes are made unsigned for all tokens of a tile.
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/q8_0/codes_256.h"
#include "micro/kernels/q8_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       8
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q8_0_m16.offset.avx_vnni");
