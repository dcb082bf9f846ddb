/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of GEMVs of rows of ptq1_0 as they are stored, and row() of these kernels. The including file says before it
 *
 *   ROWS_BYTES, ROWS_BLOCKS        of a register, and how many blocks it holds
 *   ROWS_PLACE(block, byte)        where a byte of one of these blocks lies in it
 *   ROWS_TIMES, ROWS_START         how many times what is wanted sums are, and how many times that they begin with of what a lane meets
 */
#ifndef MICRO_FORMATS_PTQ1_0_ROWS_OPERAND_H
#define MICRO_FORMATS_PTQ1_0_ROWS_OPERAND_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"
#include "micro/formats/ptq1_0/ptq1_0_digits.h"

extern const struct format SELF_FORMAT;

/** What a register of weights meets, digit by digit. */
struct rows_operand {
    int8_t q[5][ROWS_BYTES];
    int32_t start[ROWS_BYTES / 4];
    float scale[ROWS_BYTES / 4]; /* of each lane's block, over ROWS_TIMES */
} __attribute__((aligned(ROWS_BYTES)));

static size_t prepared_bytes(size_t k)
{
    return (k / BLOCK_COLUMNS + ROWS_BLOCKS - 1) / ROWS_BLOCKS * sizeof(struct rows_operand);
}

static void put_block(const float *x, struct rows_operand *to, size_t block)
{
    _Alignas(32) int8_t q[BLOCK_COLUMNS];
    struct q8_facts facts = q8_make(x, BLOCK_COLUMNS, q);
    for (uint32_t column = 0; column < BLOCK_COLUMNS; column++) {
        size_t place = ROWS_PLACE(block, ptq1_0_byte(column));
        to->q[ptq1_0_digit(column)][place] = q[column];
        to->start[place / 4] += ROWS_START * q[column];
        to->scale[place / 4] = facts.scale / ROWS_TIMES;
    }
}

static void prepare(const void *activations, size_t k, void *prepared)
{
    const float *x = activations;
    struct rows_operand *to = prepared;
    memset(prepared, 0, prepared_bytes(k));
    for (size_t i = 0; i < k / BLOCK_COLUMNS; i++)
        put_block(x + BLOCK_COLUMNS * i, &to[i / ROWS_BLOCKS], i % ROWS_BLOCKS);
}

static double value(const struct rows_operand *operand, size_t column)
{
    size_t block = column / BLOCK_COLUMNS;
    const struct rows_operand *a = &operand[block / ROWS_BLOCKS];
    uint32_t in = column % BLOCK_COLUMNS;
    size_t place = ROWS_PLACE(block % ROWS_BLOCKS, ptq1_0_byte(in));
    return (double)a->scale[place / 4] * ROWS_TIMES * a->q[ptq1_0_digit(in)][place];
}

KERNEL_ROW(row_of, value(prepared, column))

#define PTQ1_0_ROWS_KERNEL                                                                                             \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_NAME, .prefetch_bytes = 2048, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,              \
        .float_sums = 8, .error_bound = Q8_ERROR_BOUND, .gemv = gemv, .prepared_bytes = prepared_bytes,                \
        .prepare = prepare, .row = row_of                                                                              \
    }

#endif
