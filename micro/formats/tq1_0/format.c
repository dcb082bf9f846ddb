/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 of llama.cpp: five ternary weights a byte in blocks of 256 of one row, each with a scale.
 *
 *     panel = one row     step, 54 bytes = 256 columns
 *
 *     byte m < 32                5 digits   digit n is column       32 n + m
 *     byte 32 + m (m < 16)       5 digits   digit n is column 160 + 16 n + m
 *     byte 48 + m (m < 4)        4 digits   digit n is column 240 +  4 n + m
 *     bytes 52, 53               scale, binary16
 *
 * A byte is the fraction byte / 256 in base 3, rounded up, digit 0 the first after the point: multiply by 3, and the
 * digit is what overflows. A weight is scale * (digit - 1). K is a multiple of 256.
 */
#include "micro/isa/half.h"
#include "micro/isa/random.h"
#include "micro/kernel.h"

#include <math.h>

enum { SCALE = 52, DIGITS = 5 };

/** Where a column of a block is. */
struct place {
    uint32_t byte, digit;
};

static struct place place_of(uint32_t column)
{
    if (column < 160)
        return (struct place){column % 32, column / 32};
    if (column < 240)
        return (struct place){32 + column % 16, (column - 160) / 16};
    return (struct place){48 + column % 4, (column - 240) / 4};
}

static void put_scale(uint8_t *block, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block + SCALE, &stored, sizeof stored);
}

/** numbers[SCALE] of five digits each, in base 3, digit 0 the most significant. */
static void put_numbers(uint8_t *block, const uint8_t *numbers)
{
    for (size_t i = 0; i < SCALE; i++)
        block[i] = (uint8_t)((numbers[i] * 256u + 242) / 243);
}

/** The scale is the largest magnitude; each weight goes to the nearest of -1, 0, 1. */
static void pack(const float *w, size_t k, uint8_t *panel)
{
    static const uint8_t powers[DIGITS] = {81, 27, 9, 3, 1};
    for (; k > 0; k -= BLOCK_COLUMNS, w += BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        uint8_t numbers[SCALE] = {0};
        float most = 0;
        for (size_t i = 0; i < BLOCK_COLUMNS; i++)
            most = fmaxf(most, fabsf(w[i]));
        for (uint32_t i = 0; i < BLOCK_COLUMNS; i++) {
            struct place place = place_of(i);
            uint32_t digit = most > 0 ? (uint32_t)(lroundf(w[i] / most) + 1) : 1;
            numbers[place.byte] = (uint8_t)(numbers[place.byte] + digit * powers[place.digit]);
        }
        put_numbers(panel, numbers);
        put_scale(panel, most);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k, (void)row;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    struct place place = place_of(column % BLOCK_COLUMNS);
    uint32_t fraction = block[place.byte];
    for (uint32_t n = 0; n < place.digit; n++)
        fraction = fraction * 3 % 256;
    return (double)half_float_at(block + SCALE) * ((int32_t)(fraction * 3 / 256) - 1);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        uint8_t numbers[SCALE];
        for (size_t i = 0; i < SCALE; i++) {
            uint32_t number = (uint32_t)((random_bits(random) >> 32) * 243 >> 32);
            numbers[i] = (uint8_t)(i < 48 ? number : number / 3 * 3);
        }
        put_numbers(panel, numbers);
        put_scale(panel, random_float(random));
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 1.6875,
    .rows_per_panel = 1,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
