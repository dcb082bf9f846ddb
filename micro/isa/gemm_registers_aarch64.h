/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registers of a GEMM on aarch64 of a few rows by pairs of tokens, 32 columns at a time, and what an instruction set multiplies them
 * with. One text for neon, neon_dotprod, neon_i8mm and sve256, which differ in what a register holds:
 *
 *                  TILE_ROWS   weights w[8]                        activations of a pair of tokens    its two sums
 *   neon(_dotprod) 4           w[c]        [4 rows][columns 4 c]   [token][32 columns]                a token each [row]
 *   neon_i8mm      4           w[2 o + r]  [2 rows][columns 8 o]   [columns 8 o][token][8 columns]    2 rows each [row][token]
 *   sve256         8           w[2 o + r]  [4 rows][columns 8 o]   the same, for both halves          4 rows each [row][token]
 *
 * smmla multiplies two rows with two tokens: a pair whose second token is not there has zeros in its place.
 */
#ifndef MICRO_ISA_GEMM_REGISTERS_AARCH64_H
#define MICRO_ISA_GEMM_REGISTERS_AARCH64_H

#include <stdbool.h>
#include <string.h>

#include "micro/isa/quads_aarch64.h"
#include "micro/isa/registers_aarch64.h"

enum {
    TILE_PAIRS = 8,               /* of tokens of a group */
    TILE_TOKENS = 2 * TILE_PAIRS, /* of a group of prepare_many() */
    TILE_COLUMNS = 32,            /* of a unit */
    TILE_WEIGHTS = 8,             /* registers of a unit */
    TILE_PAIR_BYTES = 2 * TILE_COLUMNS,
};

/* What multiplies where nothing is up-converted: gemm.multiply of a kernel. */
#if defined __ARM_FEATURE_SVE
#define TILE_MULTIPLY "int8_pairs.mmla.sve256"
#elif defined __ARM_FEATURE_MATMUL_INT8
#define TILE_MULTIPLY "int8_pairs.mmla.neon_i8mm"
#elif defined __ARM_FEATURE_DOTPROD
#define TILE_MULTIPLY "int8_vnni4.dot.neon_dotprod"
#else
#define TILE_MULTIPLY NULL
#endif

/**
 * Keeps loads of the next pair of tokens after this one: moved ahead they would take registers that sums and weights need, and
 * out-of-order cores move them themselves.
 */
#define TILE_IN_TURN() __asm__ volatile("" ::: "memory")

/** Sums of a pair of tokens. */
struct tile_sums {
    tile_ints of[2];
};

/** Where activation `column` of a token of a pair lies, of a unit. */
ROWS_INLINE size_t tile_place(size_t token, size_t column)
{
#ifdef __ARM_FEATURE_MATMUL_INT8
    return column / 8 * 16 + token * 8 + column % 8;
#else
    return token * TILE_COLUMNS + column;
#endif
}

/** 32 activations of a token of a group into q[TILE_PAIRS][TILE_PAIR_BYTES]. */
ROWS_INLINE void tile_put(const int8_t *from, size_t token, int8_t *q)
{
    for (size_t column = 0; column < TILE_COLUMNS; column++)
        q[token / 2 * TILE_PAIR_BYTES + tile_place(token % 2, column)] = from[column];
}

