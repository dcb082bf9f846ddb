/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of blocks of 32 nibbles of four or eight rows, interleaved in chunks of four or eight bytes [arm-kernels-codebooks, 4.1.1]: panels as
 * they lie, by block_rows.h. A lane of 32 bits has four bytes of one row, so a register of codes meets one of activations whose lanes
 * hold the columns of these: eight for all rows, or several such that are spread when they are read. Sums of a row lie in
 * several lanes, each with its own start.
 *
 * This is the operand and the kernel; block32_chunks_256.h and block32_chunks_512.h are the step of a block. The including .c includes before them
 * the codes.h of the format. The step says CHUNKS_STARTS, 2 or 4: in how many
 * lanes the sums of a row are.
 */
#ifndef MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_H
#define MICRO_FAMILIES_BLOCK32_BLOCK32_CHUNKS_H

#include <math.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/frames/rows.h"
#include "micro/kernel.h"

/** 32 columns of the activations: a line, since all panels of a round read it again, and with more of them it would leave the first level. */
struct chunks_operand {
    int8_t q[32];
    /** -CODE_OFFSET times the sum of what lanes of dword c of the chunks meet, added up modulo CHUNKS_STARTS. */
    int32_t start[4];
    float scale;
    int32_t unused[3];
} __attribute__((aligned(64)));

#define BLOCK_ACTIVATIONS            struct chunks_operand
#define BLOCK_VALUE                  chunks_value
#define BLOCKS_TOGETHER              (576 / BLOCK_BYTES) /* nine lines */
#define ROW_BY_ROW                   0
#define BLOCK_STORE(out, panel, sum) chunks_store((out) + (panel)*BLOCK_ROWS, sum)

static void prepare(const void *activations, size_t k, void *prepared)
{
    struct chunks_operand *to = prepared;
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++, to++) {
        struct q8_32 q8;
        q8_32_make((const float *)activations + BLOCK_COLUMNS * i, BLOCK_COLUMNS, &q8);
        memset(to, 0, sizeof *to);
        memcpy(to->q, q8.q, sizeof to->q);
        to->scale = q8.scale;
        for (size_t column = 0; column < BLOCK_COLUMNS; column++)
            to->start[column / 4 % CHUNKS_STARTS] -= CODE_OFFSET * q8.q[column];
    }
}

static inline double chunks_value(const struct chunks_operand *a, size_t column)
{
    return (double)a->scale * a->q[column];
}

/** Eight bytes for all lanes. */
static inline long long chunks_eight(const void *at)
{
    long long eight;
    memcpy(&eight, at, sizeof eight);
    return eight;
}

#define CHUNKS_KERNEL                                                                                                  \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT,                         \
        .origin = KERNEL_ORIGIN, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,         \
        .float_sums = 32, .error_bound = Q8_ERROR_BOUND, .gemv = gemv,                                                 \
        .prepared_bytes_per_step = sizeof(struct chunks_operand), .prepare = prepare, .row = block_row                 \
    }

#endif
