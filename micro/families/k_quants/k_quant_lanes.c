/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of sixteen rows of Q4_K and Q5_K as they lie, two panels side by side: lanes are rows, and a register has four columns of each row of
 * two groups, one in each half of its bytes. The 32 columns of a group are added as they come, and then multiplied by its scale, a byte of the
 * lane that a shuffle makes a word or double word of. Scales and minima are unpacked for four groups of all rows at once; the minima, two groups
 * to a lane as words, meet sums of 32 activations. Two groups ask for as many lines
 * as they read. Registers are those of k_quant_lanes_512.h or k_quant_lanes_256.h.
 */
#define ROWS_TOGETHER 2
#include "micro/families/k_quants/k_quant_lanes_vectors.h"

#include <stdbool.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/families/k_quants/k_quant_panel.h"
#include "micro/frames/prefetch_run.h"

/** 256 columns of the activations. */
struct k_quant_lanes_operand {
    int8_t q[256];
    int16_t sums[8]; /* of 32 columns */
    float scale, minima;
    uint8_t unused[40];
} __attribute__((aligned(64)));

#define BLOCK_ACTIVATIONS struct k_quant_lanes_operand
#define BLOCK_VALUE(blocks, column)                                                                                    \
    ((double)((const BLOCK_ACTIVATIONS *)(blocks))[(column) / 256].scale *                                             \
     ((const BLOCK_ACTIVATIONS *)(blocks))[(column) / 256].q[(column) % 256])

/** Two groups, whose codes share lines, onto the totals of low and high nibbles. */
ROWS_INLINE void add_groups(lanes_ints *low, lanes_ints *high, const uint8_t *panel, bool ahead, size_t distance,
                            lanes_ints scales, int group, const int8_t *a)
{
    if (ahead)
        prefetch_run(panel + PANEL_CODES + LINE * (4 * (size_t)group), 8 * LINE, distance);
#pragma GCC unroll 2
    for (size_t first = 0; first < 8; first += LANES_LINES) {
        lanes_group sums[2] = {lanes_group_zero(), lanes_group_zero()};
#pragma GCC unroll 8
        for (size_t line = first; line < first + LANES_LINES; line++) {
            const uint8_t *at = panel + PANEL_CODES + LINE * (4 * (size_t)group + line);
            lanes_ints codes = lanes_load(at);
            ROWS_IN_REGISTER(codes);
            sums[0] = lanes_products(sums[0], codes_of(panel, line, codes, group, LANES_HIGH_APART),
                                     a + 32 * group + 4 * line);
            sums[1] = lanes_products(sums[1], codes_of(panel, line, codes, group + 1, LANES_HIGH_APART),
                                     a + 32 * group + 32 + 4 * line);
            /* or a compiler adds in another order, and keeps more products than registers hold */
            ROWS_IN_REGISTER(sums[0]);
            ROWS_IN_REGISTER(sums[1]);
        }
        *low = lanes_scaled(*low, sums[0], scales, group % 4);
        ROWS_IN_REGISTER(*low);
        *high = lanes_scaled(*high, sums[1], scales, group % 4 + 1);
        ROWS_IN_REGISTER(*high);
    }
}

/** `LANES` rows of a block, from row `first` of the panel on; `ahead`: they ask for what lies `distance` bytes ahead. */
ROWS_INLINE lanes_floats add_rows(lanes_floats sum, const uint8_t *panel, size_t first, bool ahead, size_t distance,
                                  const BLOCK_ACTIVATIONS *a)
{
    ROWS_READ_AGAIN(a);
    const uint8_t *rows = panel + 4 * first;
    struct lanes_scales scales = unpack_scales(rows + PANEL_SCALES);
    lanes_ints minima = lanes_zero(), low = lanes_zero(), high = lanes_zero();
    if (ahead)
        prefetch_run(panel, PANEL_CODES, distance);
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        minima = lanes_words(minima, scales.minimum[half], 0, a->sums + 4 * half);
        minima = lanes_words(minima, scales.minimum[half], 2, a->sums + 4 * half + 2);
    }
    sum = lanes_add_scaled(sum, minima, panel + PANEL_DMIN + 2 * first, a->minima);
#pragma GCC unroll 4
    for (int group = 0; group < 8; group += 2)
        add_groups(&low, LANES_HIGH_APART ? &high : &low, rows, ahead, distance, scales.scale[group / 4], group, a->q);
    if (LANES_HIGH_APART)
        low = lanes_add(low, lanes_divide16(high));
    return lanes_add_scaled(sum, low, panel + 2 * first, a->scale);
}

#include "micro/families/k_quants/k_quant_lanes_rows.h"

static void prepare(const void *activations, size_t k, void *prepared)
{
    BLOCK_ACTIVATIONS *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 8; group++)
            to->sums[group] = (int16_t)(q8.sums[2 * group] + q8.sums[2 * group + 1]);
        to->scale = q8.scale;
        to->minima = -q8.scale;
    }
}

#define K_QUANT_ACTIVATION BLOCK_VALUE
#include "micro/families/k_quants/k_quant_row.h"

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 4096,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 64,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(BLOCK_ACTIVATIONS),
    .prepare = prepare,
    .row = minima_row,
};

#include "micro/frames/gamma.h"
