/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of 2 and of 4 bits in one matrix [mixed-2-4-16, 3.3], of sixteen rows: three groups of 16 columns of 2 bits, then one of 4 bits.
 * micro/quantization/mixed24.h says what a weight is, and what the equations leave open.
 *
 *     panel = 16 rows     step, 364 bytes = 64 columns
 *
 *     byte 64 g + 4 r + b (g < 3, r < 16, b < 4)   bits 7 6      5 4      3 2      1 0
 *     column, of group g: from 16 g on                12 + b   8 + b    4 + b      b
 *     byte 192 + 64 j + 4 r + b (j < 2)            bits 7 6 5 4         3 2 1 0
 *     column, of group 3: from 48 on                  8 j + 4 + b         8 j + b
 *     word 320 + 2 r, little-endian                bits 15 14 13   12 11 10   9 8 7 6   5 4   3 2   1 0
 *     of row r, 2-bit groups                          scale 2      scale 1    scale 0   z 2   z 1   z 0
 *     bytes 352 + 2 g, 353 + 2 g (g < 4)           scale2 of group g, binary16
 *     byte 360 + g                                 zero2 of group g, signed: -112 … 15, of group 3 0 … 15
 *
 * So dword r of a 64-byte register is row r, and each shift of it by 2 (by 4) brings four neighbouring columns under the mask. The paper's
 * rows of 16 bytes hold the same bits: mixed24_rows. K is padded to 64.
 */
#include "micro/kernel.h"
#include "micro/quantization/mixed24.h"

static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (size_t column = 0; column < k; column += MIXED24_COLUMNS, panel += MIXED24_STEP_BYTES) {
        struct mixed24_step step;
        mixed24_quantize(w + column, k, NULL, &step);
        mixed24_put_step(&step, panel);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    (void)k;
    const uint8_t *step = panel + (size_t)(column / MIXED24_COLUMNS) * MIXED24_STEP_BYTES;
    return mixed24_weight_at(step, row, column % MIXED24_COLUMNS);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < k / MIXED24_COLUMNS; i++)
        mixed24_fill_step(panel + i * MIXED24_STEP_BYTES, random);
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 8.0 * MIXED24_STEP_BYTES / (MIXED24_ROWS * MIXED24_COLUMNS), /* 2.84375 */
    .rows_per_panel = MIXED24_ROWS,
    .k_per_step = MIXED24_COLUMNS,
    .step_bytes = MIXED24_STEP_BYTES,
    .max_k = 1 << 20, /* 65536 groups */
    .pack = pack,
    .weight = weight,
    .fill = fill,
    .order_columns = MIXED24_GROUP,
};
