/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a GEMM of 16 interleaved rows of blocks of 32 columns reads, as q4_0_m16 draws them: sizes of its blocks and the activations, for
 * any instruction set. The including file says
 *
 *   GEMM_TOKENS, GEMM_BLOCK_BYTES   as gemm_blocks.h needs them
 *   GEMM_LINES                      64 bytes each, of four columns (8 and more) or, in nibbles, of four and the four that are half the lines'
 *                                   columns on (2 and 4)
 *   GEMM_GROUPS                     of columns with scales of their own, each of this many lines, whose scales lie before all lines; default 1
 *   CODE_OFFSET                     how much more than its weight a code is when it is multiplied
 *   GEMM_SCALE_BYTES                of a row's scale, if it is no half: 1, with gemm_scale(const uint8_t *) that makes floats of as many as there
 *                                   are lanes
 *   GEMM_PLACE(column)              where bytes of a block have them in another order: a column's place
 */
#ifndef MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_OPERAND_H
#define MICRO_FAMILIES_BLOCK32_GEMM_BLOCK32_OPERAND_H

#include <stdint.h>
#include <string.h>

#include "micro/families/blocks/q8_avx2.h"

#ifndef GEMM_GROUPS
#define GEMM_GROUPS 1
#endif
#define GEMM_ARE_NIBBLES   (GEMM_LINES <= 4)
#define GEMM_GROUP_COLUMNS (GEMM_ARE_NIBBLES ? 8 * GEMM_LINES : 4 * GEMM_LINES)
#if GEMM_LINES <= 4
#define GEMM_COLUMNS (8 * GEMM_LINES * GEMM_GROUPS)
#else
#define GEMM_COLUMNS (4 * GEMM_LINES * GEMM_GROUPS)
#endif
#ifndef GEMM_PLACE
#define GEMM_PLACE(column) (column)
#endif
#ifdef GEMM_SCALE_BYTES
#define GEMM_SCALES_ARE_HALVES 0
#else
#define GEMM_SCALE_BYTES       2
#define GEMM_SCALES_ARE_HALVES 1
#endif
#define GEMM_CODES (16 * GEMM_SCALE_BYTES * GEMM_GROUPS) /* where they begin */
#if GEMM_BLOCK_BYTES                                     /* in scratch codes are aligned */
#define GEMM_PANEL_BYTES (64 + 64 * GEMM_LINES * GEMM_GROUPS)
#define GEMM_PANEL_LEAD  (64 - GEMM_CODES)
#else
#define GEMM_PANEL_BYTES (GEMM_CODES + 64 * GEMM_LINES * GEMM_GROUPS)
#endif

/** A block's columns of a group of tokens. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][GEMM_COLUMNS];
    int32_t offset[GEMM_GROUPS][GEMM_TOKENS]; /* -CODE_OFFSET times the sum of a group's q: what makes codes weights */
    float scale[GEMM_TOKENS];
};

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    _Alignas(32) int8_t q[GEMM_COLUMNS];
    struct q8_facts facts = q8_make(x, GEMM_COLUMNS, q);
    for (size_t column = 0; column < GEMM_COLUMNS; column++)
        to->q[token][GEMM_PLACE(column)] = q[column];
    if (GEMM_GROUPS == 1)
        to->offset[0][token] = -CODE_OFFSET * facts.sum;
    for (size_t group = 0; GEMM_GROUPS > 1 && group < GEMM_GROUPS; group++) {
        int32_t sum = 0;
        for (size_t i = 0; i < GEMM_GROUP_COLUMNS; i++)
            sum += q[group * GEMM_GROUP_COLUMNS + i];
        to->offset[group][token] = -CODE_OFFSET * sum;
    }
    to->scale[token] = facts.scale;
}

#endif
