/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the raw sums of a panel to its rows, for the ways the kernels leave them. Small counts that are constants at the
 * call, so the compiler unrolls them. In vectors: at -O2 gcc leaves such loops a row at a time, 100 ns for 128 rows, which
 * the memory spends idle.
 */
#ifndef MICRO_FRAMES_FINISH_H
#define MICRO_FRAMES_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "micro/kernel.h"

#define FINISH static inline __attribute__((always_inline, unused)) void

#ifdef __aarch64__
enum { FINISH_TOGETHER = 4 };
#else
enum { FINISH_TOGETHER = 8 };
#endif

/* this many rows at any address, unsigned since they wrap; and with their sign, for shifts */
typedef uint32_t finish_vector __attribute__((vector_size(4 * FINISH_TOGETHER), aligned(4), may_alias));
typedef int32_t finish_signed __attribute__((vector_size(4 * FINISH_TOGETHER), aligned(4), may_alias));

#define FINISH_LOAD(from)          (*(const finish_vector *)(const void *)(from))
#define FINISH_STORE(to, vector)   (*(finish_vector *)(void *)(to) = (vector))
#define FINISH_SHIFT(vector, bits) ((finish_vector)((finish_signed)(vector) >> (bits)))

/** The sums are the rows in order. raw[rows], rows a multiple of 8 */
FINISH finish_rows(const int32_t *raw, int rows, int32_t correction, int32_t *out)
{
    for (int row = 0; row < rows; row += FINISH_TOGETHER)
        FINISH_STORE(out + row, FINISH_LOAD(raw + row) + (uint32_t)correction);
}

/** Each 512-bit sum holds two groups of columns of the same eight rows in its halves. raw[sums][16] */
FINISH finish_halves(const int32_t *raw, int sums, int32_t correction, int32_t *out)
{
    for (int sum = 0; sum < sums; sum++)
        FINISH_STORE(out + sum * 8,
                     FINISH_LOAD(raw + sum * 16) + FINISH_LOAD(raw + sum * 16 + 8) + (uint32_t)correction);
}

/**
 * Planes that kept their place in the byte: plane p carries its rows times 2^shift[p]. y = scale * rows + correction.
 * raw[planes][lanes]
 */
FINISH finish_planes(const int32_t *raw, int planes, int lanes, const int *shift, int32_t scale, int32_t correction,
                     int32_t *out)
{
    for (int plane = 0; plane < planes; plane++) {
        for (int row = plane * lanes; row < (plane + 1) * lanes; row += FINISH_TOGETHER)
            FINISH_STORE(out + row,
                         FINISH_SHIFT(FINISH_LOAD(raw + row), shift[plane]) * (uint32_t)scale + (uint32_t)correction);
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
        for (int row = plane * lanes; row < (plane + 1) * lanes; row += FINISH_TOGETHER) {
            finish_vector sum = FINISH_LOAD(raw + row);
            if (plane)
                sum -= FINISH_LOAD(raw + row - lanes);
            FINISH_STORE(out + row, FINISH_SHIFT(sum, bits * plane) * (uint32_t)scale + (uint32_t)correction);
        }
    }
}

/**
 * Of a step that is several registers, each with all planes, the registers one after the other: register r of a plane has the rows from
 * plane * registers * lanes + r * lanes on. Planes kept their place, shift[plane] bits; with `prefix` plane p carries all below it as
 * well. y = scale * rows + correction. raw[registers][planes][lanes]
 */
FINISH finish_registers(const int32_t *raw, int registers, int planes, int lanes, const int *shift, bool prefix,
                        int32_t scale, int32_t correction, int32_t *out)
{
    for (int r = 0; r < registers; r++) {
        for (int plane = 0; plane < planes; plane++, raw += lanes) {
            int32_t *rows = out + (plane * registers + r) * lanes;
            for (int lane = 0; lane < lanes; lane += FINISH_TOGETHER) {
                finish_vector sum = FINISH_LOAD(raw + lane);
                if (prefix && plane)
                    sum -= FINISH_LOAD(raw + lane - lanes);
                FINISH_STORE(rows + lane, FINISH_SHIFT(sum, shift[plane]) * (uint32_t)scale + (uint32_t)correction);
            }
        }
    }
}

#endif