/** A unit's weights, signed bytes, times a pair of tokens: registers first … first + count of w, even numbers of them. */
ROWS_INLINE struct tile_sums tile_multiply(struct tile_sums sum, const tile_bytes *w, const int8_t *x, int first,
                                           int count)
{
#if defined __ARM_FEATURE_SVE
#pragma GCC unroll 4
    for (int i = first; i < first + count; i += 2) {
        svint8_t a = svld1rq_s8(TILE_ALL, x + 8 * i);
        sum.of[0] = svmmla_s32(sum.of[0], svreinterpret_s8_u8(w[i]), a);
        sum.of[1] = svmmla_s32(sum.of[1], svreinterpret_s8_u8(w[i + 1]), a);
    }
#elif defined __ARM_FEATURE_MATMUL_INT8
#pragma GCC unroll 4
    for (int i = first; i < first + count; i += 2) {
        int8x16_t a = vld1q_s8(x + 8 * i);
        sum.of[0] = vmmlaq_s32(sum.of[0], vreinterpretq_s8_u8(w[i]), a);
        sum.of[1] = vmmlaq_s32(sum.of[1], vreinterpretq_s8_u8(w[i + 1]), a);
    }
#elif defined __ARM_FEATURE_DOTPROD
#define TILE_ELEMENT(element)                                                                                          \
    sum.of[0] = vdotq_laneq_s32(sum.of[0], vreinterpretq_s8_u8(w[i + (element)]), a, element);                         \
    sum.of[1] = vdotq_laneq_s32(sum.of[1], vreinterpretq_s8_u8(w[i + (element)]), b, element)
#pragma GCC unroll 2
    for (int i = first; i < first + count; i += 4) {
        int8x16_t a = vld1q_s8(x + 4 * i), b = vld1q_s8(x + TILE_COLUMNS + 4 * i);
        TILE_ELEMENT(0);
        TILE_ELEMENT(1);
        TILE_ELEMENT(2);
        TILE_ELEMENT(3);
    }
#undef TILE_ELEMENT
#else
#pragma GCC unroll 2
    for (int i = first; i < first + count; i += 4) {
        sum.of[0] = tile_dot_fours(sum.of[0], w + i, vld1q_s8(x + 4 * i));
        sum.of[1] = tile_dot_fours(sum.of[1], w + i, vld1q_s8(x + TILE_COLUMNS + 4 * i));
    }
#endif
    return sum;
}

/* ---- scales ---- */

/** What each sum register is multiplied with for its rows. */
struct tile_scales {
    tile_floats of[2];
};

/** From TILE_ROWS rows' own. bits: by which their sums are too large, see TILE_ADD. */
ROWS_INLINE struct tile_scales tile_rows_scales(tile_floats rows, int bits)
{
    (void)bits;
#if defined __ARM_FEATURE_SVE
    if (bits)
        rows = tile_times(rows, tile_unscaled(1, bits));
    return (struct tile_scales){{svzip1_f32(rows, rows), svzip2_f32(rows, rows)}};
#elif defined __ARM_FEATURE_MATMUL_INT8
    return (struct tile_scales){{vzip1q_f32(rows, rows), vzip2q_f32(rows, rows)}};
#else
    return (struct tile_scales){{rows, rows}};
#endif
}

/** What each sum register is multiplied with as long as it is integers. */
struct tile_factors {
    tile_ints of[2];
};

/** From TILE_ROWS rows' own. */
ROWS_INLINE struct tile_factors tile_rows_factors(const int32_t *at)
{
#if defined __ARM_FEATURE_SVE
    tile_ints rows = svld1_s32(TILE_ALL, at);
    return (struct tile_factors){{svzip1_s32(rows, rows), svzip2_s32(rows, rows)}};
#elif defined __ARM_FEATURE_MATMUL_INT8
    tile_ints rows = vld1q_s32(at);
    return (struct tile_factors){{vzip1q_s32(rows, rows), vzip2q_s32(rows, rows)}};
#else
    tile_ints rows = vld1q_s32(at);
    return (struct tile_factors){{rows, rows}};
#endif
}

/** Two numbers of a pair of tokens, by which the sums are multiplied. */
ROWS_INLINE struct tile_scales tile_token_scales(const float *two)
{
#if defined __ARM_FEATURE_SVE
    uint64_t both;
    memcpy(&both, two, sizeof both);
    tile_floats scale = svreinterpret_f32_u64(svdup_n_u64(both));
    return (struct tile_scales){{scale, scale}};
#elif defined __ARM_FEATURE_MATMUL_INT8
    tile_floats scale = vreinterpretq_f32_u64(vld1q_dup_u64((const uint64_t *)(const void *)two));
    return (struct tile_scales){{scale, scale}};
#else
    return (struct tile_scales){{vld1q_dup_f32(two), vld1q_dup_f32(two + 1)}};
#endif
}

