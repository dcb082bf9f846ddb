/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile of gemm_blocks.h for blocks of 256 columns whose groups of 16 have a scale each, of 5 bits and more: values are unpacked to bytes as
 * panels are brought into scratch, once for all tokens; 4096 bytes of a panel, a lane a row, are followed by
 *
 *   scales of the 16 groups, a lane a row, and where the integer sum of the block begins
 *   d as floats
 *
 * A scale and a value have no byte together, so that each group's sum is scaled, exactly: a multiplication and an addition for 16 columns
 * of a row and token. The sum of a block is an integer, too. Multiplying needs one side unsigned: activations are 128 more than they are,
 * and what that adds, 128 times a row's own weights, is known before the first token and is where the sum begins. A file gemm_group_scales_<isa>.h says
 *
 *   GEMM_TOKENS, GEMM_VECTORS, gemm_floats   of gemm_blocks.h
 *   GEMM_OFFSET                              what activations are more than they are: 128, or 0
 *   gemm_ints                                a register of integers
 *
 *   gemm_ints gemm_load(const uint8_t *at)
 *   gemm_ints gemm_broadcast(const void *four)   four activations in all lanes
 *   gemm_ints gemm_products(gemm_ints sums, gemm_ints values, gemm_ints a, gemm_ints scale, bool first)   adds four columns
 *   gemm_ints gemm_group(gemm_ints whole, gemm_ints sums, gemm_ints scale)   adds a group
 *   gemm_floats gemm_add_scaled(gemm_floats sum, gemm_ints whole, const uint8_t *d, float scale)
 *   __m256i gemm_scale_of(__m256i byte, int bits)   of the group's byte in all bytes of a lane, whose lower bits are no part of it: the scale
 *                                                as gemm_products or gemm_group needs it
 *
 * and the including file, which includes that before this,
 *
 *   GEMM_BLOCK_BYTES, GEMM_STORED_ROWS   of gemm_blocks.h
 *
 * and before both, of codes that are not negative, as those with minima are,
 *
 *   GEMM_CODES   1: activations stay what they are, products are of codes and them, and a group may have 32 columns that share two scales of
 *                16 (GEMM_GROUP, which the file of the instruction set says). d is followed by the minima of eight groups of 32 columns, two to
 *                a lane as words, and by dmin as floats; the minima meet the sums of the activations by
 *
 *   gemm_ints gemm_words(gemm_ints whole, gemm_ints minima, gemm_ints sums)   adds two groups
 *
 *   void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to)   as gemm_blocks.h needs it
 */
#ifndef MICRO_FAMILIES_GROUP_SCALES_GEMM_GROUP_SCALES_H
#define MICRO_FAMILIES_GROUP_SCALES_GEMM_GROUP_SCALES_H

#include <string.h>

#include "micro/families/blocks/q8_avx2.h"

#define GEMM_COLUMNS     256
#define GEMM_SCALES      4096
#define GEMM_START       (GEMM_SCALES + 16 * 64)
#define GEMM_D           (GEMM_START + 64)
#define GEMM_MINIMA      (GEMM_D + 64)
#define GEMM_DMIN        (GEMM_MINIMA + 4 * 64)
#define GEMM_PANEL_BYTES (GEMM_CODES ? GEMM_DMIN + 64 : GEMM_D + 64)
#define GEMM_PANEL_LEAD  0

static void gemm_interleave(const uint8_t *panels, size_t stride, size_t count, size_t block, uint8_t *to);

/** 256 columns of a group of tokens, GEMM_OFFSET more than they are. */
struct gemm_operand {
    int8_t q[GEMM_TOKENS][256];
    float scale[GEMM_TOKENS];
#if GEMM_CODES
    int16_t sums[GEMM_TOKENS][8]; /* of 32 columns each */
#endif
};

static void gemm_put_operand(const float *x, struct gemm_operand *to, size_t token)
{
    struct q8_256 q8;
    q8_256_make(x, GEMM_COLUMNS, &q8);
    for (size_t i = 0; i < 256; i++)
        to->q[token][i] = (int8_t)(uint8_t)(q8.q[i] + GEMM_OFFSET);
    to->scale[token] = q8.scale;
#if GEMM_CODES
    for (size_t i = 0; i < 8; i++)
        to->sums[token][i] = (int16_t)(q8.sums[2 * i] + q8.sums[2 * i + 1]);
#endif
}

ROWS_INLINE void gemm_store_256(uint8_t *to, __m256i value)
{
    _mm256_storeu_si256((__m256i *)(void *)to, value);
}

/** Sums of the 16 values of each row. */
ROWS_INLINE __m256i gemm_total(const __m256i *values)
{
    const __m256i ones = _mm256_set1_epi8(1);
    __m256i words = _mm256_maddubs_epi16(ones, values[0]);
#pragma GCC unroll 4
    for (int p = 1; p < 4; p++)
        words = _mm256_add_epi16(words, _mm256_maddubs_epi16(ones, values[p]));
    return _mm256_madd_epi16(words, _mm256_set1_epi16(1));
}

