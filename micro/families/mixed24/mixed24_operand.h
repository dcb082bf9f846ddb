/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Activations of 64 columns of mixed24, quantized to int8 with one scale (micro/families/blocks/q8.h), and the sums that the zeros of its groups
 * need: with A_g the sum of the 16 quantized activations of group g,
 *
 *     sum_c scale (code_c - zero) x_c ~ scale * x.scale * (sum_c code_c x.q[c] - zero A_g).
 *
 * A scale every 64 columns costs a multiplication in every step, as one every 256 would, since scale2 of the weights changes with
 * every step. Two whole lines; micro/families/mixed24/mixed24_operand_places.h has the places for assembly.
 */
#ifndef MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_H
#define MICRO_FAMILIES_MIXED24_MIXED24_OPERAND_H

#include <stddef.h>
#include <stdint.h>

#include "micro/families/blocks/q8.h"
#include "micro/families/mixed24/mixed24_operand_places.h"
#include "micro/kernel.h"
#include "micro/quantization/mixed24_layout.h"

struct mixed24_operand {
    int8_t q[MIXED24_COLUMNS];
    int32_t starts[3][4]; /* of 2-bit group g: -zero A_g for a zero of 0, 1, 2 and 3 */
    float scale;
    int32_t unused[2];
    int32_t minus_sum; /* -A_3 */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct mixed24_operand) == MIXED24_OPERAND_BYTES &&
                   offsetof(struct mixed24_operand, starts) == MIXED24_STARTS &&
                   offsetof(struct mixed24_operand, scale) == MIXED24_SCALE &&
                   offsetof(struct mixed24_operand, minus_sum) == MIXED24_SUM,
               "what the assembly reads");

/** A_g of group 0 … 3. */
static inline int32_t mixed24_sum(const struct mixed24_operand *x, size_t group)
{
    return -(group < 3 ? x->starts[group][1] : x->minus_sum);
}

/** Everything but q and scale, from these. */
static inline void mixed24_put_sums(struct mixed24_operand *x)
{
    int32_t minus_sum[4] = {0};
    for (size_t column = 0; column < MIXED24_COLUMNS; column++)
        minus_sum[column / MIXED24_GROUP] -= x->q[column];
    for (size_t group = 0; group < 3; group++)
        for (int32_t zero = 0; zero < 4; zero++)
            x->starts[group][zero] = zero * minus_sum[group];
    x->unused[0] = x->unused[1] = 0;
    x->minus_sum = minus_sum[3];
}

/** What column `column` was rounded to. */
static inline double mixed24_activation(const struct mixed24_operand *blocks, size_t column)
{
    const struct mixed24_operand *x = &blocks[column / MIXED24_COLUMNS];
    return (double)x->scale * x->q[column % MIXED24_COLUMNS];
}

#endif
