/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial kernels of NEON, which counts the bits of bytes: a register is a bit of 2 rows and 64 columns, a panel four of them.
 * Exclusive or with a word of activations in both halves, cnt, and uadalp, which adds pairs of counts to sums of 16 bits: 3 operations
 * for 128 products of bits. A sum of 16 bits holds BITS_STEPS_MOST steps; after those, and after each pair of planes, it is
 * widened and shifted to its place [apt-llm, III-B, data recovery]. Nothing of it has been timed.
 */
#ifndef MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_NEON_H
#define MICRO_FAMILIES_BIT_SERIAL_BIT_SERIAL_NEON_H

#include <arm_neon.h>

#include "micro/families/bit_serial/bit_serial_gemm.h"

enum {
    BITS_PARTS = 4,         /* registers of a panel */
    BITS_TOKENS_MOST = 4,   /* of a register block */
    BITS_STEPS_MOST = 4000, /* a step adds 16 at most: 4095 would fit */
};

/** Operand of a register block: of a GEMM or, with a group of one, of a GEMV. */
struct bits_operand {
    const uint64_t *planes, *masks;
    size_t group;
};

BITS_INLINE uint8x16_t bits_differing(const uint8_t *weights, uint64_t word)
{
    return veorq_u8(vld1q_u8(weights), vreinterpretq_u8_u64(vdupq_n_u64(word)));
}

/** Sums of a pair of planes at their place, to total[token][row]. */
BITS_INLINE void bits_widen(uint32_t *total, const uint16x8_t *sum, int level, int tokens)
{
#pragma GCC unroll 16
    for (int n = 0; n < tokens * BITS_PARTS; n++) {
        uint64x2_t rows = vpaddlq_u32(vpaddlq_u16(sum[n]));
        uint32x2_t narrow = vshl_u32(vmovn_u64(rows), vdup_n_s32(level));
        vst1_u32(total + 2 * n, vadd_u32(vld1_u32(total + 2 * n), narrow));
    }
}

/** Steps [first, end) of one pair of planes; masked: counts only what masks leave. */
BITS_INLINE void bits_add_steps(uint32_t *total, const uint8_t *weights, const struct bits_operand *x, size_t first,
                                size_t end, int i, int j, int tokens, bool masked)
{
    uint16x8_t sum[BITS_TOKENS_MOST * BITS_PARTS];
#pragma GCC unroll 16
    for (int n = 0; n < tokens * BITS_PARTS; n++)
        sum[n] = vdupq_n_u16(0);
    for (size_t step = first; step < end; step++) {
        const uint8_t *plane = weights + step * STEP_BYTES + (size_t)i * BITS_PLANE_BYTES;
#pragma GCC unroll 4
        for (int t = 0; t < tokens; t++) {
            size_t at = step * x->group + (size_t)t;
            uint64_t word = x->planes[at * ACTIVATION_BITS + (size_t)j];
#pragma GCC unroll 4
            for (int part = 0; part < BITS_PARTS; part++) {
                uint8x16_t differing = bits_differing(plane + 16 * part, word);
                if (masked)
                    differing = vandq_u8(differing, vreinterpretq_u8_u64(vdupq_n_u64(x->masks[at])));
                sum[t * BITS_PARTS + part] = vpadalq_u8(sum[t * BITS_PARTS + part], vcntq_u8(differing));
            }
        }
    }
    bits_widen(total, sum, i + j, tokens);
}

/** All pairs of planes of one panel and some tokens: total[token][BITS_ROWS]. */
BITS_INLINE void bits_block(uint32_t *total, const uint8_t *weights, const struct bits_operand *x, size_t whole,
                            size_t steps, int tokens)
{
    memset(total, 0, (size_t)tokens * BITS_ROWS * sizeof *total);
    for (size_t first = 0, end; first < steps; first = end) {
        size_t limit = first < whole ? whole : steps;
        end = limit - first < BITS_STEPS_MOST ? limit : first + BITS_STEPS_MOST;
        for (int i = 0; i < WEIGHT_BITS; i++) {
            for (int j = 0; j < ACTIVATION_BITS; j++) {
                if (first < whole)
                    bits_add_steps(total, weights, x, first, end, i, j, tokens, false);
                else
                    bits_add_steps(total, weights, x, first, end, i, j, tokens, true);
            }
        }
    }
}

#define BITS_TILE(TOKENS)                                                                                              \
    static void bits_tile_1_##TOKENS(const struct bits_cut *cut)                                                       \
    {                                                                                                                  \
        const struct bits_operand x = {cut->planes, cut->masks, BITS_GROUP};                                           \
        bits_block((uint32_t *)cut->sums, cut->weights, &x, cut->whole, cut->steps, TOKENS);                           \
    }
BITS_TILE(1)
BITS_TILE(2)
BITS_TILE(4)

/* More tokens have no registers for their sums. */
#define bits_tile_1_8 bits_tile_1_4
BITS_VARIANT(1, 4, r8t4, UINT32_MAX)

static void gemv(const struct gemv_slice *slice)
{
    const struct bits_token token = *bits_tokens(slice->prepared);
    const struct bits_operand x = {bits_planes(slice->prepared),
                                   bits_masks(slice->prepared, slice->k, 1, ACTIVATION_BITS), 1};
    for (size_t panel = 0; panel < slice->panels; panel++) {
        uint32_t total[BITS_ROWS];
        bits_block(total, slice->weights + panel * slice->panel_bytes, &x, token.columns / STEP_COLUMNS,
                   slice->k / STEP_COLUMNS, 1);
        for (size_t row = 0; row < BITS_ROWS; row++)
            slice->out_f32[panel * BITS_ROWS + row] =
                bits_result(token, WEIGHT_BITS, ACTIVATION_BITS, (int32_t)total[row]);
    }
}

/* ---- its gamma: a panel of 4096 columns in L1, which are widened once a pair of planes ---- */

#define STEPS_TOGETHER 64
#include "micro/families/bit_serial/bit_serial_gamma.h"

#define STEP_SUM struct bits_sums

struct bits_sums {
    uint32_t differing[BITS_ROWS];
    uint32_t columns;
};

BITS_INLINE struct bits_sums step_zero(void)
{
    return (struct bits_sums){0};
}

BITS_INLINE struct bits_sums add_block(struct bits_sums sums, const uint8_t *weights,
                                       const struct bits_step_operand *operand)
{
    const struct bits_operand x = {bits_planes(operand), NULL, 1};
    uint32_t total[BITS_ROWS];
    bits_block(total, weights, &x, STEPS_TOGETHER, STEPS_TOGETHER, 1);
    for (size_t row = 0; row < BITS_ROWS; row++)
        sums.differing[row] += total[row];
    sums.columns += STEPS_TOGETHER * STEP_COLUMNS;
    return sums;
}

BITS_INLINE void step_finish(int32_t *rows, struct bits_sums sums)
{
    bits_finish_step(rows, (const int32_t *)sums.differing, (struct bits_token){.columns = sums.columns});
}

#endif
