/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Q8_0 of llama.cpp: int8 codes in blocks of 32 of one row, each with a scale.
 *
 *     panel = one row     step, 34 bytes = 32 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 32)     code of column m, two's complement
 *
 * A weight is scale * code. K is a multiple of 32.
 */
#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/half.h"
#include "micro/kernels/q8_0/layout.h"
#include "micro/kernels/random.h"

enum { CODES = 2 };

static void put_scale(uint8_t *block, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block, &stored, sizeof stored);
}

/** The largest magnitude becomes 127 scales; each weight the nearest code. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        float most = 0;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            most = fmaxf(most, fabsf(w[i]));
        float scale = most / 127;
        put_scale(panel, scale);
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            panel[CODES + i] = (uint8_t)(int8_t)(most > 0 ? roundf(w[i] / scale) : 0);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    uint16_t scale;
    memcpy(&scale, block, sizeof scale);
    return (double)half_to_float(scale) * (int8_t)block[CODES + column % BLOCK_COLUMNS];
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        put_scale(panel, random_float(random) / 16);
        random_bytes(panel + CODES, BLOCK_BYTES - CODES, random);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 8.5,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
