/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MICRO_SEQUENCES_LANES_STARTS_H
#define MICRO_SEQUENCES_LANES_STARTS_H

#include <stdbool.h>

#include "micro/sequences/blocks.h"

/**
 * What the sum of a group begins with where lanes are rows: `times` its activations, as one sum of 32 bits or as two words, of columns 0 and 1 and of
 * columns 2 and 3 of each four.
 */
static inline void lanes_put_start(uint8_t *bytes, const int8_t *group, uint32_t columns, int32_t times, bool words)
{
    int32_t sums[2] = {0, 0};
    for (uint32_t column = 0; column < columns; column++)
        sums[words ? column % 4 / 2 : 0] += times * group[column];
    if (words) {
        blocks_put_int16(bytes, sums[0]);
        blocks_put_int16(bytes + 2, sums[1]);
    } else {
        blocks_put_int32(bytes, sums[0], 1);
    }
}

#endif
