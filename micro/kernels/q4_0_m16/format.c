/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of Q4_0 of sixteen rows, interleaved so that a 64-byte register holds the same bytes of each. The same
 * scales and codes as q4_0 has, and as many bytes.
 *
 *     panel = 16 rows     step, 288 bytes = 32 columns
 *
 *     bytes 2 r, 2 r + 1 (r < 16)               scale of row r, binary16
 *     byte 32 + 64 c + 4 r + b (c < 4, b < 4)   bits 7 6 5 4        3 2 1 0
 *     column of row r                           16 + 4 c + b        4 c + b
 *
 * A weight is scale * (code - 8). K is a multiple of 32.
 */
#include "micro/kernels/q4_0_m16/layout.h"

#include <math.h>

#include "micro/kernel.h"
#include "micro/kernels/half.h"
#include "micro/kernels/random.h"

static void put_scale(uint8_t *block, uint32_t row, float scale)
{
    uint16_t stored = half_from_float(scale);
    memcpy(block + 2 * row, &stored, sizeof stored);
}

/** Byte and shift of the code of a row's column within its block. */
static size_t place_of(uint32_t row, uint32_t column, uint32_t *shift)
{
    *shift = column / 16 * 4;
    return BLOCK_CODES + column % 16 / 4 * 64 + 4 * row + column % 4;
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
        block[byte] |= (uint8_t)((uint32_t)fminf(code, 15) << shift);
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
    return (double)half_to_float(scale) * ((block[byte] >> shift & 15) - 8);
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
