/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ2_0 of llama.cpp: ternary weights as 2-bit codes in blocks of 256 of one row, each with a scale.
 *
 *     panel = one row     step, 66 bytes = 256 columns
 *
 *     byte 32 h + m (h < 2, m < 32)   bits 7 6        5 4        3 2        1 0
 *     column, from 128 h on               96 + m     64 + m     32 + m       m
 *     bytes 64, 65                    scale, binary16
 *
 * A weight is scale * (code - 1); 3 is no code. K is a multiple of 256.
 */
#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"

#include <math.h>

enum { SCALE = 64 };

static void put_scale(uint8_t *block, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block + SCALE, &stored, sizeof stored);
}

/** The scale is the largest magnitude; each weight goes to the nearest of -1, 0, 1. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        float most = 0;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            most = fmaxf(most, fabsf(w[i]));
        memset(panel, 0, BLOCK_BYTES);
        put_scale(panel, most);
        for (size_t i = 0; i < BLOCK_COLUMNS; i++) {
            uint32_t code = most > 0 ? (uint32_t)(lroundf(w[i] / most) + 1) : 1;
            panel[i / 128 * 32 + i % 32] |= (uint8_t)(code << i % 128 / 32 * 2);
        }
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    int32_t code = block[column % 256 / 128 * 32 + column % 32] >> column % 128 / 32 * 2 & 3;
    return (double)half_float_at(block + SCALE) * (code - 1);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        for (size_t i = 0; i < SCALE; i++) {
            uint64_t bits = random_bits(random);
            uint32_t byte = 0;
            for (int field = 0; field < 4; field++, bits >>= 16)
                byte = byte << 2 | (uint32_t)((bits & 0xffff) * 3 >> 16);
            panel[i] = (uint8_t)byte;
        }
        put_scale(panel, random_float(random));
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2.0625,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
