/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens: blocks of 16 rows are interleaved in scratch to those of q4_0_m16.
 */
#include "micro/kernels/products_words_avx2.h"
#include "micro/kernels/q4_0/codes_256.h"
#include "micro/kernels/q4_0/layout.h"

#define GEMM_BLOCK_BYTES BLOCK_BYTES
#define GEMM_LINES       4
#include "micro/kernels/gemm_interleave_block32.h"

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx2");
