/* SPDX-License-Identifier: BSD-3-Clause
 *
 * I2_S of bitnet.cpp: ternary weights as 2-bit codes, row by row, one scale for the tensor (part of the output scale).
 *
 *     panel = one row     step, 32 bytes = 128 columns
 *
 *     byte m     bits 7 6   5 4    3 2    1 0
 *     column          m    32+m   64+m   96+m
 *
 * A code is w + 1; 3 is no weight. K is a multiple of 128.
 */
#include "micro/isa/random.h"
#include "micro/kernel.h"

static uint32_t shift_of(uint32_t column)
{
    return 6 - column % 128 / 32 * 2;
}

static void put(uint8_t *panel, uint32_t row, uint32_t column, int32_t w)
{
    (void)row;
    uint8_t *byte = &panel[column / 128 * 32 + column % 32];
    *byte = (uint8_t)((*byte & ~(3u << shift_of(column))) | (uint32_t)(w + 1) << shift_of(column));
}

static int32_t get(const uint8_t *panel, uint32_t row, uint32_t column)
{
    (void)row;
    return (panel[column / 128 * 32 + column % 32] >> shift_of(column) & 3) - 1;
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < k / 4; i++) {
        uint64_t bits = random_bits(random);
        uint32_t byte = 0;
        for (int field = 0; field < 4; field++, bits >>= 16)
            byte = byte << 2 | (uint32_t)((bits & 0xffff) * 3 >> 16);
        panel[i] = (uint8_t)byte;
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 2,
    .rows_per_panel = ROWS,
    .k_per_step = STEP_COLUMNS,
    .step_bytes = STEP_BYTES,
    .k_multiple = 128,
    .weight_min = -1,
    .weight_max = 1,
    .activation_offset = 1,
    /* four times the sum of codes up to 3 is what mask.avx2 adds up */
    .max_k = 1 << 20,
    .put = put,
    .get = get,
    .fill = fill,
};
