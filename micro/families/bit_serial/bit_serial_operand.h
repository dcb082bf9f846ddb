/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operand of kernels whose weights are bit planes: activations as planes of ACTIVATION_BITS bits, bipolar, as micro/quantization/bipolar.h
 * defines them. Of a group of tokens (GROUP, 1 of a GEMV), of K padded to whole steps of 64 columns,
 *
 *     operand = struct bits_token [8]                       a line, or two with the sums of U_x
 *               uint64_t planes [K / 64] [GROUP] [bit]      bit c of a word is column c of the step
 *               uint64_t masks [K / 64] [GROUP]             1: the column counts
 *
 * Zero has no bits, and what pads K must count for nothing whatever the weights there are. So the columns of a token are those up to
 * its last activation that is not zero: after them masks are 0, which is exact. Steps whose columns all count in all tokens of a
 * group need no mask, and they are all but the last one of most tokens.
 *
 * The integer part is exact: with K' columns and differing bits d(i, j) = popcount(W_i ^ X_j) of them
 *
 *     y = s_x (K' (2^p - 1) (2^q - 1) - 2 sum over i, j of 2^(i + j) d(i, j))                               [apt-llm, III-B]
 *
 * Kernels that say BITS_ANDS 1 count common bits, c(i, j) = popcount(W_i & X_j), and take the sums of both sides for the rest
 * from d(i, j) = popcount(W_i) + popcount(X_j) - 2 c(i, j), so that
 *
 *     sum 2^(i + j) d(i, j) = (2^q - 1) sum U_w + (2^p - 1) sum U_x - 2 sum 2^(i + j) c(i, j)
 *
 * of the K' columns. The sum of U_x is known once activations are quantized, and a token of their operand has it; that of U_w, which
 * the format does not store, is counted by the kernel.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_OPERAND_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_OPERAND_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "micro/kernel.h"
#include "micro/quantization/bipolar.h"

enum { BITS_STEP_COLUMNS = 64, BITS_GROUP_MOST = 8 };

/*
 * Steps of a chain of kernels that say BITS_CODED 1. In their operand a word holds the exclusive or of all words of its plane from
 * the first of its chain, a multiple of BITS_CHAIN_STEPS, to itself, and weights are coded alike: an exclusive or of both is then the
 * parity of all differences so far, which is what full adders are to leave.
 */
enum { BITS_CHAIN_STEPS = 64 };
#ifndef BITS_CODED
#define BITS_CODED 0
#endif

#ifndef BITS_ANDS
#define BITS_ANDS 0
#endif

#define BITS_INLINE static inline __attribute__((always_inline))

/* of functions that gemv() calls and gamma_run() has inlined: clang inlines into `flatten` what it calls itself, and no more */
#ifdef __clang__
#define BITS_CALLED BITS_INLINE
#else
#define BITS_CALLED static
#endif

struct bits_token {
    float scale;      /* s_x; 0: all are zero */
    uint32_t columns; /* K', that count */
#if BITS_ANDS
    uint32_t units; /* sum of U_x of these columns */
#endif
};

enum { BITS_HEADER_BYTES = (BITS_GROUP_MOST * sizeof(struct bits_token) + 63) / 64 * 64 };

/** Where planes and masks of a group lie. */
BITS_INLINE size_t bits_group_bytes(size_t k, size_t group, size_t bits)
{
    return (BITS_HEADER_BYTES + k / BITS_STEP_COLUMNS * group * (bits + 1) * sizeof(uint64_t) + 63) / 64 * 64;
}

BITS_INLINE const struct bits_token *bits_tokens(const void *operand)
{
    return operand;
}

BITS_INLINE const uint64_t *bits_planes(const void *operand)
{
    return (const uint64_t *)(const void *)((const uint8_t *)operand + BITS_HEADER_BYTES);
}

BITS_INLINE const uint64_t *bits_masks(const void *operand, size_t k, size_t group, size_t bits)
{
    return bits_planes(operand) + k / BITS_STEP_COLUMNS * group * bits;
}

/** What one token becomes: its scale and the columns that count. All are the same as micro/quantization/bipolar.h defines them. */
BITS_INLINE struct bits_token bits_measure(const float *x, size_t k, uint32_t bits)
{
    float largest = 0;
    size_t columns = k;
    while (columns && x[columns - 1] == 0)
        columns--;
    for (size_t i = 0; i < columns; i++)
        largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
    float scale = largest < BIPOLAR_LEAST ? 0 : largest / (float)((1 << bits) - 1);
    /* where all are zero, all columns may count: the product is zero either way, and no other token of the group needs masks */
    return (struct bits_token){.scale = scale, .columns = (uint32_t)(scale > 0 ? columns : k)};
}

/** Columns of step `step` that count. */
BITS_INLINE uint64_t bits_mask(struct bits_token token, size_t step)
{
    size_t first = step * BITS_STEP_COLUMNS;
    return token.columns >= first + BITS_STEP_COLUMNS ? ~(uint64_t)0
           : token.columns <= first                   ? 0
                                                      : ((uint64_t)1 << (token.columns - first)) - 1;
}

/** 64 activations to their planes. `scale` is positive. Vectors say the same in fewer steps: see BITS_QUANTIZE. */
__attribute__((unused)) static void bits_quantize(const float *x, float scale, uint32_t bits, uint64_t *planes)
{
    const float most = (float)((1 << bits) - 1);
    memset(planes, 0, bits * sizeof *planes);
    for (uint32_t column = 0; column < BITS_STEP_COLUMNS; column++) {
        float rounded = rintf((x[column] / scale + most) / 2);
        uint64_t u = (uint64_t)fminf(fmaxf(rounded, 0), most);
        for (uint32_t bit = 0; bit < bits; bit++)
            planes[bit] |= (u >> bit & 1) << column;
    }
}

#ifndef BITS_QUANTIZE
#define BITS_QUANTIZE bits_quantize
#endif

/** Planes of one token of a group, `apart` words from step to step, to the words of chains. */
BITS_INLINE void bits_chain(uint64_t *planes, size_t steps, size_t apart, uint32_t bits)
{
    for (size_t step = 1; step < steps; step++) {
        for (uint32_t bit = 0; step % BITS_CHAIN_STEPS && bit < bits; bit++)
            planes[step * apart + bit] ^= planes[(step - 1) * apart + bit];
    }
}

/** A bit of a column in the operand of one token. */
BITS_INLINE uint32_t bits_of(const uint64_t *planes, uint32_t column, uint32_t bit, uint32_t bits)
{
    size_t step = column / BITS_STEP_COLUMNS;
    uint64_t word = planes[step * bits + bit];
    if (BITS_CODED && step % BITS_CHAIN_STEPS)
        word ^= planes[(step - 1) * bits + bit];
    return (uint32_t)(word >> column % BITS_STEP_COLUMNS & 1);
}

#if BITS_ANDS
/** Sum of the unsigned integers of a step's columns that count. */
BITS_INLINE uint32_t bits_units(const uint64_t *planes, uint64_t mask, uint32_t bits)
{
    uint32_t units = 0;
    for (uint32_t bit = 0; bit < bits; bit++)
        units += (uint32_t)__builtin_popcountll(planes[bit] & mask) << bit;
    return units;
}
#endif

/** prepare_many() of groups of this many tokens; tokens that are not there count for nothing and have no say. */
BITS_INLINE void bits_prepare(const float *x, size_t stride, size_t k, size_t tokens, size_t group, uint32_t bits,
                              void *operand)
{
    struct bits_token *token = operand;
    uint64_t *planes = (uint64_t *)(uintptr_t)bits_planes(operand);
    uint64_t *masks = (uint64_t *)(uintptr_t)bits_masks(operand, k, group, bits);
    size_t steps = k / BITS_STEP_COLUMNS;
    memset(operand, 0, bits_group_bytes(k, group, bits));
    for (size_t t = 0; t < BITS_GROUP_MOST; t++)
        token[t] = t < tokens ? bits_measure(x + t * stride, k, bits) : (struct bits_token){.columns = (uint32_t)k};
    for (size_t t = 0; t < tokens; t++) {
        for (size_t step = 0; step < steps; step++) {
            masks[step * group + t] = bits_mask(token[t], step);
            if (token[t].scale > 0)
                BITS_QUANTIZE(x + t * stride + step * BITS_STEP_COLUMNS, token[t].scale, bits,
                              planes + (step * group + t) * bits);
#if BITS_ANDS
            token[t].units += bits_units(planes + (step * group + t) * bits, masks[step * group + t], bits);
#endif
        }
        if (BITS_CODED)
            bits_chain(planes + t * bits, steps, group * bits, bits);
    }
}

/** Steps of which every column counts in each of the first `group` tokens. */
BITS_INLINE size_t bits_whole_steps(const void *operand, size_t group)
{
    uint32_t columns = UINT32_MAX;
    for (size_t t = 0; t < group; t++)
        columns = bits_tokens(operand)[t].columns < columns ? bits_tokens(operand)[t].columns : columns;
    return columns / BITS_STEP_COLUMNS;
}

/**
 * K' (2^p - 1) (2^q - 1), modulo 2^32: what no differing bit would give. With BITS_ANDS less the part of differing bits that a
 * token's own sum makes, 2 (2^p - 1) sum U_x.
 */
BITS_INLINE uint32_t bits_most(struct bits_token token, uint32_t weight_bits, uint32_t bits)
{
    const uint32_t most = (1u << weight_bits) - 1;
#if BITS_ANDS
    return most * (token.columns * ((1u << bits) - 1) - 2 * token.units);
#else
    return token.columns * most * ((1u << bits) - 1);
#endif
}

/** The sum of all differing bits of a row, by what they count for (with BITS_ANDS without U_x), to the integer part of the row. */
BITS_INLINE int32_t bits_sum(struct bits_token token, uint32_t weight_bits, uint32_t bits, int32_t differing)
{
    return (int32_t)(bits_most(token, weight_bits, bits) - 2 * (uint32_t)differing);
}

BITS_INLINE float bits_result(struct bits_token token, uint32_t weight_bits, uint32_t bits, int32_t differing)
{
    return token.scale * (float)bits_sum(token, weight_bits, bits, differing);
}

/** row() of an operand of one token. */
__attribute__((unused)) static struct kernel_row bits_row(const struct format *format, const uint8_t *panel, size_t k,
                                                          uint32_t row, uint32_t bits, const void *operand)
{
    struct bits_token token = *bits_tokens(operand);
    const uint64_t *planes = bits_planes(operand);
    int64_t sum = 0, magnitude = 0;
    for (uint32_t column = 0; column < token.columns; column++) {
        uint32_t u = 0;
        for (uint32_t bit = 0; bit < bits; bit++)
            u |= bits_of(planes, column, bit, bits) << bit;
        int64_t term = (int64_t)format_weight(format, panel, k, row, column) * bipolar_from_bits(u, bits);
        sum += term;
        magnitude += term < 0 ? -term : term;
    }
    return (struct kernel_row){(double)token.scale * (double)sum, (double)token.scale * (double)magnitude};
}

/**
 * No activation is further than s_x (1 + 2^-14) from what it became, see micro/quantization/bipolar.h: 1 / (2^q - 1) of the largest. Of 1 bit
 * that is all of it: what is zero becomes max|x|.
 */
#define BITS_ERROR(bits) ((1 + 0x1p-14) / ((1 << (bits)) - 1))

#endif
