/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows by four tokens, blocks as they are stored.
 */
#include "micro/kernels/products_avx2.h"

#define CODE_OFFSET      0
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       8

ROWS_INLINE __m256i byte_codes(__m256i line)
{
    return _mm256_xor_si256(line, _mm256_set1_epi8((char)0x80));
}

#include "micro/kernels/gemm_block32_256.h"

const struct kernel SELF = GEMM_KERNEL("q8_0_m16.sign.avx2");
