/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of block_rows.h in registers of 512 bits.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCKS_AVX512_H
#define MICRO_FAMILIES_BLOCKS_BLOCKS_AVX512_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"

/* sums of a row */
typedef __m512 block_floats;

ROWS_INLINE block_floats block_zero(void)
{
    return _mm512_setzero_ps();
}

ROWS_INLINE float block_lanes_sum(block_floats lanes)
{
    return _mm512_reduce_add_ps(lanes);
}

#endif
