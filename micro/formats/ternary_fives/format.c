/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Five ternary weights a byte, 64 rows a panel, for look-ups in tables of 122 entries. A number in balanced ternary is mirrored: turn all digits
 * over, and it and its product with five activations change sign. So the byte has the magnitude, which is the index, and the sign.
 *
 *     step, 64 bytes = 5 columns
 *
 *     byte r   7                                       6 ... 0
 *     row r    1 if 81 w0 + 27 w1 + 9 w2 + 3 w3 + w4   its magnitude, 0 ... 121
 *              is negative
 *
 * The idea, in another order and with tables of words, is lut_mm's.
 */
#include "micro/isa/random.h"
#include "micro/kernel.h"

enum { MOST = 121, SIGN = 0x80 };

static const int32_t powers[STEP_COLUMNS] = {81, 27, 9, 3, 1};

static int32_t number_of(uint8_t byte)
{
    int32_t magnitude = byte & (SIGN - 1);
    return byte & SIGN ? -magnitude : magnitude;
}

static int32_t digit_of(int32_t number, uint32_t column)
{
    return (number + MOST) / powers[column] % 3 - 1;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    uint8_t *byte = panel + (size_t)(column / STEP_COLUMNS) * STEP_BYTES + row;
    int32_t number = number_of(*byte), in = (int32_t)(column % STEP_COLUMNS);
    number += (w - digit_of(number, (uint32_t)in)) * powers[in];
    *byte = (uint8_t)(number < 0 ? SIGN - number : number);
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    uint8_t byte = panel[(size_t)(column / STEP_COLUMNS) * STEP_BYTES + row];
    return digit_of(number_of(byte), column % STEP_COLUMNS);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < k / STEP_COLUMNS * STEP_BYTES; i++) {
        int32_t number = (int32_t)((random_bits(random) >> 32) * (2 * MOST + 1) >> 32) - MOST;
        panel[i] = (uint8_t)(number < 0 ? SIGN - number : number);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 1.6,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .weight_min = -1,
    .weight_max = 1,
    .max_k = INT32_MAX / (2 * 127),
    .put = put,
    .get = get,
    .fill = fill,
};
