/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How blocks with scales and minima are quantized: the range of a group of weights, and numbers to the nearest of a unit.
 */
#ifndef MICRO_FAMILIES_BLOCKS_BLOCK_RANGE_H
#define MICRO_FAMILIES_BLOCKS_BLOCK_RANGE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/** What a group of weights needs: w ~ step * code - minimum of codes 0 … most; step and minimum not negative; no zero has a sign. */
static inline void block_range(const float *w, size_t count, float most_code, float *step, float *minimum)
{
    float least = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        if (w[i] < least)
            least = w[i];
        if (w[i] > most)
            most = w[i];
    }
    *step = (most - least) / most_code;
    *minimum = 0 - least;
}

/** value in units, 0 … most; 0 of no unit. */
static inline uint32_t block_nearest(float value, float unit, float most)
{
    return unit > 0 ? (uint32_t)fmaxf(0, fminf(most, roundf(value / unit))) : 0;
}

#endif
