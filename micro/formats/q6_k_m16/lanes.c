/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of q6_k_m16, two side by side: lanes are rows, so that what is a lane's own (a scale, d, the offset of its codes) is one operation
 * for all rows of a register. A sum of 8 columns fits 16 bits (32 * 127 * 8) and vpdpwssd multiplies it by the scale of its group; with AVX2
 * the words of a lane have 8 columns each, and vpmaddwd multiplies both. A block fits 32 bits (32512 * 128 * 32). Each half of a
 * block asks for half of what lies ahead.
 */
#define ROWS_TOGETHER 2
#include "micro/families/k_quants/k_quant_lanes_vectors.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/prefetch_run.h"

extern const struct format SELF_FORMAT;

/** Lines of four columns whose sum is multiplied at once. */
enum { LINE = 4 * BLOCK_ROWS, SUM_LINES = LANES_SUM_IN_WORDS ? 4 : 2 };

/** 256 columns of the activations. start: start_of(). */
struct q6_k_operand {
    int8_t q[256];
    int32_t start[32];
    float scale, unused[15];
} __attribute__((aligned(64)));

ROWS_INLINE lanes_ints load_line(const uint8_t *at)
{
    lanes_ints line = lanes_load(at);
    ROWS_IN_REGISTER(line);
    return line;
}

/** Four columns of field j of 128 columns. */
ROWS_INLINE lanes_group add_four(lanes_group sum, lanes_ints low, lanes_ints high, int j, const int8_t *a)
{
    low = j < 2 ? low : lanes_down(low, 4);
    high = j < 2 ? lanes_up(high, 4 - 2 * j) : j == 3 ? lanes_down(high, 2) : high;
    return lanes_products(sum, lanes_or_and(lanes_and(low, lanes_bytes(0x0f)), high, lanes_bytes(0x30)), a);
}

/** Groups 2 j + odd of the 128 columns whose scales, upper and lower bits and activations are given. */
ROWS_INLINE lanes_ints add_quarter(lanes_ints total, const uint8_t *scales, const uint8_t *upper, const uint8_t *lower,
                                   const int8_t *q, const int32_t *start, int odd)
{
#pragma GCC unroll 2
    for (int first = 4 * odd; first < 4 * odd + 4; first += SUM_LINES) {
        lanes_group sum[4];
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++)
            sum[j] = lanes_broadcast(&start[2 * (2 * j + odd) + first % 4 / 2]);
#pragma GCC unroll 4
        for (int line = first; line < first + SUM_LINES; line++) {
            lanes_ints high = load_line(upper + LINE * line);
            lanes_ints low[2] = {load_line(lower + LINE * line), load_line(lower + LINE * (line + 8))};
#pragma GCC unroll 4
            for (int j = 0; j < 4; j++) {
                sum[j] = add_four(sum[j], low[j % 2], high, j, q + 32 * j + 4 * line);
                /* or a compiler adds in another order, and keeps more products than registers hold */
                ROWS_IN_REGISTER(sum[j]);
            }
        }
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            lanes_ints words = lanes_upper(lanes_load(scales + LINE * (j / 2)), j % 2 * 2 + odd);
            total = lanes_times_words(total, sum[j], lanes_from_upper(words));
        }
    }
    return total;
}

/** LANES rows of a block, from row `first` of the panel on; `ahead`: they ask for what lies `distance` bytes ahead. */
ROWS_INLINE lanes_floats add_rows(lanes_floats sum, const uint8_t *panel, size_t first, bool ahead, size_t distance,
                                  const struct q6_k_operand *a)
{
    const uint8_t *rows = panel + 4 * first;
    lanes_ints total = lanes_zero();
    ROWS_READ_AGAIN(a);
    /* as a loop, for the code of whole blocks is more than the core keeps decoded */
#pragma GCC unroll 1
    for (size_t half = 0; half < 2; half++) {
        if (ahead)
            prefetch_run(panel + BLOCK_BYTES / 2 * half, BLOCK_BYTES / 2, distance);
#pragma GCC unroll 2
        for (int odd = 0; odd < 2; odd++)
            total = add_quarter(total, rows + BLOCK_SCALES + 2 * LINE * half, rows + BLOCK_HIGH + 8 * LINE * half,
                                rows + BLOCK_CODES + 16 * LINE * half, a->q + 128 * half, a->start + 16 * half, odd);
    }
    return lanes_add_scaled(sum, total, panel + 2 * first, a->scale);
}

#define BLOCK_ACTIVATIONS struct q6_k_operand
#include "micro/families/k_quants/k_quant_lanes_rows.h"

/** -32 times the sums of 8 columns: those of two lines, in 32 bits; or of the halves of four lines, in words. */
static int32_t start_of(const int8_t *group, size_t which)
{
    int32_t sums[2] = {0, 0};
    for (size_t column = 0; column < 16; column++)
        sums[SUM_LINES == 2 ? column / 8 : column % 4 / 2] -= 32 * group[column];
    return SUM_LINES == 2 ? sums[which] : (int32_t)((uint32_t)sums[1] << 16 | ((uint32_t)sums[0] & 0xffff));
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct q6_k_operand *to = prepared;
    for (size_t i = 0; i < k / 256; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + 256 * i, 256, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t at = 0; at < 32; at++)
            to->start[at] = start_of(q8.q + at / 2 * 16, at % 2);
        to->scale = q8.scale;
    }
}

static double value(const struct q6_k_operand *blocks, size_t column)
{
    const struct q6_k_operand *a = &blocks[column / 256];
    return (double)a->scale * a->q[column % 256];
}

KERNEL_ROW(row_of, value(prepared, column))

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
    .prepared_bytes_per_step = sizeof(struct q6_k_operand),
    .prepare = prepare,
    .row = row_of,
};

#include "micro/frames/gamma.h"
