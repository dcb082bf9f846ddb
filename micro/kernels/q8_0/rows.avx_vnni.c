/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four rows side by side: vpxor adds 128 to the codes, which vpdpbusd wants unsigned. 7 vector uops of a block of 32 (the scale is 3).
 */
#include "micro/kernels/products_avx_vnni.h"
#include "micro/kernels/q8_0/layout.h"

#define CODE_OFFSET 128
#define ROW_CODES   2

ROWS_INLINE __m256i byte_codes(__m256i line)
{
    return _mm256_xor_si256(line, _mm256_set1_epi8((char)0x80));
}

#include "micro/kernels/block32_rows.h"

const struct kernel SELF = BLOCK32_ROWS_KERNEL;
