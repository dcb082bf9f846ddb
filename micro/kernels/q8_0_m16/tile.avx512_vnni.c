/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 32 rows by six tokens, blocks as they are stored.
 */
#include "micro/kernels/rows.h"

#include <immintrin.h>

#define CODE_OFFSET      128
#define GEMM_BLOCK_BYTES 0
#define GEMM_LINES       8

ROWS_INLINE __m512i byte_codes(__m512i line)
{
    return line;
}

#include "micro/kernels/gemm_block32_avx512_vnni.h"

const struct kernel SELF = GEMM_KERNEL("q8_0_m16.offset.avx512_vnni");
