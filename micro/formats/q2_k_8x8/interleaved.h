/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of panels of eight rows of Q2_K as they lie [arm-kernels-codebooks, 4.1.1, 6.4], by block_rows.h. A lane of 32 bits has four
 * bytes of one row, and both lanes of a row meet the same eight activations, so a register of codes meets one of activations that is
 * eight bytes, many times. Two lines of 64 bytes are four groups, one in each field of the bytes; fields are taken at bits 1:0 and 3:2,
 * those of the second four times too large, and have sums of their own until the end of the block.
 *
 * The bytes of eight groups are brought into the order "two rows a 128-bit lane": double words of groups 2 m and 2 m + 1 of both rows, of
 * m = 0, 2, 1, 3. One shuffle then spreads a scale over the lanes of its row. Minima are masked or shifted in words, the ones 16 times too
 * high, and meet sums of the activations, of which the others are made 16 times as large.
 *
 * This is the operand and the kernel. The including .c says before it
 *
 *   Q2_K_MINIMA_ORDER   m of the eight words of a 128-bit lane, in which its shuffle lays the minima
 *   Q2_K_FOURS_SCALE    what the scale of the last two double words of a lane is multiplied by
 */
#ifndef MICRO_FORMATS_Q2_K_8X8_INTERLEAVED_H
#define MICRO_FORMATS_Q2_K_8X8_INTERLEAVED_H

#include <math.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

enum { PANEL_D = 0, PANEL_DMIN = 16, GROUP_BYTES = 32, CODES = 160, LINE = 8 * BLOCK_ROWS };

/** 256 columns of the activations. */
struct q2_k_operand {
    int8_t q[256];
    /** [half][odd]: of groups 8 half + 2 m + odd, m as minima lie; of odd groups 16 times as much. */
    int16_t sums[2][2][8];
    float scale[4]; /* of a 128-bit lane of sums */
    float minima;   /* -1/16 of the scale */
    float unused[3];
} __attribute__((aligned(64)));

#define BLOCK_ACTIVATIONS struct q2_k_operand
#define BLOCK_VALUE       q2_k_value
#define BLOCKS_TOGETHER   1
#define BLOCK_PREFETCH    prefetch_block
#define ROW_BY_ROW        0

/** Lines of a block, once, ahead: eleven, which a compiler would leave a loop within the step unless told. */
ROWS_INLINE void prefetch_block(const uint8_t *weights, size_t bytes, size_t distance)
{
#pragma GCC unroll 11
    for (size_t line = 0; line < bytes; line += 64)
        __builtin_prefetch((const void *)((uintptr_t)weights + distance + line), 0, 3);
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    static const uint8_t order[8] = Q2_K_MINIMA_ORDER;
    struct q2_k_operand *to = prepared;
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++, to++) {
        struct q8_256 q8;
        q8_256_make((const float *)activations + BLOCK_COLUMNS * i, BLOCK_COLUMNS, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        for (size_t at = 0; at < 32; at++) {
            size_t half = at / 16, odd = at / 8 % 2, group = 8 * half + 2 * order[at % 8] + odd;
            to->sums[half][odd][at % 8] = (int16_t)((int)q8.sums[group] * (odd ? 16 : 1));
        }
        for (size_t lane = 0; lane < 4; lane++)
            to->scale[lane] = q8.scale * (lane < 2 ? 1 : Q2_K_FOURS_SCALE);
        to->minima = -q8.scale / 16;
    }
}

static inline double q2_k_value(const struct q2_k_operand *a, size_t column)
{
    return (double)a->scale[0] * a->q[column];
}

/** The eight activations that both lanes of a row meet in field `field` of line 4 half + line. */
static inline long long q2_k_eight(const struct q2_k_operand *a, int half, int field, int line)
{
    long long eight;
    memcpy(&eight, a->q + 128 * half + 32 * field + 8 * line, sizeof eight);
    return eight;
}

#define Q2_K_ACTIVATION(prepared, column)                                                                              \
    q2_k_value((const BLOCK_ACTIVATIONS *)(prepared) + (column) / 256, (column) % 256)

#define Q2_K_INTERLEAVED_KERNEL                                                                                        \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,         \
        .float_sums = 64, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                 \
        .prepared_bytes_per_step = sizeof(struct q2_k_operand), .prepare = prepare, .row = minima_row                  \
    }

#endif
