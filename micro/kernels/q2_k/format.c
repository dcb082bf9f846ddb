/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q2_K of llama.cpp: 2-bit codes in blocks of 256 of one row, with a scale and a minimum for each 16 columns.
 *
 *     panel = one row     step, 84 bytes = 256 columns
 *
 *     byte g (g < 16)                      bits 7 6 5 4     3 2 1 0
 *     of columns 16 g … 16 g + 15               minimum       scale
 *     byte 16 + 32 h + m (h < 2, m < 32)   bits 7 6        5 4        3 2        1 0
 *     column, from 128 h on                    96 + m     64 + m     32 + m       m
 *     bytes 80, 81                         d, binary16: of the scales
 *     bytes 82, 83                         dmin, binary16: of the minima
 *
 * A weight is d * scale * code - dmin * minimum. K is a multiple of 256.
 */
#include "micro/kernel.h"
#include "micro/kernels/half.h"
#include "micro/kernels/q2_k/layout.h"
#include "micro/kernels/random.h"

#include <math.h>

enum { GROUP = 16, GROUPS = 16 };

static void put_half(uint8_t *at, float value)
{
    uint16_t stored = half_from_float(value);
    memcpy(at, &stored, sizeof stored);
}

static float half_at(const uint8_t *at)
{
    uint16_t stored;
    memcpy(&stored, at, sizeof stored);
    return half_to_float(stored);
}

/** What a group of weights wants: w ~ step * code - minimum, step and minimum not negative. */
static void range_of(const float *w, float *step, float *minimum)
{
    float least = 0, most = 0;
    for (size_t i = 0; i < GROUP; i++) {
        least = fminf(least, w[i]);
        most = fmaxf(most, w[i]);
    }
    *step = (most - least) / 3;
    *minimum = -least;
}

static uint32_t nearest(float value, float unit, float most)
{
    return unit > 0 ? (uint32_t)fmaxf(0, fminf(most, roundf(value / unit))) : 0;
}

static void pack_codes(const float *w, uint8_t *block)
{
    for (size_t i = 0; i < BLOCK_COLUMNS; i++) {
        uint32_t group = block[i / GROUP];
        float step = half_at(block + D) * (float)(group & 15), minimum = half_at(block + DMIN) * (float)(group >> 4);
        block[CODES + i / 128 * 32 + i % 32] |= (uint8_t)(nearest(w[i] + minimum, step, 3) << i % 128 / 32 * 2);
    }
}

/** The ranges of the groups, to the nearest of 15 parts of the largest; then each weight to the nearest code. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        float step[GROUPS], minimum[GROUPS], step_most = 0, minimum_most = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            range_of(w + g * GROUP, &step[g], &minimum[g]);
            step_most = fmaxf(step_most, step[g]);
            minimum_most = fmaxf(minimum_most, minimum[g]);
        }
        memset(panel, 0, BLOCK_BYTES);
        put_half(panel + D, step_most / 15);
        put_half(panel + DMIN, minimum_most / 15);
        for (size_t g = 0; g < GROUPS; g++)
            panel[g] =
                (uint8_t)(nearest(step[g], step_most / 15, 15) | nearest(minimum[g], minimum_most / 15, 15) << 4);
        pack_codes(w, panel);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    uint32_t group = block[column % 256 / GROUP];
    uint32_t code = block[CODES + column % 256 / 128 * 32 + column % 32] >> column % 128 / 32 * 2 & 3;
    return (double)half_at(block + D) * ((group & 15) * code) - (double)half_at(block + DMIN) * (group >> 4);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        random_bytes(panel, D, random);
        put_half(panel + D, random_float(random) / 15);
        put_half(panel + DMIN, random_float(random) / 15);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2.625,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
