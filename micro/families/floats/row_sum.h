/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the float sums of one row to its result: pairs, so that rounding stays that of the partial sums, and in
 * registers: a loop over an array leaves a chain through memory and a mispredicted branch for each halving, some 100 ns
 * for four rows, which the memory spends idle.
 */
#ifndef MICRO_FAMILIES_FLOATS_ROW_SUM_H
#define MICRO_FAMILIES_FLOATS_ROW_SUM_H

#include "micro/families/blocks/blocks_avx2.h"

/** raw[lanes], lanes 8, 16 or 32. */
static inline __attribute__((always_inline)) float row_sum(const float *raw, int lanes)
{
    __m256 sum = _mm256_loadu_ps(raw);
    if (lanes >= 16)
        sum = _mm256_add_ps(sum, _mm256_loadu_ps(raw + 8));
    if (lanes == 32)
        sum = _mm256_add_ps(sum, _mm256_add_ps(_mm256_loadu_ps(raw + 16), _mm256_loadu_ps(raw + 24)));
    return block_lanes_sum(sum);
}

#endif
