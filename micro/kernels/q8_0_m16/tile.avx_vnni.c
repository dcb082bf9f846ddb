/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored.
 */
#include "micro/kernels/products_avx_vnni.h"

#define CODE_OFFSET      128
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       8

ROWS_INLINE __m256i byte_codes(__m256i line)
{
    return line;
}

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q8_0_m16.offset.avx_vnni");
