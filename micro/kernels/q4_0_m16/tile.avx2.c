/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored. Of a block and a token 8 rows take 8 vpmaddubsw, 7 additions of words, one vpmaddwd
 * that makes them 32 bits, and the offset, conversion and scales.
 */
#include "micro/kernels/products_words_avx2.h"
#include "micro/kernels/q4_0/codes_256.h"

#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       4
#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q4_0_m16.offset.avx2");