/** Of eight rows whose values are in place d and scales, those of groups 4 m … in the lanes of bytes[m], and where their sums begin. */
ROWS_INLINE void gemm_put_scales(const __m256i *bytes, __m256 d, uint8_t *to)
{
    const __m256i lane = _mm256_broadcastsi128_si256(_mm_setr_epi32(0, 0x04040404, 0x08080808, 0x0c0c0c0c));
    __m256i start = _mm256_setzero_si256();
#pragma GCC unroll 16
    for (int group = 0; group < 16; group++) {
        __m256i of_group = _mm256_add_epi8(lane, _mm256_set1_epi8((char)(group % 4)));
        __m256i byte = _mm256_shuffle_epi8(bytes[group / 4], of_group), values[4];
        gemm_store_256(to + GEMM_SCALES + 64 * group, gemm_scale_of(byte, 0));
        if (GEMM_OFFSET) {
#pragma GCC unroll 4
            for (int p = 0; p < 4; p++)
                values[p] = _mm256_loadu_si256((const __m256i *)(const void *)(to + 64 * (4 * group + p)));
            __m256i scale = _mm256_srai_epi32(byte, 24);
            start = _mm256_sub_epi32(start, _mm256_mullo_epi32(gemm_total(values), scale));
        }
    }
    gemm_store_256(to + GEMM_START, _mm256_mullo_epi32(start, _mm256_set1_epi32(GEMM_OFFSET)));
    _mm256_storeu_ps((float *)(void *)(to + GEMM_D), d);
}

/** GEMM_GROUP columns: `sums` of them, added to `whole`. */
ROWS_INLINE void gemm_columns(gemm_ints (*whole)[GEMM_VECTORS], const uint8_t *const *at, size_t group,
                              const struct gemm_operand *x, int vectors, int tokens)
{
    gemm_ints sums[GEMM_TOKENS][GEMM_VECTORS], scale[GEMM_VECTORS], values[GEMM_VECTORS];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        scale[v] = gemm_load(at[v] + GEMM_SCALES + 64 * (GEMM_GROUP / 16 * group));
#pragma GCC unroll 8
    for (size_t p = 0; p < GEMM_GROUP / 4; p++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            values[v] = gemm_load(at[v] + 64 * (GEMM_GROUP / 4 * group + p));
            ROWS_IN_REGISTER(values[v]);
        }
#pragma GCC unroll 8
        for (int t = 0; t < tokens; t++) {
            gemm_ints a = gemm_broadcast(x->q[t] + GEMM_GROUP * group + 4 * p);
            ROWS_IN_REGISTER(a);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) {
                sums[t][v] = gemm_products(sums[t][v], values[v], a, scale[v], p == 0);
                ROWS_IN_REGISTER(sums[t][v]);
            }
        }
    }
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            whole[t][v] = gemm_group(whole[t][v], sums[t][v], scale[v]);
            ROWS_IN_REGISTER(whole[t][v]);
        }
    }
}

#if GEMM_CODES
ROWS_INLINE void gemm_add_minima(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *at,
                                 const struct gemm_operand *x, int vectors, int tokens)
{
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            gemm_ints whole = {0};
#pragma GCC unroll 4
            for (size_t pair = 0; pair < 4; pair++)
                whole = gemm_words(whole, gemm_load(at[v] + GEMM_MINIMA + 64 * pair),
                                   gemm_broadcast(x->sums[t] + 2 * pair));
            sum[t][v] = gemm_add_scaled(sum[t][v], whole, at[v] + GEMM_DMIN, -x->scale[t]);
        }
    }
}
#endif

ROWS_INLINE void gemm_block(gemm_floats (*sum)[GEMM_VECTORS], const uint8_t *const *panel, size_t half,
                            const struct gemm_operand *x, int vectors, int tokens)
{
    gemm_ints whole[GEMM_TOKENS][GEMM_VECTORS];
    const uint8_t *at[GEMM_VECTORS];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; v++)
        at[v] = panel[v] + 32 * half;
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            whole[t][v] = gemm_load(at[v] + GEMM_START);
    }
#pragma GCC unroll 1
    for (size_t group = 0; group < GEMM_COLUMNS / GEMM_GROUP; group++)
        gemm_columns(whole, at, group, x, vectors, tokens);
#pragma GCC unroll 8
    for (int t = 0; t < tokens; t++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++)
            sum[t][v] = gemm_add_scaled(sum[t][v], whole[t][v], at[v] + GEMM_D, x->scale[t]);
    }
#if GEMM_CODES
    gemm_add_minima(sum, at, x, vectors, tokens);
#endif
}

#include "micro/families/blocks/gemm_q8.h"
#include "micro/frames/gemm_blocks.h"

#ifndef GEMM_GROUP_SCALES_ROW
#define GEMM_GROUP_SCALES_ROW block_row
#endif

/** A kernel with the gamma of the sequence SELF_MODEL. */
#define GEMM_GROUP_SCALES_KERNEL                                                                                       \
    {                                                                                                                  \
        .name = SELF_NAME, .sequence = SELF_SEQUENCE, .isa = SELF_ISA, .format = &SELF_FORMAT, .origin = "kneepoint",  \
        .gamma = SELF_MODEL, .prefetch_bytes = 1024, .takes = KERNEL_TAKES_F32, .gives = KERNEL_GIVES_F32,             \
        .float_sums = GEMM_CODES ? 128 : 256, .error_bound = Q8_ERROR_BOUND,                                           \
        .prepared_bytes_per_step = sizeof(gemm_q8), .prepare = prepare, .row = GEMM_GROUP_SCALES_ROW, .gemm = GEMM     \
    }

#endif
