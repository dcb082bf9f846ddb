/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The weights of mixed24 as the paper lays them out [mixed-2-4-16, 3.3, Figure 5]: row by row, "3 groups of 2-bit quantized weights and 8
 * 4-bit quantized weights into continuous memory", 16 bytes that a thread loads at once, and "8 remaining 4-bit quantized weights into
 * independent memory". As many bytes as mixed24, and without loss from one to the other: micro/quantization/mixed24_rows.h. With S = K / 64
 *
 *     panel = 16 rows, 364 S bytes
 *
 *     byte 16 (S r + i) (r < 16, i < S)        16 bytes, row r's columns 64 i … 64 i + 55
 *         dword g (g < 3), bits 2 c, 2 c + 1       column 16 g + c (c < 16)
 *         dword 3, bits 4 c … 4 c + 3              column 48 + c (c < 8)
 *     byte 256 S + 4 (S r + i)                 dword, bits 4 c … 4 c + 3: column 56 + c
 *     byte 320 S + 2 (S r + i)                 word of zeros and scales, as mixed24 has it
 *     byte 352 S + 2 (4 i + g) (g < 4)         scale2 of group g, binary16
 *     byte 360 S + 4 i + g                     zero2 of group g, signed
 *
 * Where the parts lie to each other the paper does not say; that 16 rows share scale2 and zero2 makes them a panel here. K is
 * padded to 64.
 */
#include "micro/quantization/mixed24_rows_layout.h"

#include "micro/kernel.h"
#include "micro/quantization/mixed24_rows.h"

static size_t panel_bytes(size_t k)
{
    return k / MIXED24_COLUMNS * MIXED24_STEP_BYTES;
}

static void pack(const float *w, size_t k, uint8_t *panel)
{
    for (size_t i = 0; i < k / MIXED24_COLUMNS; i++) {
        struct mixed24_step step;
        mixed24_quantize(w + i * MIXED24_COLUMNS, k, NULL, &step);
        mixed24_rows_put_step(&step, i, k, panel);
    }
}

static double weight(const uint8_t *panel, size_t k, uint32_t row, uint32_t column)
{
    return mixed24_rows_weight(panel, k, row, column);
}

static void fill(uint8_t *panel, size_t k, uint64_t *random)
{
    for (size_t i = 0; i < k / MIXED24_COLUMNS; i++) {
        uint8_t bytes[MIXED24_STEP_BYTES];
        struct mixed24_step step;
        mixed24_fill_step(bytes, random);
        mixed24_get_step(bytes, &step);
        mixed24_rows_put_step(&step, i, k, panel);
    }
}

const struct format SELF = {
    .name = SELF_NAME,
    .bits = 8.0 * MIXED24_STEP_BYTES / (MIXED24_ROWS * MIXED24_COLUMNS), /* 2.84375 */
    .rows_per_panel = MIXED24_ROWS,
    .k_per_step = MIXED24_COLUMNS,
    .max_k = 1 << 20, /* 65536 groups */
    .panel_bytes = panel_bytes,
    .pack = pack,
    .weight = weight,
    .fill = fill,
    .order_columns = MIXED24_GROUP,
};
