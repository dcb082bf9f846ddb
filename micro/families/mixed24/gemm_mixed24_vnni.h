/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gemm_mixed24.h by vpdpbusd. A step, a token and as many rows as there are lanes are 16 of them, four conversions and four products with the
 * rows' scales, and one with the token's: five instructions on the ports of the sixteen where conversions have ports of their own. Sums that
 * last longer than a step stay in memory, where they are twice a step, and leave the registers to those of the step.
 *
 * The including file has defined what gemm_mixed24.h requires of registers, and
 *
 *   gemm_lanes gemm_dot(gemm_lanes sum, gemm_lanes codes, gemm_lanes activations)
 *   gemm_floats gemm_convert(gemm_lanes sum)
 *   gemm_floats gemm_multiply_add(gemm_floats a, gemm_floats b, gemm_floats c)   a b + c, rounded once
 */
#ifndef MICRO_FAMILIES_MIXED24_GEMM_MIXED24_VNNI_H
#define MICRO_FAMILIES_MIXED24_GEMM_MIXED24_VNNI_H

#define GEMM_SCALE_BYTES 64

struct gemm_start {
    int32_t whole;
};

ROWS_INLINE struct gemm_start gemm_start_of(const int8_t *q, int32_t offset)
{
    int32_t sum = 0;
    for (size_t i = 0; i < 16; i++)
        sum += q[i];
    return (struct gemm_start){-offset * sum};
}

ROWS_INLINE void gemm_put_scales(uint8_t *to, gemm_lanes scale, float scale2)
{
    gemm_floats product = gemm_convert(scale) * scale2; /* 7 by 11 bits: exact */
    memcpy(to, &product, sizeof product);
}

#include "micro/families/mixed24/gemm_mixed24.h"

/** 32 bits in all lanes. */
ROWS_INLINE gemm_lanes gemm_broadcast(const void *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    return (gemm_lanes){0} + bits;
}

/** A group: products, scaled and added to those of the step. */
ROWS_INLINE void gemm_group(gemm_floats (*of_step)[GEMM_VECTORS], const uint8_t *const *at, size_t group,
                            const struct gemm_operand *x, int vectors, int tokens)
{
    gemm_lanes whole[GEMM_TOKENS][GEMM_VECTORS];
    gemm_floats scale[GEMM_VECTORS];
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = gemm_broadcast(&x->start[group][t]);
    }
#pragma GCC unroll 4
    for (size_t p = 0; p < 4; p++) {
        gemm_lanes codes[GEMM_VECTORS];
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            codes[v] = gemm_load(at[v] + 64 * (4 * group + p));
            ROWS_IN_REGISTER(codes[v]);
        }
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            gemm_lanes a = gemm_broadcast(x->q[4 * group + p][t]);
            ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                whole[t][v] = gemm_dot(whole[t][v], codes[v], a);
                ROWS_IN_REGISTER(whole[t][v]); /* or it is copied from register to register in each turn */
            }
        }
    }
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        memcpy(&scale[v], at[v] + GEMM_SCALES + GEMM_SCALE_BYTES * group, sizeof scale[v]);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            of_step[t][v] = gemm_multiply_add(gemm_convert(whole[t][v]), scale[v], of_step[t][v]);
            ROWS_IN_REGISTER(of_step[t][v]);
        }
    }
}

ROWS_INLINE void gemm_block(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *panel, size_t half,
                            const struct gemm_operand *x, int vectors, int tokens)
{
    gemm_floats of_step[GEMM_TOKENS][GEMM_VECTORS];
    const uint8_t *at[GEMM_VECTORS];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        at[v] = panel[v] + sizeof(gemm_lanes) * ((half + (size_t)v) % GEMM_HALVES);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            of_step[t][v] = (gemm_floats){0};
    }
#pragma GCC unroll 1
    for (size_t group = 0; group < 4; group++)
        gemm_group(of_step, at, group, x, vectors, tokens);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            sum[t][v] = gemm_multiply_add(of_step[t][v], (gemm_floats)gemm_broadcast(&x->scale[t]), sum[t][v]);
    }
}

#endif
