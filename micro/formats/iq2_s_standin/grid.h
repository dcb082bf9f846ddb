/* SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef MICRO_FORMATS_IQ2_S_STANDIN_GRID_H
#define MICRO_FORMATS_IQ2_S_STANDIN_GRID_H

#include <stdint.h>

/** Byte j of a vector is its magnitude j. The rule is in grid.inc. */
static const uint64_t iq2_s_grid[1024] = {
#define MAGNITUDE(code, j) ((uint64_t)((code) >> 2 * (j)&2 ? 43 : (code) >> 2 * (j)&1 ? 25 : 8) << 8 * (j))
#define HALF(code, j)                                                                                                  \
    (MAGNITUDE(code, j) | MAGNITUDE(code, (j) + 1) | MAGNITUDE(code, (j) + 2) | MAGNITUDE(code, (j) + 3))
#define V(code) HALF(0x##code, 0) | HALF(0x##code, 4),
#include "micro/formats/iq2_s_standin/grid.inc"
#undef MAGNITUDE
#undef HALF
#undef V
};

static inline int32_t iq2_s_magnitude(uint64_t vector, uint32_t j)
{
    return (int32_t)(vector >> 8 * j & 255);
}

/** Squared length, by which the grid is ordered. */
static inline int32_t iq2_s_length(uint64_t vector)
{
    int32_t sum = 0;
    for (uint32_t j = 0; j < 8; j++)
        sum += iq2_s_magnitude(vector, j) * iq2_s_magnitude(vector, j);
    return sum;
}

/** Before another vector in the grid: shorter, or as long and with a smaller first magnitude, second, … */
static inline int iq2_s_before(uint64_t a, uint64_t b)
{
    int32_t longer = iq2_s_length(a) - iq2_s_length(b);
    return longer < 0 || (longer == 0 && __builtin_bswap64(a) < __builtin_bswap64(b));
}

#endif
