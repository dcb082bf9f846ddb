/* SPDX-License-Identifier: BSD-3-Clause
 *
 * IQ4_NL of llama.cpp: 4-bit codes in blocks of 32 of one row, each with a scale; the codes number the values of a codebook.
 *
 *     panel = one row     step, 18 bytes = 32 columns
 *
 *     bytes 0, 1              scale, binary16
 *     byte 2 + m (m < 16)     bits 7 6 5 4     3 2 1 0
 *     column                       16 + m            m
 *
 * A weight is scale * codebook[code]. K is a multiple of 32.
 */
#include <math.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/kernels/half.h"
#include "micro/kernels/iq4_nl/codebook.h"
#include "micro/kernels/iq4_nl/layout.h"
#include "micro/kernels/random.h"

enum { CODES = 2, VALUES = 16 };

static const int8_t codebook[VALUES] = {IQ4_NL_CODEBOOK};

static void put_scale(uint8_t *block, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block, &stored, sizeof stored);
}

static uint32_t nearest(float value)
{
    uint32_t best = 0;
    for (uint32_t code = 1; code < VALUES; code++) {
        if (fabsf(value - (float)codebook[code]) < fabsf(value - (float)codebook[best]))
            best = code;
    }
    return best;
}

/** The weight of the largest magnitude becomes code 0, which is -127 scales; the others the nearest value. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        float most = 0;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            most = fabsf(w[i]) > fabsf(most) ? w[i] : most;
        float scale = most / (float)codebook[0];
        memset(panel, 0, BLOCK_BYTES);
        put_scale(panel, scale);
        for (size_t i = 0; i < BLOCK_COLUMNS; i++) {
            uint32_t code = nearest(most != 0 ? w[i] / scale : 0);
            panel[CODES + i % 16] |= (uint8_t)(code << i / 16 * 4);
        }
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    uint16_t scale;
    memcpy(&scale, block, sizeof scale);
    return (double)half_to_float(scale) * codebook[block[CODES + column % 16] >> column % 32 / 16 * 4 & 15];
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
    .bits = 4.5,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