/** The sums of a token of a pair, row by row. */
ROWS_INLINE tile_floats tile_of_token(const tile_floats *pair, int token)
{
#if defined __ARM_FEATURE_SVE
    return token ? svuzp2_f32(pair[0], pair[1]) : svuzp1_f32(pair[0], pair[1]);
#elif defined __ARM_FEATURE_MATMUL_INT8
    return token ? vuzp2q_f32(pair[0], pair[1]) : vuzp1q_f32(pair[0], pair[1]);
#else
    return pair[token];
#endif
}

/** The same of integers. */
ROWS_INLINE tile_ints tile_ints_of_token(const tile_ints *pair, int token)
{
#if defined __ARM_FEATURE_SVE
    return token ? svuzp2_s32(pair[0], pair[1]) : svuzp1_s32(pair[0], pair[1]);
#elif defined __ARM_FEATURE_MATMUL_INT8
    return token ? vuzp2q_s32(pair[0], pair[1]) : vuzp1q_s32(pair[0], pair[1]);
#else
    return pair[token];
#endif
}

/** To `rows` rows of a token, onto what is there unless it is the first part. */
ROWS_INLINE void tile_store(float *out, tile_floats sum, size_t rows, bool first)
{
#ifdef __ARM_FEATURE_SVE
    svbool_t there = svwhilelt_b32_u64(0, rows);
    if (!first)
        sum = svadd_f32_x(there, sum, svld1_f32(there, out));
    svst1_f32(there, out, sum);
#else
    if (rows >= TILE_ROWS) {
        vst1q_f32(out, first ? sum : vaddq_f32(sum, vld1q_f32(out)));
        return;
    }
    for (size_t i = 0; i < rows; i++)
        out[i] = sum[i] + (first ? 0 : out[i]);
#endif
}

/* ---- bytes of TILE_ROWS rows into registers: see quads_aarch64.h ---- */

#ifdef __ARM_FEATURE_SVE
/** 8 bytes of each of four rows are what gathers of double words bring. */
ROWS_INLINE void tile_of_rows(const uint8_t *const *rows, size_t at, tile_bytes *to)
{
#pragma GCC unroll 2
    for (int r = 0; r < 2; r++) {
        svuint64_t begin = svld1_u64(TILE_ALL, (const uint64_t *)(const void *)(rows + 4 * r));
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++)
            to[2 * o + r] = svreinterpret_u8_u64(svld1_gather_u64base_offset_u64(TILE_ALL, begin, (int64_t)at + 8 * o));
    }
}

ROWS_INLINE tile_floats tile_halves_of_rows(const uint8_t *const *rows, size_t at)
{
    __fp16 halves[TILE_ROWS];
#pragma GCC unroll 8
    for (int i = 0; i < TILE_ROWS; i++)
        memcpy(&halves[i], rows[i] + at, sizeof halves[i]);
    return tile_halves((const uint8_t *)halves);
}

ROWS_INLINE void tile_of_eights(const uint8_t *codes, size_t panel_rows, tile_bytes *to)
{
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        to[i] = tile_load(codes + i / 2 * 8 * panel_rows + i % 2 * TILE_BYTES);
}

ROWS_INLINE void tile_of_fours(const uint8_t *codes, size_t panel_rows, tile_bytes *to)
{
#pragma GCC unroll 2
    for (size_t i = 0; i < 4; i += 2) {
        svuint32_t low = svreinterpret_u32_u8(tile_load(codes + i * 4 * panel_rows));
        svuint32_t high = svreinterpret_u32_u8(tile_load(codes + (i + 1) * 4 * panel_rows));
        to[i] = svreinterpret_u8_u32(svzip1_u32(low, high));
        to[i + 1] = svreinterpret_u8_u32(svzip2_u32(low, high));
    }
}
#else
#define tile_of_rows        quad_of_rows
#define tile_halves_of_rows quad_halves_of_rows
#define tile_of_eights      quad_of_eights
#define tile_of_fours       quad_of_fours
#endif

#endif
