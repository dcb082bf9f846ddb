/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the raw sums of a panel to its rows, for the ways the kernels leave them. Small counts that are constants at the
 * call, so the compiler unrolls them.
 */
#ifndef MICRO_KERNELS_FINISH_H
#define MICRO_KERNELS_FINISH_H

#include <stdint.h>

#include "micro/kernel.h"

#define FINISH static inline __attribute__((always_inline, unused)) void

/** The sums are the rows in order. raw[rows] */
FINISH finish_rows(const int32_t *raw, int rows, int32_t correction, int32_t *out)
{
    for (int row = 0; row < rows; row++)
        out[row] = add_wrapping(raw[row], correction);
}

/** Each 512-bit sum holds two groups of columns of the same eight rows in its halves. raw[sums][16] */
FINISH finish_halves(const int32_t *raw, int sums, int32_t correction, int32_t *out)
{
    for (int sum = 0; sum < sums; sum++) {
        for (int row = 0; row < 8; row++)
            out[sum * 8 + row] = add_wrapping(add_wrapping(raw[sum * 16 + row], raw[sum * 16 + 8 + row]), correction);
    }
}

/**
 * Planes that kept their place in the byte: plane p carries its rows times 2^shift[p]. y = scale * rows + correction.
 * raw[planes][lanes]
 */
FINISH finish_planes(const int32_t *raw, int planes, int lanes, const int *shift, int32_t scale, int32_t correction,
                     int32_t *out)
{
    for (int plane = 0; plane < planes; plane++) {
        for (int lane = 0; lane < lanes; lane++)
            out[plane * lanes + lane] = add_wrapping(scale * (raw[plane * lanes + lane] >> shift[plane]), correction);
    }
}

/**
 * Prefix sums: plane p carries itself and all below it, each times 2^(bits * its number); neighbours are subtracted.
 * y = scale * rows + correction. raw[planes][lanes]
 */
FINISH finish_prefix(const int32_t *raw, int planes, int lanes, int bits, int32_t scale, int32_t correction,
                     int32_t *out)
{
    for (int plane = 0; plane < planes; plane++) {
        for (int lane = 0; lane < lanes; lane++) {
            uint32_t below = plane ? (uint32_t)raw[(plane - 1) * lanes + lane] : 0;
            int32_t sum = (int32_t)((uint32_t)raw[plane * lanes + lane] - below);
            out[plane * lanes + lane] = add_wrapping(scale * (sum >> bits * plane), correction);
        }
    }
}

#endif
