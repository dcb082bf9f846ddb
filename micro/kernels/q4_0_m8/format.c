/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q4_0 of eight rows, interleaved in chunks of eight bytes as llama.cpp repacks them at run time for 256-bit
 * registers ("8 x 8"): a register holds eight bytes of each of four rows.
 *
 *     panel = 8 rows     step, 144 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 8)                scale of row r, binary16
 *     byte 16 + 64 h + 8 r + b (h < 2, b < 8)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 8 h + b        8 h + b
 *
 * A nibble is the weight over the scale in two's complement: bit 3 of Q4_0's code, which is 8 more, turned over.
 * K is a multiple of 32.
 */
#include "micro/kernels/q4_0_m8/layout.h"

#include <math.h>

#include "micro/kernel.h"
#include "micro/kernels/half.h"
#include "micro/kernels/random.h"

enum { SIGN = 8 };

static void put_scale(uint8_t *block, uint32_t row, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block + 2 * row, &stored, sizeof stored);
}

/** Byte and shift of the code of a row's column within its block. */
static size_t place_of(uint32_t row, uint32_t column, uint32_t *shift)
{
    *shift = column / 16 * 4;
    return BLOCK_CODES + column % 16 / 8 * 64 + 8 * row + column % 8;
}

/** The weight of the largest magnitude becomes code 0, which is -8 scales; the others the nearest code: as in q4_0. */
static void pack_row(const float *w, uint8_t *block, uint32_t row)
{
    float most = 0;
    for (size_t i = 0; i < BLOCK_COLUMNS; i++)
        most = fabsf(w[i]) > fabsf(most) ? w[i] : most;
    float scale = most / -8;
    put_scale(block, row, scale);
    for (uint32_t i = 0; i < BLOCK_COLUMNS; i++) {
        uint32_t shift;
        size_t byte = place_of(row, i, &shift);
        float code = most != 0 ? roundf(w[i] / scale) + 8 : 8;
        block[byte] |= (uint8_t)(((uint32_t)fminf(code, 15) ^ SIGN) << shift);
    }
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    memset(panel, 0, k / BLOCK_COLUMNS * BLOCK_BYTES);
    for (uint32_t row = 0; row < BLOCK_ROWS; row++) {
        for (size_t block = 0; block < k / BLOCK_COLUMNS; block++)
            pack_row(w + row * k + block * BLOCK_COLUMNS, panel + block * BLOCK_BYTES, row);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    const uint8_t *block = panel + (size_t)(column / BLOCK_COLUMNS) * BLOCK_BYTES;
    uint16_t scale;
    uint32_t shift;
    memcpy(&scale, block + 2 * row, sizeof scale);
    size_t byte = place_of(row, column % BLOCK_COLUMNS, &shift);
    return (double)half_to_float(scale) * ((int32_t)((block[byte] >> shift & 15u) ^ SIGN) - 8);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (; k > 0; k -= BLOCK_COLUMNS, panel += BLOCK_BYTES) {
        for (uint32_t row = 0; row < BLOCK_ROWS; row++)
            put_scale(panel, row, random_float(random));
        random_bytes(panel + BLOCK_CODES, BLOCK_BYTES - BLOCK_CODES, random);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 4.5,
    .rows_per_panel = BLOCK_ROWS,
    .k_per_step = BLOCK_COLUMNS,
    .step_bytes = BLOCK_BYTES,
    .k_multiple = BLOCK_COLUMNS,
    .max_k = 1 << 24,
    .pack = pack,
    .weight = weight,
    .fill = fill,
};
