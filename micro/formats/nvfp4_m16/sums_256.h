/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of block_rows.h of 16 rows, in two registers of 256 bits.
 */
#ifndef MICRO_FORMATS_NVFP4_M16_SUMS_256_H
#define MICRO_FORMATS_NVFP4_M16_SUMS_256_H

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

typedef struct {
    __m256 half[2];
} block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return (block_floats){{_mm256_setzero_ps(), _mm256_setzero_ps()}};
}

ROWS_INLINE void block_store(float *out, block_floats sum)
{
    _mm256_storeu_ps(out, sum.half[0]);
    _mm256_storeu_ps(out + 8, sum.half[1]);
}

#endif
