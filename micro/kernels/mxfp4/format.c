/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MXFP4 [OCP Microscaling Formats 1.0] as GGUF files have it: 4-bit floats e2m1 in blocks of 32 of one row, each with a scale.
 *
 *     panel = one row     step, 17 bytes = 32 columns
 *
 *     byte 0                  e, of the scale 2^(e - 127)
 *     byte 1 + m (m < 16)     bits 7 6 5 4     3 2 1 0
 *     column                       16 + m            m
 *
 * A weight is scale * value, of 0, 0.5, 1, 1.5, 2, 3, 4, 6 and with bit 3 of the code their negatives. K is a multiple of 32.
 */
#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/mxfp4/layout.h"
#include "micro/kernels/mxfp4/scale.h"
#include "micro/kernels/random.h"

enum { CODES = 1, VALUES = 16 };

static const int8_t twice[VALUES] = {MXFP4_TWICE};

static uint32_t nearest(double doubled)
{
    uint32_t best = 0;
    for (uint32_t code = 1; code < VALUES; code++) {
        if (fabs(doubled - twice[code]) < fabs(doubled - twice[best]))
            best = code;
    }
    return best;
}

/** The scale that leaves the largest magnitude its exponent of 4 to 6, as the standard has it; then the nearest values. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        float most = 0;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            most = fmaxf(most, fabsf(w[i]));
        int e = most > 0 ? ilogbf(most) - 2 + 127 : 0;
        e = e < 0 ? 0 : e;
        memset(panel, 0, BLOCK_BYTES);
        panel[0] = (uint8_t)e;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            panel[CODES + i % 16] |= (uint8_t)(nearest(ldexp((double)w[i], 128 - e)) << i / 16 * 4);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    return ldexp(twice[block[CODES + column % 16] >> column % 32 / 16 * 4 & 15], block[0] - 128);
}

/** Scales 2^-8 … 2^-1. */
static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        panel[0] = (uint8_t)(119 + random_bits(random) % 8);
        random_bytes(panel + CODES, BLOCK_BYTES - CODES, random);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 4.25,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
