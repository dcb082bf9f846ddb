/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of q3_k_m16, two side by side: lanes are rows, so that what is a lane's own (a scale, d, the offset of its codes) is one operation
 * for all rows of a register. The sum of 16 columns fits 16 bits even where it is four times too large (16 * 127 * 16), and vpdpwssd multiplies it by
 * 256 times its scale, a byte that vpshufb moves; eight such fit 32 bits (32512 * 8192 * 8). With AVX2 the words of a lane have 8 columns each, and
 * vpmaddwd multiplies both. Each quarter of a block asks for a quarter of what lies ahead.
 */
#define ROWS_TOGETHER 2
#include "micro/families/k_quants/k_quant_lanes_vectors.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/prefetch_run.h"

extern const struct format SELF_FORMAT;

enum {
    LINE = 4 * BLOCK_ROWS,
    LINES = (BLOCK_BYTES + 63) / 64,
    PARTS = 4,
    SCALED = 4 * 256 /* sums, times scales of groups */
};

/** 256 columns of the activations. start: of each group -4 times their sum, in odd fields of 32 columns -16 times. step: their scale over SCALED. */
struct q3_k_operand {
    int8_t q[256];
    int32_t start[16];
    float step, scale, unused[14];
} __attribute__((aligned(64)));

/** Scales of groups 4 m … in the lanes of scales[m]. */
ROWS_INLINE void unpack_scales(const uint8_t *rows, lanes_ints *scales)
{
    lanes_ints low[2] = {lanes_load(rows + BLOCK_SCALES), lanes_load(rows + BLOCK_SCALES + LINE)};
    lanes_ints high = lanes_load(rows + BLOCK_SCALES + 2 * LINE);
    const lanes_ints shifted[4] = {lanes_up(high, 4), lanes_up(high, 2), high, lanes_down(high, 2)};
#pragma GCC unroll 4
    for (int m = 0; m < 4; m++) {
        lanes_ints bits = lanes_and(m < 2 ? low[m % 2] : lanes_down(low[m % 2], 4), lanes_bytes(15));
        scales[m] = lanes_less(lanes_or_and(bits, shifted[m], lanes_bytes(0x30)), lanes_bytes(32));
    }
}

/** Adds four columns of a field, of lower bits at bits 1:0, or 3:2 of odd fields, and upper ones at bit `number`. */
ROWS_INLINE lanes_group add_four(lanes_group sum, lanes_ints low, lanes_ints high, int number, const int8_t *a)
{
    int at = number % 2 ? 4 : 2, shift = at - number;
    if (shift > 0)
        high = lanes_up(high, shift);
    else if (shift < 0)
        high = lanes_down(high, -shift);
    lanes_ints codes = lanes_and(low, lanes_bytes(number % 2 ? 0x0c : 0x03));
    sum = lanes_products(sum, lanes_or_and(codes, high, lanes_bytes(1 << at)), a);
    /* or a compiler adds in another order, and keeps more products than registers hold */
    ROWS_IN_REGISTER(sum);
    return sum;
}

/** Groups 8 half + 2 j + odd. */
ROWS_INLINE void add_quarter(lanes_ints *total, const uint8_t *rows, const lanes_ints *scales, int half, int odd,
                             const struct q3_k_operand *a)
{
    lanes_group sum[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++)
        sum[j] = lanes_broadcast(&a->start[8 * half + 2 * j + odd]);
#pragma GCC unroll 4
    for (int line = 4 * odd; line < 4 * odd + 4; line++) {
        const int8_t *q = a->q + 128 * half + 4 * line;
        lanes_ints low = lanes_load(rows + BLOCK_CODES + LINE * (8 * half + line));
        lanes_ints high = lanes_load(rows + BLOCK_HIGH + LINE * line);
        ROWS_IN_REGISTER(low);
        ROWS_IN_REGISTER(high);
        sum[0] = add_four(sum[0], low, high, 4 * half, q);
        sum[1] = add_four(sum[1], low, high, 4 * half + 1, q + 32);
        low = lanes_down(low, 4);
        sum[2] = add_four(sum[2], low, high, 4 * half + 2, q + 64);
        sum[3] = add_four(sum[3], low, high, 4 * half + 3, q + 96);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
        int group = 8 * half + 2 * j + odd;
        total[j % 2] = lanes_times_words(total[j % 2], sum[j], lanes_upper(scales[group / 4], group % 4));
    }
}

/** LANES rows of a block, from row `first` of the panel on; `ahead`: they ask for what lies `distance` bytes ahead. */
ROWS_INLINE lanes_floats add_rows(lanes_floats sum, const uint8_t *panel, size_t first, bool ahead, size_t distance,
                                  const struct q3_k_operand *a)
{
    lanes_ints total[2] = {lanes_zero(), lanes_zero()}, scales[4];
    const uint8_t *rows = panel + 4 * first;
    ROWS_READ_AGAIN(a);
    unpack_scales(rows, scales);
#pragma GCC unroll 4
    for (int part = 0; part < PARTS; part++) {
        if (ahead)
            prefetch_run(panel + part * (64 * LINES / PARTS), 64 * LINES / PARTS, distance);
        add_quarter(total, rows, scales, part / 2, part % 2, a);
    }
    return lanes_add_scaled_both(sum, total, 4, panel + 2 * first, a->step);
}

#define BLOCK_ACTIVATIONS struct q3_k_operand
#include "micro/families/k_quants/k_quant_lanes_rows.h"

/** Times the activations of a group: one sum, or those of the halves of four columns as words. */
static int32_t start_of(const int8_t *group, int32_t times)
{
    int32_t sums[2] = {0, 0};
    for (size_t column = 0; column < 16; column++)
        sums[LANES_SUM_IN_WORDS ? column % 4 / 2 : 0] += times * group[column];
    return LANES_SUM_IN_WORDS ? (int32_t)((uint32_t)sums[1] << 16 | ((uint32_t)sums[0] & 0xffff)) : sums[0];
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q3_k_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t group = 0; group < 16; group++)
            to->start[group] = start_of(q8.q + 16 * group, group / 2 % 2 ? -16 : -4);
        to->scale = q8.scale;
        to->step = q8.scale / SCALED;
    }
}

static double value(const struct q3_k_operand *blocks, size_t column)
{
    const struct q3_k_operand *a = &blocks[column / 256];
    return (double)a->scale * a->q[column % 256];
}

KERNEL_ROW(row_of, value(prepared, column))

const struct kernel SELF = {
    .name = SELF_NAME,
    .sequence = SELF_SEQUENCE,
    .isa = SELF_ISA,
    .format = &SELF_FORMAT,
    .origin = KERNEL_ORIGIN,
    .prefetch_bytes = 3072,
    .takes = KERNEL_TAKES_F32,
    .gives = KERNEL_GIVES_F32,
    .float_sums = 64,
    .error_bound = Q8_ERROR_BOUND,
    .gemv = gemv,
    .prepared_bytes_per_step = sizeof(struct q3_k_operand),
    .prepare = prepare,
    .row = row_of,
};

#include "micro/frames/gamma.h"
